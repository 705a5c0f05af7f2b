"""Find texts with the same words in another order: who does what to whom, and what comes first."""

from __future__ import annotations

from typing import Final

from memories.text.comparison.reading import Reading
from memories.text.comparison.words import MINE, NAME, QUANTITIES, SELF, Token, english, lexicon, words

#: Words that join without a direction: the things around them may change places.
_JOINING: Final = words("and or with & plus name 和 与 跟 及 或 以及 还有 或者 同 是 叫 的 了 也 都")
#: Words between two things that give each its role.
_RELATING: Final = words(
    "to from over than before after then above below behind under into onto until against better more less "
    "到 比 胜过 再 然后 之前 之后 以前 以后 前 后 至 向 给 高于 低于 优于 不如 更 更喜欢 多于 而不是 接着 "
    "先"
)
_SEQUENCE: Final = words("then after before first finally 再 然后 之后 之前 先 接着 后 前")
#: Words that may occur in either member.
_FROM_TO: Final = words("to from into onto 到 至 向 给")
_PLACELESS: Final = frozenset({SELF, MINE, "we", "我们", "also", "then", "first", "先", "再", "然后"})
_MOST: Final = 48
_MOST_DISTANCE: Final = 8


def find_reversal(a: Reading, b: Reading) -> str:
    """Return `direction` or `order` if two texts have the same things in reverse around the same word."""
    if a.row == b.row:
        return ""
    left, right = a.places, b.places
    both = [key for key in left if key in right]
    there = [right[key] for key in both]
    if there == sorted(there):
        return ""
    if len(both) > _MOST:
        return "order"
    same_bag = a.bag == b.bag
    for number, first in enumerate(both):
        for second in both[number + 1 : number + 1 + _MOST_DISTANCE]:
            if right[first] > right[second]:
                kind = _around(
                    a, b, (left[first], left[second]), (right[second], right[first]), same_bag=same_bag
                )
                if kind and a.passive == b.passive:
                    return kind
    return ""


def takes_turns(a: Reading, b: Reading) -> bool:
    """Return whether two persons occur in opposite orders: I gave Ben, Ben got from me."""
    left, right = a.places, b.places
    people = [
        key
        for key in left
        if key in right and key != MINE and (_is_person(a.row[left[key]]) or _is_person(b.row[right[key]]))
    ][:_MOST]
    there = [right[key] for key in people]
    return there != sorted(there)


def _around(a: Reading, b: Reading, in_a: tuple[int, int], in_b: tuple[int, int], *, same_bag: bool) -> str:
    one, other = a.row[in_a[0]], a.row[in_a[1]]
    if _are_members(a, b, one.key, other.key, same_bag=same_bag):
        return "order" if _is_in_sequence(a, b) else ""
    between = {token.key for token in a.row[in_a[0] + 1 : in_a[1]]} & {
        token.key for token in b.row[in_b[0] + 1 : in_b[1]]
    }
    between -= _JOINING
    if not between:
        return ""
    if one.kind in QUANTITIES or other.kind in QUANTITIES:
        return "number" if one.kind == other.kind and same_bag and one.kind in QUANTITIES else ""
    if between & _RELATING and not _is_light(one) and not _is_light(other):
        return "direction" if between & _FROM_TO else "order"
    if all(_is_person(a.row[x]) or _is_person(b.row[y]) for x, y in ((in_a[0], in_b[1]), (in_a[1], in_b[0]))):
        return "direction"
    return "direction" if same_bag and not _is_light(one) and not _is_light(other) else ""


def _are_members(a: Reading, b: Reading, one: str, other: str, *, same_bag: bool) -> bool:
    """Return whether both texts treat two things separately and equally.

    Example: a Mac at work and Linux at home.
    """
    if a.segments[one] == a.segments[other] or b.segments[one] == b.segments[other]:
        return False
    return not same_bag or _stretches(a) == _stretches(b)


def _stretches(reading: Reading) -> set[frozenset[str]]:
    found: dict[int, set[str]] = {}
    for key, number in reading.segments.items():
        if key in reading.content and key not in _PLACELESS:
            found.setdefault(number, set()).add(key)
    return {frozenset(keys) for keys in found.values() if keys}


def _is_in_sequence(a: Reading, b: Reading) -> bool:
    return not _SEQUENCE.isdisjoint(a.keys & b.keys)


def _is_light(token: Token) -> bool:
    return (
        token.key in _RELATING
        or token.key in _JOINING
        or token.key in lexicon.QUANTIFIERS
        or token.key in english.FILLERS
    )


def _is_person(token: Token) -> bool:
    return (
        token.key in {SELF, MINE}
        or token.kind == NAME
        or token.key in lexicon.KIN
        or token.key in english.THIRD
    )
