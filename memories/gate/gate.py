"""Inspect, redact or refuse a text before it is learned, indexed, logged or sent to a model."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import cache
from itertools import accumulate
from typing import Final, Literal

from memories.gate import identifiers, secrets
from memories.gate.matches import Inspection, Redacted, SecretMatch, make_placeholder, merge_matches
from memories.gate.usefulness import MARK, says_something
from memories.gate.view import make_views
from memsite.errors import RefusedByGate

Mode = Literal["redact", "refuse"]

#: All kinds of findings, as they occur in placeholders.
KINDS: Final = secrets.KINDS | identifiers.KINDS

# Replacing a finding may expose a token that was attached to it. Only texts made for the purpose need more
# passes than this; the last pass then redacts whole words.
_PASSES: Final = 4
_SPACE: Final = re.compile(r"[ \t\r\n]")
# Texts that no rule matches: keywords announce secrets, and secrets recognised by form are longer or mixed.
_WORD: Final = re.compile(r"[a-z]{1,15}")
_MARK: Final = "[redacted:"


def inspect_text(text: str) -> Inspection:
    """Return all secrets and personal identifiers of a text."""
    return Inspection(redact_text(text).findings)


def redact_text(text: str) -> Redacted:
    """Replace each finding by a placeholder such as `[redacted:jwt]`.

    Redacting the result again changes nothing. A text without findings is returned unchanged.
    """
    if _WORD.fullmatch(text):
        return Redacted(text, ())
    current = text
    findings: tuple[SecretMatch, ...] = ()
    passes = 0
    while fresh := _scan(current):
        passes += 1
        if passes > _PASSES:
            fresh = merge_matches(_whole_words(current, fresh))
        findings = _in_original(findings, fresh)
        current = _rewrite(text, findings)
    return Redacted(current, findings)


def guard_text(text: str, mode: Mode) -> str:
    """Return the part of a text that may be stored.

    Args:
        text: The text.
        mode: `redact` returns the text with placeholders. `refuse` returns the text itself and accepts no
            finding.

    Raises:
        RefusedByGate: In mode `refuse`, if anything was found. In mode `redact`, if nothing of value is left
            beside the placeholders, including those already in the text. The details contain only kinds.
    """
    redacted = redact_text(text)
    if not redacted.findings and _MARK not in text:
        return text
    if redacted.findings and mode == "refuse":
        found = list(Inspection(redacted.findings).kinds)
        raise RefusedByGate("This holds a secret or a personal identifier.", {"kinds": found})
    check_remainder(redacted.text)
    return redacted.text


def check_remainder(redacted: str) -> None:
    """Check that a redacted text says something beside its placeholders.

    Raises:
        RefusedByGate: If it does not. The details contain only kinds.
    """
    placeholders = compile_placeholders().findall(redacted) if _MARK in redacted else []
    if placeholders and not says_something(compile_placeholders().sub(MARK, redacted)):
        kinds = sorted({each.removeprefix(_MARK).removesuffix("]") for each in placeholders})
        raise RefusedByGate(
            "Nothing but a secret or a personal identifier is left of this.", {"kinds": kinds}
        )


def remove_placeholders(text: str) -> str:
    """Replace each placeholder by a space."""
    return compile_placeholders().sub(" ", text)


@cache
def compile_placeholders() -> re.Pattern[str]:
    """Return a pattern that matches exactly the placeholders that the gate writes."""
    return re.compile(rf"\[redacted:(?:{'|'.join(sorted(KINDS))})\]")


def _scan(text: str) -> tuple[SecretMatch, ...]:
    """Return the findings of all views of the text, in offsets of the text.

    Placeholders are blanked first, so that neither they nor their words match a rule.
    """
    if _MARK in text:
        text = compile_placeholders().sub(_blank, text)
    found: list[SecretMatch] = []
    for view in make_views(text):
        for finder in (secrets.find_secrets, identifiers.find_identifiers):
            found += [SecretMatch(each.kind, *view.original(each.start, each.end)) for each in finder(view)]
    if not found:
        return ()
    return merge_matches(each for each in found if any(map(str.isalnum, text[each.start : each.end])))


def _blank(match: re.Match[str]) -> str:
    """Return a blank of the same length, which rules treat as a field to fill in."""
    return f"[{'_' * (len(match.group()) - 2)}]"


def _whole_words(text: str, findings: tuple[SecretMatch, ...]) -> Iterator[SecretMatch]:
    """Extend each finding to the surrounding white space."""
    spaces = [space.start() for space in _SPACE.finditer(text)]
    edges = [-1, *spaces, len(text)]
    for finding in findings:
        start = edges[bisect_left(spaces, finding.start)] + 1
        yield SecretMatch(finding.kind, start, edges[bisect_left(spaces, finding.end) + 1])


def _rewrite(text: str, findings: tuple[SecretMatch, ...]) -> str:
    parts: list[str] = []
    last = 0
    for finding in findings:
        parts += (text[last : finding.start], make_placeholder(finding.kind))
        last = finding.end
    return "".join((*parts, text[last:]))


def _in_original(before: tuple[SecretMatch, ...], fresh: tuple[SecretMatch, ...]) -> tuple[SecretMatch, ...]:
    """Convert findings of the rewritten text to offsets of the original, and merge them with earlier ones."""
    shifts = list(
        accumulate((len(make_placeholder(one.kind)) - (one.end - one.start) for one in before), initial=0)
    )
    starts = [one.start + shift for one, shift in zip(before, shifts, strict=False)]

    def original(offset: int, *, end: bool) -> int:
        """Return the original offset of one in the rewritten text.

        Inside a placeholder, the finding's edge.
        """
        passed = bisect_left(starts, offset)  # number of findings whose placeholder starts before it
        last = before[passed - 1] if passed else None
        if last and offset < starts[passed - 1] + len(make_placeholder(last.kind)):
            return last.end if end else last.start
        return offset - shifts[passed]

    moved = [
        SecretMatch(each.kind, original(each.start, end=False), original(each.end, end=True))
        for each in fresh
    ]
    return merge_matches((*moved, *before))
