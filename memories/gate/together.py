"""Several texts that tell of one thing: what is a secret in one of them is one in all."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from memories.gate.findings import Redacted, placeholder
from memories.gate.gate import placeholders, redact
from memories.gate.plausible import is_known_term

_SHORTEST: Final = 4  # characters; shorter values stand in texts that have nothing to do with them


_NOTHING: Final = Redacted("", ())


def redact_together(texts: Iterable[str]) -> list[str]:
    """Each text redacted, and what was found in one of them redacted in the others too.

    A password is known by the words around it: of the content "my password is hunter2" and the object
    "hunter2" only both together say that the second is a secret. Order and length of the list are kept.
    """
    current = list(texts)
    while (after := _once(current)) != current:
        current = after
    return current


def _once(given: list[str]) -> list[str]:
    each = {text: redact(text) for text in set(given) if text}
    if not any(result.findings for result in each.values()):
        return given
    redacted = [each.get(text, _NOTHING) for text in given]
    secrets = {
        text[finding.start : finding.end]: finding.kind
        for text, result in zip(given, redacted, strict=True)
        for finding in result.findings
        if finding.end - finding.start >= _SHORTEST and not is_known_term(text[finding.start : finding.end])
    }
    return [_without(result.text, secrets) for result in redacted]


def _without(text: str, secrets: dict[str, str]) -> str:
    """Only where a secret stands as a word of its own; the longest first, as one may begin another."""
    present = sorted((secret for secret in secrets if secret in text), key=len, reverse=True)
    if not present:
        return text
    words = "|".join(map(re.escape, present))
    pattern = rf"{placeholders().pattern}|(?<![A-Za-z0-9])(?:{words})(?![A-Za-z0-9])"

    def replaced(match: re.Match[str]) -> str:
        kind = secrets.get(match.group())
        return match.group() if kind is None else placeholder(kind)

    return re.sub(pattern, replaced, text)
