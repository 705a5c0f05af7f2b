"""Decide whether two free texts about the same thing contradict each other. Only clear cases count."""

from __future__ import annotations

from typing import Final

from memories.text.comparison.attributes import are_exclusive, are_values_of_one
from memories.text.comparison.contrast import contrast_readings, find_opposites, sort_readings
from memories.text.comparison.reading import Reading
from memories.text.comparison.words import FUNCTION, lexicon

#: Differences with which both texts may be true: another time, another person, a wish.
_BOTH_MAY_HOLD: Final = frozenset({"tense", "person", "modality", "direction", "order"})
#: Verbs whose opposite denies their whole object.
_VERBS: Final = lexicon.AVERSIONS | lexicon.keys(
    "enable disable on off open close 开启 关闭 开门 关门 allow forbid"
)
#: Verbs that may apply to a thing and to its opposite.
_TAKING: Final = lexicon.keys(
    "like love have want buy use eat drink prefer need wear 喜欢 爱 有 买 用 吃 喝 要 穿"
)
#: A question states nothing.
_ASKING: Final = frozenset({"?", "吗", "是否"})
_WAYS: Final = lexicon.NEGATORS | lexicon.QUANTIFIERS.keys()
#: Words that an affirming text may contain beyond the words of the denying one.
_TIMES: Final = lexicon.keys(
    "day week month year morning evening night much lot still regularly weekend daily 周末 早上 晚上 经常 "
    "一直"
)


def find_contradiction(a: str, b: str) -> str:
    """Return why two texts about one thing cannot both be true.

    The result does not depend on the order of the texts. Uncertain cases give an empty string.

    Returns:
        `negation`: nearly the same words, once affirmed and once denied. `antonym`: the same words except for
            an opposite (likes and hates, enabled and disabled, vegetarian and eats steak). `value`: another
            value of something that has one value (a favourite, a name, a home, an age, a port). Empty if both
            may be true.
    """
    left, right = sort_readings(a, b)
    if a == b or not _ASKING.isdisjoint(left.keys | right.keys):
        return ""
    if are_exclusive(left, right):
        return "antonym"
    found = contrast_readings(left, right)
    if not found or found & _BOTH_MAY_HOLD:
        return ""
    if _is_antonym(left, right, found):
        return "antonym"
    if "negation" in found:
        return "negation" if _is_denial(left, right, found) else ""
    return "value" if are_values_of_one(left, right, found) else ""


def _content(reading: Reading) -> frozenset[str]:
    """Return the keys of the content, without affirmation and negation."""
    return frozenset(
        token.key
        for token in reading.row
        if (token is reading.row[-1] and token.key in lexicon.OPPOSITES)
        or (token.key not in FUNCTION and token.key not in _WAYS)
    )


def _is_antonym(a: Reading, b: Reading, found: frozenset[str]) -> bool:
    if "antonym" not in find_opposites(a, b) or not found <= {"antonym", "negation", "time", "value"}:
        return False
    left, right = _content(a), _content(b)
    if (
        len(left - right) != 1
        or len(right - left) != 1
        or a.past - {"be", "marry"}
        or b.past - {"be", "marry"}
    ):
        return False
    return bool((left ^ right) & _VERBS) or not (left & right & _TAKING)


def _is_denial(a: Reading, b: Reading, found: frozenset[str]) -> bool:
    if not found <= {"negation", "quantity", "antonym"} or (a.past | b.past) - {"be"}:
        return False
    left, right = _content(a), _content(b)
    denies, affirms = (left, right) if _is_negative(a) else (right, left)
    if _is_negative(a) == _is_negative(b) or not denies or denies - affirms:
        return False
    denying, affirming = (a, b) if _is_negative(a) else (b, a)
    exact = {token.key for token in affirming.quantities}
    return not denying.quantifiers and affirms - denies - exact <= _TIMES


def _is_negative(reading: Reading) -> bool:
    return any(each.negative for manners in reading.manners.values() for each in manners)
