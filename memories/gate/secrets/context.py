"""Secrets recognised by the words around them: `password: …`, `API_KEY=…`, "my password is …", 密码是…."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from memories.gate.matches import SecretMatch
from memories.gate.secrets.announced import is_secret
from memories.gate.secrets.keywords import ALSO, BEFORE, KEYWORDS, KINDS, LINK, Keyword, is_part_of_other_word
from memories.gate.secrets.values import (
    Value,
    is_generated,
    is_mixed,
    is_program_text,
    is_technical_term,
    read_value,
)
from memories.gate.view import View, make_views

__all__ = ["KINDS", "find_context", "secret_kind_of_name"]

_LINKS: Final = ("assign", "markup", "tag", "argument", "fallback", "verb", "eastern", "glued", "bare")
_SHORTEST_BEFORE: Final = 5  # characters of a value before its keyword
_MOST_VALUES: Final = 12  # after one keyword
_LAST_TOKEN: Final = re.compile(r"[!-~]{1,100}$")
_OPTION: Final = re.compile(r"(?<!\S)--[\w-]*$")
_ROOTS: Final = tuple(dict.fromkeys(root for keyword in KEYWORDS for root in keyword.roots))
_NOUN_AFTER: Final = re.compile(r"s?[ \t](?!for\b|and\b|on\b|at\b|to\b)[a-z]{2,}")
_NAME_END: Final = re.compile(r"s?(?:[_-]?(?:prod|production|dev|test|staging|live|main|old|new|\d{1,2}))?$")


def find_context(view: View) -> Iterator[SecretMatch]:
    """Yield the values announced by keywords, one kind after the other."""
    lower = view.lower
    present = [root for root in _ROOTS if root in lower]
    for keyword in KEYWORDS if present else ():
        if any(root in present for root in keyword.roots):
            yield from _announced_by(keyword, view)


def _announced_by(keyword: Keyword, view: View) -> Iterator[SecretMatch]:
    for match in keyword.pattern.finditer(view.lower):
        if is_part_of_other_word(view.lower, match):
            continue
        found = False
        for value in _values(keyword.kind, view, match):
            found = True
            yield SecretMatch(keyword.kind, value.start, value.end)
        if not found:
            yield from _before(keyword.kind, view, match)


def _values(kind: str, view: View, keyword: re.Match[str]) -> Iterator[Value]:
    link = LINK.match(view.lower, keyword.end())
    if link is None:
        return
    name = next(name for name in _LINKS if link.group(name) is not None)
    if name == "bare" and _OPTION.search(view.text, max(0, keyword.start() - 32), keyword.start()):
        name = "assign"
    operator = link.group("assign") or link.group("verb") or link.group("close")
    value = read_value(view.text, link.end(), name, operator)
    for _ in range(_MOST_VALUES):
        if value is None or not is_secret(kind, value):
            return
        yield value
        also = ALSO.match(view.text, value.end)
        value = read_value(view.text, also.end(), "bare") if also else None


def _before(kind: str, view: View, keyword: re.Match[str]) -> Iterator[SecretMatch]:
    """Yield the value of "hunter2 is my password".

    It must mix letters and digits, and the clause must end there.
    """
    if kind not in {"password", "api_key", "private_key", "token", "secret"}:
        return
    start = max(0, keyword.start() - 160)
    window = view.text[start : keyword.start()]
    match = BEFORE.search(window)
    if match is None or _NOUN_AFTER.match(view.lower, keyword.end()):
        return
    last = _LAST_TOKEN.search(window, max(0, match.start() - 100), match.start())
    value = last.group().strip("\"'`.,;:()[]*") if last else ""
    if last and _is_announced(kind, value):
        at = start + window.index(value, last.start())
        yield SecretMatch(kind, at, at + len(value))


def _is_announced(kind: str, value: str) -> bool:
    if (
        len(value) < _SHORTEST_BEFORE
        or not is_mixed(value)
        or is_technical_term(value)
        or is_program_text(value)
    ):
        return False
    return kind == "password" or is_generated(value)


def secret_kind_of_name(name: str) -> str | None:
    """Return the kind of secret in a field of this name, such as `api_key` for `openaiApiKey`, or None."""
    lower = next(make_views(name)).lower
    return _kind_at_end(lower) or _kind_at_end(_NAME_END.sub("", lower, count=1))


def _kind_at_end(name: str) -> str | None:
    read = f"{name}:" if name.endswith("pass") else name
    for keyword in KEYWORDS:
        if any(match.end() == len(name) for match in keyword.pattern.finditer(read)):
            return keyword.kind
    return None
