"""Numbers, versions, dates and times in a folded text, each with a key independent of its spelling."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from memories.text import dates
from memories.text.comparison.words import numerals

NUMBER: Final = "number"
DATE: Final = "date"
TIME: Final = "time"


@dataclass(frozen=True, slots=True)
class Quantity:
    """One exact detail of a text.

    Attributes:
        kind: `number`, `version`, `date` or `time`.
        key: Value: `1000`, `2.10`, `2024-03-05` with `*` for parts that are not given, or `09:30`.
        unit: Canonical unit, or empty.
        end: Its end in the text.
    """

    kind: str
    key: str
    unit: str
    end: int


_VERSION: Final = (
    r"v?\d{1,9}(?:\.\d{1,9}){2,6}(?:-(?:alpha|beta|rc)[.\d]{0,9})?(?![\d])|v\d{1,9}(?:\.\d{1,9})?(?!\w)"
)
_PHONE: Final = r"\+\d(?:[ ()-]{0,2}\d){6,16}(?!\d)|\(?\d{3}\)?[ -]?\d{3,4}-\d{4}(?![\w-])"
_YEAR: Final = r"(?:(?<=\b(?:in|by|of) )|(?<=\bsince )|(?<=\buntil ))(?:19|20)\d\d(?![\w,:/-]|\.\d)"
_FROM_DIGIT: Final = re.compile(
    rf"(?P<year>{_YEAR})|(?P<version>{_VERSION})|(?P<time>{dates.NUMERIC_TIME})"
    rf"|(?P<date>{dates.NUMERIC_DATE})|(?P<phone>{_PHONE})"
    r"|(?P<number>[-\u2212]?(?P<currency>[$€£¥]\s?)?(?P<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\d)|\d+(?:\.\d+)?)"
    r"(?P<power>\s?(?:million|billion|thousand)\b|[万亿千百]|[kK](?![\w.]))?[多余]?"
    rf"(?:[\s-]?(?P<unit>{numerals.UNIT}))?(?P<rest>(?<=米)\d{{1,2}}|(?<=块)\d)?(?P<th>st|nd|rd|th)?"
    r"(?:(?<=[^\x00-\x7f])|(?![A-Za-z0-9_])))",
    re.IGNORECASE,
)
_FROM_PERCENT: Final = re.compile(r"百分之(\d+(?:\.\d+)?)")
_NUMBER_WORDS: Final = "|".join(sorted(numerals.WORD_VALUES, key=len, reverse=True))
_FROM_WORD: Final = re.compile(
    rf"(?P<date>{dates.NAMED_DATE}|{dates.RELATIVE})|(?P<weekday>{dates.match_any(dates.WEEKDAY_KEYS)})\b|(?P<month>{dates.match_any(dates.MONTHS)})\b|(?P<noon>noon|midday|midnight)\b"
    r"|(?P<times>twice|thrice|once(?=\s(?:a|per|every|each|daily|weekly)))\b"
    rf"|(?P<words>(?:{_NUMBER_WORDS})(?:(?:\s|-|\sand\s)(?:{_NUMBER_WORDS})){{0,8}})\b(?:[\s-](?P<unit>{numerals.UNIT}))?",
    re.IGNORECASE,
)
_FROM_CHARACTER: Final = re.compile(
    rf"(?P<time>{dates.ZH_TIME})|(?P<relative>{dates.ZH_RELATIVE})|(?P<day>{dates.ZH_DAY})"
)
_ENDS: Final = frozenset(".!?")
#: Letters of the longest abbreviation of a weekday.
_ABBREVIATED: Final = 5
_TIMES: Final = {"once": "1", "twice": "2", "thrice": "3"}
#: Words and characters at which a quantity may begin.
LEADING_WORDS: Final = frozenset(
    {
        *dates.MONTHS,
        *dates.WEEKDAY_KEYS,
        *numerals.WORD_VALUES,
        "yesterday",
        "today",
        "tonight",
        "tomorrow",
        "last",
        "next",
        "this",
    }
    | {"noon", "midday", "midnight", *_TIMES}
)
LEADING_CHARACTERS: Final = frozenset("昨今明前后去上下本这周星礼凌清早中傍晚夜半每百")


def from_digit(text: str, place: int) -> Quantity | None:
    """Return the quantity whose first digit, sign or currency is at `place`; None if it is part of a name."""
    match = _FROM_DIGIT.match(text, place)
    if match is None:
        return None
    spelling = match.group()
    if match["version"]:
        return Quantity("version", spelling.lower().lstrip("v"), "", match.end())
    if match["time"]:
        return Quantity(TIME, dates.make_time_key(spelling), "", match.end())
    if match["year"] or match["date"]:
        key = f"{spelling}-*-*" if match["year"] else dates.make_date_key(spelling)
        return Quantity(DATE, key, "", match.end())
    if match["phone"]:
        return Quantity(NUMBER, "".join(filter(str.isdigit, spelling)), "phone", match.end())
    return _number(match)


def _number(match: re.Match[str]) -> Quantity:
    spelling = match.group()
    unit = (
        numerals.ORDINAL if match["th"] else numerals.canonical_unit(match["unit"] or match["currency"] or "")
    )
    digits = match["digits"] + (f".{match['rest']}" if match["rest"] else "")
    key = numerals.plain(digits, match["power"] or "", exact=not unit)
    return Quantity(NUMBER, f"-{key}" if spelling[0] in "-\u2212" else key, unit, match.end())


def from_word(text: str, place: int) -> Quantity | None:
    """Return the quantity whose first word is at `place`."""
    match = _FROM_WORD.match(text, place)
    if match is None:
        return None
    spelling = match.group()
    if match["words"]:
        return _worded(match)
    if match["times"]:
        return Quantity(NUMBER, _TIMES[spelling.lower()], "times", match.end())
    if match["noon"]:
        return Quantity(TIME, dates.make_time_key(spelling), "", match.end())
    key = dates.make_date_key(spelling) if match["date"] else _named_date(match)
    return Quantity(DATE, key, "", match.end()) if key else None


def _named_date(match: re.Match[str]) -> str:
    """Return the key of a lone weekday or month; empty if it may be another word: sun, may, a march."""
    word = match.group()
    if match["weekday"]:
        return dates.WEEKDAY_KEYS[word.lower()] if len(word) > _ABBREVIATED or word[0].isupper() else ""
    opens = match.start() == 0 or match.string[match.start() - 2 : match.start() - 1] in _ENDS
    return "" if opens or not word[0].isupper() or word.isupper() else f"*-{dates.MONTHS[word.lower()]:02}-*"


def _worded(match: re.Match[str]) -> Quantity | None:
    words = [word for word in re.split(r"[\s-]+", match["words"].lower()) if word != "and"]
    if words == ["one"]:
        return None
    ordinal = numerals.is_ordinal(words[-1])
    unit = numerals.ORDINAL if ordinal else numerals.canonical_unit(match["unit"] or "")
    return Quantity(NUMBER, numerals.worded(words), unit, match.end())


def from_character(text: str, place: int) -> Quantity | None:
    """Return the quantity whose first Chinese character is at `place`."""
    percent = _FROM_PERCENT.match(text, place)
    if percent:
        return Quantity(NUMBER, numerals.plain(percent[1], exact=False), "%", percent.end())
    match = _FROM_CHARACTER.match(text, place)
    if match is None:
        return None
    if match["time"]:
        return Quantity(TIME, dates.make_time_key(match.group()), "", match.end())
    return Quantity(DATE, dates.make_date_key(match.group()), "", match.end())
