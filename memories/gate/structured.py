"""Redact JSON (metadata, tool calls, task state) and several texts about one thing."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, TypeAlias

from memories.gate.gate import compile_placeholders, redact_text, remove_placeholders
from memories.gate.matches import Redacted, make_placeholder
from memories.gate.secrets import is_technical_term, is_word, secret_kind_of_name
from memsite.errors import InvalidInput

JsonValue: TypeAlias = "bool | int | float | str | list[JsonValue] | dict[str, JsonValue] | None"

DEEPEST: Final = 100  # levels of nesting
_SMALLEST_IDENTIFIER: Final = 10**8  # no identifier has fewer than 9 digits
_LONGEST_WORD: Final = 16  # letters; a longer word in a field "token" is a token
_ALWAYS_SECRET: Final = frozenset({"password", "api_key", "private_key"})
_NUMERIC: Final = frozenset({"password", "pin", "card_security_code", "one_time_code"})

_SHORTEST: Final = 4  # characters; shorter values also occur in unrelated texts
_NOTHING: Final = Redacted("", ())


def redact_json(value: JsonValue) -> JsonValue:
    """Redact every string and key of a value, and replace numbers that are identifiers by placeholders.

    Field names count: a value of `password` or `apiKey` is redacted whatever it looks like, and `{"passport":
    "E12345678"}` is read as "passport: E12345678". Keys that become equal are numbered. Redacting the result
    again changes nothing.

    Raises:
        InvalidInput: If the value has more than 100 levels.
    """
    return _walk(value, "", 0)


def _walk(value: JsonValue, name: str, depth: int) -> JsonValue:
    if depth > DEEPEST:
        raise InvalidInput(f"JSON is nested more than {DEEPEST} levels deep.")
    if isinstance(value, dict):
        return _object(value, depth)
    if isinstance(value, (list, tuple)):
        return [_walk(item, name, depth + 1) for item in value]
    if isinstance(value, str):
        return _string(value, name)
    if isinstance(value, bool) or value is None:
        return value
    return _number(value, name)


def _object(fields: dict[str, JsonValue], depth: int) -> dict[str, JsonValue]:
    kept: dict[str, JsonValue] = {}
    for name, value in fields.items():
        shown = redact_text(name).text if isinstance(name, str) else name
        unique, count = shown, 1
        while unique in kept:
            count += 1
            unique = f"{shown} {count}"
        kept[unique] = _walk(value, shown if isinstance(shown, str) else "", depth + 1)
    return kept


def _string(text: str, name: str) -> str:
    kind = secret_kind_of_name(name)
    if kind and _is_secret_under(kind, text):
        return make_placeholder(kind)
    return _read_with_name(text, name)


def _is_secret_under(kind: str, text: str) -> bool:
    if not remove_placeholders(text).strip():
        return False
    if kind in _ALWAYS_SECRET:
        return True
    if kind in _NUMERIC:
        return any(map(str.isdigit, text))
    return " " not in text.strip() and not (is_word(text) and len(text) < _LONGEST_WORD)


def _read_with_name(text: str, name: str) -> str:
    """Redact a text as if its field name preceded it. Only the parts of findings in the text count."""
    before = f"{name}: " if name else ""
    parts: list[str] = []
    last = len(before)
    whole = before + text
    for finding in redact_text(whole).findings:
        if finding.end > len(before):
            parts += (whole[last : max(last, finding.start)], make_placeholder(finding.kind))
            last = finding.end
    return "".join((*parts, whole[last:]))


def _number(value: float, name: str) -> JsonValue:
    kind = secret_kind_of_name(name)
    if kind in _NUMERIC:
        return make_placeholder(kind)
    shown = _read_with_name(str(value), name) if abs(value) >= _SMALLEST_IDENTIFIER else str(value)
    return shown if shown != str(value) else value


def redact_together(texts: Iterable[str]) -> list[str]:
    """Redact each text, and redact what was found in one of them in the others too.

    The words around a password identify it. Of the content "my password is hunter2" and the object "hunter2",
    only both together show that the second is a secret. Order and length of the list are kept.
    """
    current = list(texts)
    settled: set[str] = set()
    while (after := _once(current, settled)) != current:
        current = after
    return current


def _once(given: list[str], settled: set[str]) -> list[str]:
    """Redact each text that is not settled, and add the results, which redacting does not change again."""
    each = {text: Redacted(text) if text in settled else redact_text(text) for text in set(given) if text}
    settled.update(result.text for result in each.values())
    if not any(result.findings for result in each.values()):
        return given
    redacted = [each.get(text, _NOTHING) for text in given]
    secrets = {
        text[finding.start : finding.end]: finding.kind
        for text, result in zip(given, redacted, strict=True)
        for finding in result.findings
        if finding.end - finding.start >= _SHORTEST
        and not is_technical_term(text[finding.start : finding.end])
    }
    return [_without(result.text, secrets) for result in redacted]


def _without(text: str, secrets: dict[str, str]) -> str:
    """Replace secrets that occur as whole words, the longest first, because one may begin another."""
    present = sorted((secret for secret in secrets if secret in text), key=len, reverse=True)
    if not present:
        return text
    words = "|".join(map(re.escape, present))
    pattern = rf"{compile_placeholders().pattern}|(?<![A-Za-z0-9])(?:{words})(?![A-Za-z0-9])"

    def replaced(match: re.Match[str]) -> str:
        kind = secrets.get(match.group())
        return match.group() if kind is None else make_placeholder(kind)

    return re.sub(pattern, replaced, text)
