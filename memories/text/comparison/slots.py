"""Find the one place in which two otherwise equal texts differ: I like apples, I like bananas."""

from __future__ import annotations

from typing import Final, NamedTuple

from memories.text.comparison.reading import Reading
from memories.text.comparison.words import (
    FUNCTION,
    MINE,
    NAME,
    QUANTITIES,
    SELF,
    Token,
    chinese,
    lexicon,
    words,
)

#: Largest number of tokens of that place in each text.
_WIDEST: Final = 4
#: Words before the verb.
_WAYS: Final = words("to into from 到 从")
_SPEAKERS: Final = frozenset({SELF, "we", "我们"})
_PERSONS: Final = words("we our us they their he his she her it its you your")
_BEFORE_VERB: Final = words(
    "can will would must should have not always usually often sometimes never 会 能 想 要 都 不 没 每天 "
    "经常 总是 一直 在 "
    "最 平时 通常 习惯 每周 已经 正在"
) - {"在"}
#: Words that are similar enough not to separate two texts, but not enough to make them one.
_CLOSE_WORDS: Final = """
    engineer developer programmer coder | job profession occupation work career | intolerance allergy | home
    house place
    | raise grow | dine eat | favourite preferred best favorite preferably | kid baby infant toddler | car
    vehicle
    | surname lastname | doctor gp | begin commence | big huge large | small tiny | happy glad |
    run operate use | 不错 好 | 吃素 素食者 素食 | 上 读 念 | 去 到 |
    程序员 工程师 开发 | 职业 工作 岗位 | 房子 家 | 车 汽车 轿车 |
    小孩 宝宝 | 开心 高兴 | 饭 餐
"""
CLOSE: Final = {
    key: number for number, group in enumerate(_CLOSE_WORDS.split("|")) for key in lexicon.keys(group)
}


def _turns(a: Reading, b: Reading) -> bool:
    """Return whether the only difference is the direction, such as to or from."""
    ahead, behind = _shared(a.row, b.row)
    sides = [[token.key for token in row[ahead : len(row) - behind]] for row in (a.row, b.row)]
    return all(len(side) == 1 and side[0] in _WAYS for side in sides)


class Difference(NamedTuple):
    """The place in which two rows differ.

    Attributes:
        ahead: Shared tokens before it.
        left: Tokens of the first row.
        right: Tokens of the second row.
        behind: Shared tokens after it.
    """

    ahead: tuple[Token, ...]
    left: tuple[Token, ...]
    right: tuple[Token, ...]
    behind: tuple[Token, ...]


def find_difference(a: Reading, b: Reading) -> Difference | None:
    """Return the one place in which two rows differ, or None if they differ otherwise or hardly."""
    ahead, behind = _shared(a.row, b.row)
    left = a.row[ahead : len(a.row) - behind]
    right = b.row[ahead : len(b.row) - behind]
    if (
        not left
        or not right
        or max(len(left), len(right)) > _WIDEST
        or not _has_content(a.row, ahead, behind)
    ):
        return None
    if not all(
        any(token.kind == NAME or token.key not in FUNCTION for token in side) for side in (left, right)
    ):
        return None
    if all(any(token.kind in QUANTITIES for token in side) for side in (left, right)):
        return None
    if _are_rearranged(left, right) or _are_close(left, right):
        return None
    return Difference(a.row[:ahead], left, right, a.row[len(a.row) - behind :])


def find_replacement(a: Reading, b: Reading) -> frozenset[str]:
    """Return `value`, or `name` for names, if two texts differ in one thing only."""
    if _turns(a, b):
        return frozenset({"direction"})
    found = find_difference(a, b)
    if found is None or (_is_verb_place(found.ahead) and not _are_names(found.left, found.right)):
        return frozenset()
    left, right = found.left, found.right
    return frozenset({"name" if _are_names(left, right) else "value"})


def _are_rearranged(left: tuple[Token, ...], right: tuple[Token, ...]) -> bool:
    """Return whether the place holds more than one thing each: another subject, or shared words."""
    mine, theirs = ({token.key for token in side} for side in (left, right))
    return (
        bool(mine & theirs)
        or not chinese.PRONOUNS.isdisjoint(mine | theirs)
        or not _PERSONS.isdisjoint(mine | theirs)
    )


def _shared(left: tuple[Token, ...], right: tuple[Token, ...]) -> tuple[int, int]:
    """Return the number of tokens that two rows share at the beginning and at the end."""
    shorter = min(len(left), len(right))
    ahead = next((place for place in range(shorter) if left[place].key != right[place].key), shorter)
    behind = 0
    while behind < shorter - ahead and left[-1 - behind].key == right[-1 - behind].key:
        behind += 1
    return ahead, behind


def _has_content(row: tuple[Token, ...], ahead: int, behind: int) -> bool:
    rest = [*row[:ahead], *row[len(row) - behind :]]
    return any(token.key not in {SELF, MINE} and token.key not in _BEFORE_VERB for token in rest)


def _is_verb_place(before: tuple[Token, ...]) -> bool:
    return (
        bool(before)
        and all(
            token.key in _SPEAKERS
            or token.key in _BEFORE_VERB
            or token.key in lexicon.QUANTIFIERS
            or token.kind in QUANTITIES
            for token in before
        )
        and any(token.key in _SPEAKERS for token in before)
    )


def _are_names(left: tuple[Token, ...], right: tuple[Token, ...]) -> bool:
    return (
        any(token.kind == NAME for token in left)
        and any(token.kind == NAME or token.spelling[:1].isupper() for token in right)
    ) or (any(token.kind == NAME for token in right) and any(token.spelling[:1].isupper() for token in left))


def _are_close(left: tuple[Token, ...], right: tuple[Token, ...]) -> bool:
    mine, theirs = ({CLOSE[token.key] for token in side if token.key in CLOSE} for side in (left, right))
    if mine & theirs:
        return True
    return {token.key for token in left} < {token.key for token in right} or {
        token.key for token in right
    } < {token.key for token in left}
