"""Identifiers that consist of digits, recognised by their groups and check digits."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import pairwise
from typing import Final

from memories.gate.identifiers.bank_numbers import is_published_for_tests
from memories.gate.identifiers.number_shapes import CARD_ANNOUNCED, SHAPES, Shape
from memories.gate.matches import SecretMatch

KINDS: Final = tuple({shape.kind for shape in SHAPES})

_BEFORE: Final = 60  # characters before the number that may contain the keyword
_AFTER: Final = 30
_BY_FIRST: Final = {
    length: tuple(shape for shape in SHAPES if shape.groups[0] == length)
    for length in {shape.groups[0] for shape in SHAPES}
}
# Between two groups: one separator, optionally with spaces.
_BETWEEN: Final = r"(?: ?[./,_|\n-] ?| {1,2})"
# Groups of digits, one of which may end in the X of a Chinese id, not after a plus, letter or point.
_GROUPED: Final = r"\d++[Xx]?(?![A-Za-z0-9])"
_RUN: Final = re.compile(
    rf"(?:(?<![A-Za-z0-9+])|(?<=[Vv]isa)|(?<=[Cc]ard))(?<!\d[.,]){_GROUPED}(?:{_BETWEEN}{_GROUPED})*+"
)
_TESTS: Final = re.compile(
    r"\b(?:test|testing|tests|sandbox|stripe|adyen|braintree|example|sample|demo|dummy|fake|mock|fixture)\b|测试|示例|沙箱"
)
_ENDS_A_NUMBER: Final = frozenset(" ,\n|/")
_SHORTEST: Final = min(sum(shape.groups) for shape in SHAPES)
_GROUP: Final = re.compile(r"\d+[Xx]?")

Groups = Sequence[re.Match[str]]
#: Whether the text matches an announcement.
Occurs = Callable[[re.Pattern[str]], bool]


def find_numbers(text: str, lower: str) -> Iterator[SecretMatch]:
    """Yield cards and national ids in digits, trying every part of a run of groups that has a known form."""

    @cache
    def occurs(announcement: re.Pattern[str]) -> bool:
        return announcement.search(lower) is not None

    for run in _RUN.finditer(text):
        if run.end() - run.start() < _SHORTEST:
            continue
        groups = list(_GROUP.finditer(text, run.start(), run.end()))
        lengths = tuple(map(_length, groups))
        at = 0
        while at < len(groups):
            shape = _shape_at(text, lower, groups, lengths, at, occurs)
            if shape is None:
                at += 1
                continue
            last = at + len(shape.groups) - 1
            if not _is_for_tests(text, lower, groups[at : last + 1], shape):
                yield SecretMatch(shape.kind, groups[at].start(), groups[last].end())
            at = last + 1


def _is_for_tests(text: str, lower: str, taken: Groups, shape: Shape) -> bool:
    """Return whether a card's number is published for tests, and the text speaks of these."""
    start, end = taken[0].start(), taken[-1].end()
    if shape.kind != "card_number" or not is_published_for_tests(re.sub(r"\D", "", text[start:end])):
        return False
    return _TESTS.search(lower, max(0, start - _BEFORE), end + _AFTER) is not None


def _shape_at(
    text: str, lower: str, groups: Groups, lengths: tuple[int, ...], at: int, occurs: Occurs
) -> Shape | None:
    for shape in _BY_FIRST.get(lengths[at], ()):
        if lengths[at : at + len(shape.groups)] != shape.groups:
            continue
        if shape.announcement is not None and not occurs(shape.announcement):
            continue
        taken = groups[at : at + len(shape.groups)]
        if not _holds(text, taken, shape):
            continue
        if shape.announcement is None and not _continues(text, groups, at, shape):
            return shape
        announced = shape.announcement or (CARD_ANNOUNCED if shape.kind == "card_number" else None)
        if announced and announced.search(
            lower, max(0, taken[0].start() - _BEFORE), taken[-1].end() + _AFTER
        ):
            return shape
    return None


def _length(group: re.Match[str]) -> int:
    return group.end() - group.start()


def _holds(text: str, taken: Groups, shape: Shape) -> bool:
    marks = [text[left.end() : right.start()].strip(" ") or " " for left, right in pairwise(taken)]
    if shape.exact:
        separated = "".join(marks) == shape.separators
    else:
        separated = not marks or (marks[0] in shape.separators and marks.count(marks[0]) == len(marks))
    if not separated:
        return False
    number = "".join([group.group() for group in taken])
    return (number.isdigit() or shape.kind == "chinese_id") and shape.valid(number)


def _continues(text: str, groups: Groups, at: int, shape: Shape) -> bool:
    """Return whether the match is part of a longer number.

    That is the case if a mark such as a dash or point joins it to the next group, or if it consists of
    several groups and a space joins it to a group of the same length.
    """
    last = at + len(shape.groups) - 1
    if at > 0 and _joined(text, groups[at - 1], groups[at], shape, _length(groups[at - 1])):
        return True
    return last + 1 < len(groups) and _joined(
        text, groups[last], groups[last + 1], shape, _length(groups[last + 1])
    )


def _joined(text: str, left: re.Match[str], right: re.Match[str], shape: Shape, outside: int) -> bool:
    """Return whether two neighbouring groups belong to one number.

    `outside` is the length of the group that is not part of the match.
    """
    separator = text[left.end() : right.start()]
    mark = separator.strip(" ") or " "
    if mark == " ":
        return len(shape.groups) > 1 and outside in (shape.groups[0], shape.groups[-1])
    return mark not in _ENDS_A_NUMBER
