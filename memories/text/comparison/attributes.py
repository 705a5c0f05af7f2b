"""Single-valued attributes and mutually exclusive statements in free texts, without their triples."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from memories.text.comparison.reading import Reading
from memories.text.comparison.slots import Difference, find_difference
from memories.text.comparison.words import (
    ATTRIBUTES,
    NAME,
    ONE_PLACE_ZH,
    QUANTITIES,
    Token,
    keys,
    unmatched,
    words,
)

_PEOPLE: Final = keys(
    "wife husband boss mother father landlord manager spouse fiance fiancee girlfriend boyfriend"
)
_FAVOURITES: Final = keys("favourite")
_LIKING: Final = frozenset({"喜欢", "爱"})
#: Common places. One of them says nothing about where else a person is.
_ANYWHERE: Final = keys(
    "home work school office house hospital university company flat remote night day daytime weekend 晚上 "
    "早上 白天 夜里 周末 家 家里 公司 学校 办公室 医院 大学 外面 线上"
)
#: Verb and preposition after which there is one value at a time.
_ENGLISH_VERBS: Final = frozenset(
    {
        ("live", "in"),
        ("work", "at"),
        ("bear", "in"),
        ("born", "in"),
        ("base", "in"),
        ("come", "from"),
        ("listen", "on"),
    }
)
_STATIVE: Final = words(
    "listen leave depart arrive begin weigh cost have last take start end open close expire use live run "
    "close "
    "是 在 岁 端口 版本 体重 身高 监听 生日 截止日期 价格 房租 工资 有 叫 高 重 需要 用 使用 到期 养"
)
_EVENTS: Final = words("了 过 去 跑 买 看 吃 喝 went run buy")
_DISTRICTS: Final = words("区 县 镇 村 路 街 街道")
_WEEKDAYS: Final = words("mon tue wed thu fri sat sun")
_COUNTRIES: Final = words(
    "germany france spain italy china japan usa uk england britain india canada australia brazil mexico "
    "sweden norway austria "
    "switzerland poland portugal netherlands korea russia europe asia america africa bavaria california "
    "texas "
    "中国 美国 英国 法国 德国 日本 韩国 意大利 西班牙 加拿大 澳大利亚 俄罗斯 印度 泰国 新加坡 欧洲 亚洲 "
    "广东 浙江 江苏 四川 湖北 湖南 山东 河南 河北 福建"
)
_MEAT: Final = keys(
    "meat steak beef pork chicken lamb bacon sausage burger ham turkey 肉 牛肉 猪肉 羊肉 鸡肉 牛排 烤肉 "
    "培根 火腿 排骨"
)
_EATING: Final = keys("eat like love enjoy grill cook have 吃 喜欢 爱")
_WITHOUT_MEAT: Final = keys("vegetarian vegan veggie 吃素 素食 素食者")


def are_exclusive(a: Reading, b: Reading) -> bool:
    """Return whether one text says that a person eats no meat and the other that they eat some."""
    return _no_meat(a, b) or _no_meat(b, a)


def _no_meat(diet: Reading, meal: Reading) -> bool:
    claims = [each for key in _WITHOUT_MEAT for each in diet.manners.get(key, ())]
    if not claims or not _EATING & meal.keys:
        return False
    meals = [each for key in _MEAT for each in meal.manners.get(key, ())]
    return any(
        not any((claim.negative, claim.former, claim.mood, eaten.negative, eaten.former, eaten.mood))
        and claim.subject == eaten.subject != ""
        for claim in claims
        for eaten in meals
    )


def are_values_of_one(a: Reading, b: Reading, found: frozenset[str]) -> bool:
    """Return whether the texts give two values to something that has one value at a time.

    Args:
        a: First text.
        b: Second text.
        found: Differences of the two texts, from `contrast`.
    """
    if found <= QUANTITIES and _one_measure(a, b):
        return True
    if found <= {"value", "name", "antonym", "time", "date"}:
        return _one_place(a, b)
    return False


def _one_measure(a: Reading, b: Reading) -> bool:
    left, right = unmatched(a.quantities, b.quantities)
    if len(left) != 1 or len(right) != 1 or left[0].kind != right[0].kind or _without(a) != _without(b):
        return False
    if left[0].unit != right[0].unit or a.past or b.past:
        return False
    if left[0].key in _WEEKDAYS:
        return "be" in a.present and "be" in b.present
    stative = "be" in a.present or bool(_STATIVE & a.keys) or left[0].unit == "岁" or _is_of_things(a)
    return stative and not _EVENTS & (a.keys - _STATIVE)


def _is_of_things(reading: Reading) -> bool:
    """Return whether the text is about things, not persons: a tank holds, a limit is."""
    return (
        not any(each.subject for manners in reading.manners.values() for each in manners) and not reading.past
    )


def _without(reading: Reading) -> list[str]:
    return [token.key for token in reading.row if token.kind not in QUANTITIES]


def _one_place(a: Reading, b: Reading) -> bool:
    found = find_difference(a, b)
    if found is None or a.past - {"be", "bear"} or b.past - {"be", "bear"}:
        return False
    if not _is_alike(found.left, found.right):
        return False
    keys_ahead = [token.key for token in found.ahead]
    return bool(keys_ahead) and _names_one(keys_ahead, found, copula="be" in a.present and "be" in b.present)


def _is_alike(left: tuple[Token, ...], right: tuple[Token, ...]) -> bool:
    """Return whether two values are of the same type, such as two names or two words.

    A city and its country, or a city and a house, are not.
    """
    mine, theirs = ({token.key for token in side} for side in (left, right))
    for kind in (_COUNTRIES, _ANYWHERE):
        if bool(mine & kind) or bool(theirs & kind):
            return bool(mine & kind) and bool(theirs & kind) and kind is _COUNTRIES
    if (left[-1].key in _DISTRICTS) != (right[-1].key in _DISTRICTS) or any(t.one for t in left) != any(
        t.one for t in right
    ):
        return False
    return _are_named(left) == _are_named(right)


def _are_named(tokens: tuple[Token, ...]) -> bool:
    return any(token.kind == NAME for token in tokens)


def _names_one(ahead: list[str], found: Difference, *, copula: bool) -> bool:
    last = ahead[-1]
    if tuple(ahead[-2:]) in _ENGLISH_VERBS or last in ONE_PLACE_ZH or "叫" in ahead[-3:]:
        return True
    if last == "在":
        behind = [token.key for token in found.behind]
        return ahead[-2:-1] == ["出生"] or behind in (["工作"], ["上学"], ["读书"], ["生活"])
    if last == "是":
        return bool(ATTRIBUTES & set(ahead[:-1])) or ("最" in ahead and not _LIKING.isdisjoint(ahead))
    if not copula and not found.left[0].chinese:
        return last == "name"
    if last in _PEOPLE:
        return _are_named(found.left)
    return (
        last in ATTRIBUTES
        or any(key in ATTRIBUTES and after == "of" for key, after in pairwise(ahead))
        or not _FAVOURITES.isdisjoint(ahead[-3:-1])
    )
