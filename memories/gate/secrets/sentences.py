"""Passwords and codes in sentences, at any position.

`context` reads values after an assignment or a verb. This module reads the rest: "I log in with … and …",
"type … when it asks for the password", an answer on the next line, "the gate opens with 1937".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from memories.gate.matches import SecretMatch
from memories.gate.secrets.keywords import is_part_of_other_word
from memories.gate.secrets.values import is_password_like
from memories.gate.view import View
from memories.gate.vocabulary import alternatives

KINDS: Final = ("password", "access_code")


_ASCII_WORD: Final = r"(?<![a-z0-9_])"
_NOUN: Final = re.compile(
    rf"(?:{alternatives('password_nouns')})|{_ASCII_WORD}(?:{alternatives('near_nouns')})(?![a-z0-9_])"
    rf"|(?<=[^\x00-\x7f])(?:login|pw|pass)(?![a-z])"
)
# A token of a sentence. Chinese, Japanese and Korean text ends it, as do quotes, brackets and commas.
_TOKEN: Final = re.compile(
    r"[^\s\"'`,;:<>|()\[\]{}、。，…\u2e80-\u2fff\u3000-\u30ff\u3400-\u9fff\uac00-\ud7af]{6,64}+"
)
_MOST_DISTANCE: Final = 90  # characters on both sides of the keyword
_STRIDE: Final = 45  # least distance in characters between two keywords that are examined
_PROGRAM: Final = re.compile(
    r"\w\(|\w\[|[{}]|;\s{0,2}$|==|!=|=>|->|<[a-z/!]|::"
    r"|\b(?:def|import|return|from \w+ import|select|insert into)\b"
    r"|^\s{0,8}(?:#|//|\*|--|@|\$ )"
    r"|\b(?:error|exception|warning|debug|info|sshd|pid)\b|\\[nrt]|%s|\w=\w|\bhash"
    r"|\d{1,2}:\d{2}:\d{2}",
    re.IGNORECASE,
)
_NAMED: Final = re.compile(
    rf"(?:^|[\s(])(?:{alternatives('names_before')})(?:name)?(?: is|:)? {{0,2}}[\"'`(]?$"
    rf"|(?:{alternatives('named_things')})(?:是|为|叫)?[ :]{{0,2}}$"
)
_ANSWER_WITHIN: Final = 60  # characters on both sides of an answer
_ASKS: Final = re.compile(
    rf"{_ASCII_WORD}(?:{alternatives('asks')})(?![a-z0-9_])|(?:{alternatives('asks_eastern')})"
)
_GIVES: Final = re.compile(
    rf"(?:{_ASCII_WORD}(?:{alternatives('gives')})|(?:{alternatives('gives_eastern')}))"
    rf"(?:[ ](?:just|in|with|the|this|exactly|simply))?[:]?[ ]{{0,2}}[\"'`“]?(?<![a-z0-9])"
)
_CODE_VALUE: Final = (
    r"(?P<code>\d{3}[ -]\d{3}|\d{3,10}[#*]?|\d{1,2}(?:[ /-]\d{1,2}){2,4}[#*]?|[0-9*#]{4,10}"
    r"|\d[0-9a-z]{3,7}(?<=\d))(?![\w.,:/%-]\w|\w)"
)
_LEADS: Final = (
    r"(?:is|was|are|ist|lautet|war|est|c'est|es|era|è|é|jest|to|это|είναι|är|er|on|:|=|->?|は|是|为|就是"
    r"|\?|\.{2,3})"
)
_CODE: Final = re.compile(
    rf"(?:{_ASCII_WORD}(?:{alternatives('code_nouns')})[ -](?:entry |pin |access |unlock )?"
    r"(?:codes?|combination|combo|pins?)(?![a-z])"
    rf"|{_ASCII_WORD}(?:access|entry|unlock|sec(?:urity)?) code(?![a-z])|(?:{alternatives('codes')})"
    rf"|{_ASCII_WORD}(?:code|combination|combo) (?:to|for|of) (?:[\w'-]{{1,15}} ){{0,2}}"
    rf"(?:{alternatives('code_nouns')}|building|house|flat|apartment|office|shed|yard|lobby)(?![a-z])"
    rf"|{_ASCII_WORD}keypad (?:wants|takes|expects|needs))"
    rf"(?:[ ][^\n.!?;:\d]{{0,40}}?)?(?:[ \t]{{0,3}}{_LEADS}|[ ]{{0,2}}\()?"
    rf"(?:[ ](?:now|still|just|currently))?[ \t:]{{0,3}}{_CODE_VALUE}"
)
_OPENED: Final = re.compile(
    rf"{_ASCII_WORD}(?:door|gate|flat|house|alarm|phone|tablet|handy|telefon|safe|lock|locker|garage|building|bell"
    rf"|barrier|apartment|keypad|tür|tor)"
    rf"(?![a-z])[^\n.!?\d]{{0,50}}?(?:with|press|dial|code|type|enter|using|mit|by)"
    rf"(?: (?:the |code |pin |in ){{1,3}})? ?{_CODE_VALUE}"
)


def find_in_sentences(view: View) -> Iterator[SecretMatch]:
    """Yield passwords and codes near a keyword."""
    lower = view.lower
    yield from _codes(lower)
    yield from _answers(view)
    last = -_STRIDE
    for noun in _NOUN.finditer(lower):
        if is_part_of_other_word(lower, noun):
            continue
        if noun.start() < last + _STRIDE and lower.find("\n", last, noun.start()) < 0:
            continue
        start = max(0, noun.start() - _MOST_DISTANCE)
        end = min(len(lower), noun.end() + _MOST_DISTANCE)
        yield from _is_beside_noun(view, start, end, noun)
        last = noun.end()


def _answers(view: View) -> Iterator[SecretMatch]:
    """Yield what somebody is told to give where something asks: "when prompted type …", "… gets you in"."""
    for verb in _GIVES.finditer(view.lower):
        token = _TOKEN.match(view.text, verb.end())
        if token is None:
            continue
        value = token.group().rstrip(".*_!?")
        low, high = max(0, verb.start() - _ANSWER_WITHIN), min(len(view.lower), token.end() + _ANSWER_WITHIN)
        low = view.lower.rfind("\n", low, verb.start()) + 1 or low
        asks = is_password_like(value) and _ASKS.search(view.lower, low, high)
        if asks and not _PROGRAM.search(view.lower, low, high):
            yield SecretMatch("password", token.start(), token.start() + len(token.group().rstrip(".*_")))


def _codes(lower: str) -> Iterator[SecretMatch]:
    for pattern in (_CODE, _OPENED):
        for match in pattern.finditer(lower):
            if not _is_year(match.group("code")):
                yield SecretMatch("access_code", *match.span("code"))


def _is_year(code: str) -> bool:
    return len(code) == 4 and "1950" <= code <= "2049"  # noqa: PLR2004 - a year has four digits


def _is_beside_noun(view: View, start: int, end: int, noun: re.Match[str]) -> Iterator[SecretMatch]:
    low, high = _paragraph(view.lower, noun, start, end)
    if _PROGRAM.search(view.lower, low, high):
        return
    for token in _TOKEN.finditer(view.text, low, high):
        value = token.group().rstrip(".*_").lstrip("*_")
        at = token.start() + token.group().index(value) if value else 0
        if token.end() == high < len(view.text) and view.text[high : high + 1].isalnum():
            continue  # cut off by the window
        if is_password_like(value) and not _NAMED.search(view.lower[max(0, at - 24) : at]):
            yield SecretMatch("password", at, at + len(token.group().lstrip("*_").rstrip(".*_")))


def _paragraph(lower: str, noun: re.Match[str], start: int, end: int) -> tuple[int, int]:
    """Return the line of the keyword, plus the next one if the line ends without an answer."""
    low = lower.rfind("\n", start, noun.start()) + 1 or start
    stop = lower.find("\n", noun.end(), end)
    if stop < 0:
        return low, end
    following = lower.find("\n", stop + 1, end)
    return low, end if following < 0 else following
