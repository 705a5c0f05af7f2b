"""Texts made to be slow to match: long runs of each kind of character, and of what a pattern repeats."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from re import _parser  # type: ignore[attr-defined]  # the parser that `re` itself uses
from typing import Any

#: Units to repeat: each class of character, pairs of classes, and words that many rules search for.
UNITS = (
    *"09一十年aAéß \n\t.,!?。，？'\"“”「()[]{}<>`~@-_/\\:;=+#*%$&|^中我的Ａ１（😀\u0301\u200b\u00ad한ก",
    *("a ", "1 ", "1.", "1-", "a.", "a-", "a@", "a:", "a,", "a, ", "A ", "Aa ", "a'", "a=", "/a", "A.", "1,"),
    *("一 ", "我是", "my ", "I ", "is ", "the ", "and ", "not ", ". ", "? ", "\n ", "\n\n", " \n", "a\n"),
    *("- a\n", "[a", "<a", "(a)", '"a" ', "““", "a_b", "aA", "A1", "中 ", "中a", "，我", "。我", "'s "),
    *(
        "http://a",
        "a@a.",
        "password: ",
        "key=",
        "every ",
        "每天",
        "x9Q#k2!vB7pL0z ",
        "http://a.bc/ ",
        "\u0301\u0323",
    ),
)
REPEATED = 40  # times: exponential time takes hours
_TRIES = 30  # samples of each repeat
_WIDE = 20  # a repeat of at least this many counts as unbounded
_SIGNS = "a1 A中-.,\n_'\"x@:/é!\t"
_CLASSES = {"DIGIT": "1", "WORD": "a", "SPACE": " ", "NOT_WORD": "-", "NOT_SPACE": "a", "NOT_DIGIT": "a"}


def text_of(unit: str, length: int, before: str = "") -> str:
    """Return `before`, then the unit repeated to that length, then a character that nothing matches."""
    return before + (unit * (length // len(unit) + 1))[:length] + "\x01"


def attacks(pattern: re.Pattern[str]) -> list[tuple[str, str]]:
    """Return (before, unit) pairs: all classes of characters, and units that fill each wide repeat.

    `before` is text that leads to the repeat within the pattern.
    """
    found = [("", unit) for unit in UNITS]
    chance = random.Random(7)  # noqa: S311 - the same texts in every run; no secret
    found += _pumps(_parser.parse(pattern.pattern, pattern.flags), "", chance)
    return list(dict.fromkeys(found))


def list_repeated(pattern: re.Pattern[str]) -> list[str]:
    """Return texts that repeat, `REPEATED` times, what a wide repeat of the pattern matches.

    Each repeat gives several, because perhaps only one of its alternatives matches a text in two ways.
    """
    tree = _parser.parse(pattern.pattern, pattern.flags)
    pumps = [pump for seed in range(_TRIES) for pump in _pumps(tree, "", random.Random(seed))]  # noqa: S311 - as above
    return [before + unit * REPEATED + "，\x01" for before, unit in dict.fromkeys(pumps)]


def _pumps(items: Any, before: str, chance: random.Random) -> Iterator[tuple[str, str]]:
    for operator, argument in items:
        inner = _inner(str(operator), argument)
        if str(operator).endswith("_REPEAT") and int(argument[1]) >= _WIDE:
            sample = _sample(argument[2], chance) or "a"
            yield before, sample
            yield "", before + sample * 2
        for part in inner:
            yield from _pumps(part, before, chance)
        before += _sample_one(str(operator), argument, chance)


def _inner(operator: str, argument: Any) -> list[Any]:
    match operator:
        case "BRANCH":
            return list(argument[1])
        case "SUBPATTERN":
            return [argument[3]]
        case "ATOMIC_GROUP":
            return [argument]
        case "ASSERT" | "ASSERT_NOT":
            return [argument[1]]
        case _:
            return [argument[2]] if operator.endswith("_REPEAT") else []


def _sample(items: Any, chance: random.Random) -> str:
    return "".join(_sample_one(str(operator), argument, chance) for operator, argument in items)


def _sample_one(operator: str, argument: Any, chance: random.Random) -> str:
    """Return a string that the item matches, ignoring lookaround."""
    if operator == "LITERAL":
        return chr(argument)
    if operator in {"ANY", "NOT_LITERAL"}:
        return chance.choice("a 1")
    if operator == "IN":
        return _member(argument, chance)
    if operator in {"ASSERT", "ASSERT_NOT"} or not (inner := _inner(operator, argument)):
        return ""
    if operator.endswith("_REPEAT"):
        least, most = int(argument[0]), int(argument[1])
        return "".join(_sample(argument[2], chance) for _ in range(min(most, least + chance.choice((0, 1)))))
    return _sample(chance.choice(inner), chance)


def _member(items: Any, chance: random.Random) -> str:
    if str(items[0][0]) == "NEGATE":
        outside = re.compile(_class(items[1:]))
        return next((sign for sign in chance.sample(_SIGNS, len(_SIGNS)) if not outside.match(sign)), "a")
    kind, value = chance.choice(items)
    if str(kind) == "CATEGORY":
        return _CLASSES.get(str(value).removeprefix("CATEGORY_"), "a")
    return chr(value[0] if str(kind) == "RANGE" else value)


def _class(items: Any) -> str:
    names = {
        "DIGIT": r"\d",
        "WORD": r"\w",
        "SPACE": r"\s",
        "NOT_WORD": r"\W",
        "NOT_SPACE": r"\S",
        "NOT_DIGIT": r"\D",
    }
    written = ""
    for kind, value in items:
        if str(kind) == "CATEGORY":
            written += names[str(value).removeprefix("CATEGORY_")]
        elif str(kind) == "RANGE":
            written += f"{re.escape(chr(value[0]))}-{re.escape(chr(value[1]))}"
        else:
            written += re.escape(chr(value))
    return f"[{written}]"
