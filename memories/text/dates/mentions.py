"""Find the time expressions of a text, resolved against the time at which it was written."""

from __future__ import annotations

import re
from calendar import isleap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from memories.text.dates.spans import Span


class Lean(StrEnum):
    """Whether a bare "March" means the last one or the next one."""

    PAST = "past"
    AHEAD = "ahead"


@dataclass(frozen=True, slots=True)
class Mention:
    """A time expression in a text.

    Attributes:
        start: Offset of its first character.
        end: Offset behind its last character.
        span: The time it denotes.
        relative: Whether it depends on the time of the message ("last week"), so that readers need the date.
        bare: Whether it names a month, season, day or weekday without its year or week ("in May"), so that
            the year is a guess.
    """

    start: int
    end: int
    span: Span
    relative: bool
    bare: bool = False


@dataclass(frozen=True, slots=True)
class Moment:
    """The time of a clause, and how its bare dates are read."""

    at: datetime
    lean: Lean

    def nearest_year(self, month: int, day: int | None = None) -> int:
        """Return the year of the last month of this number, or of the next one, that has such a day."""
        step = 1 if self.lean is Lean.AHEAD else -1
        year = self.at.year + (step if step * (self.at.month - month) > 0 else 0)
        while (month, day) == (2, 29) and not isleap(year):
            year += step
        return year


Resolver = Callable[[re.Match[str], Moment], Span | None]


@dataclass(frozen=True, slots=True)
class TimeRule:
    """A pattern of time expressions in lower case. `relative` and `bare` are as in `Mention`."""

    pattern: re.Pattern[str]
    resolve: Resolver
    relative: bool
    bare: bool = False


def find_time_mentions(text: str, now: Moment, rules: Sequence[TimeRule]) -> list[Mention]:
    """Return the time expressions in a text, in order and without overlaps. Earlier rules take precedence."""
    found: list[Mention] = []
    taken = bytearray(len(text))
    lower = text.lower()
    if len(lower) != len(text):  # a letter of which the lower case is two
        lower = "".join(letter.lower()[:1] for letter in text)
    for mention in _find_all(lower, now, rules):
        if not any(taken[mention.start : mention.end]):
            taken[mention.start : mention.end] = b"\x01" * (mention.end - mention.start)
            found.append(mention)
    return sorted(found, key=lambda mention: mention.start)


def _find_all(text: str, now: Moment, rules: Sequence[TimeRule]) -> Iterator[Mention]:
    for rule in rules:
        for match in rule.pattern.finditer(text):
            try:
                span = rule.resolve(match, now)
            except (ValueError, OverflowError):
                span = None  # 31 February, the year 99999
            if span is not None:
                yield Mention(match.start(), match.end(), span, rule.relative, rule.bare)


def annotate_times(text: str, found: Sequence[Mention], *, chinese: bool) -> str:
    """Return the text with its date after each relative time, so that it can be read later."""
    pieces: list[str] = []
    place = 0
    for mention in found:
        if not mention.relative:
            continue
        date = mention.span.in_chinese() if chinese else mention.span.in_english()
        pieces.append(text[place : mention.end] + (f"（{date}）" if chinese else f" ({date})"))
        place = mention.end
    return "".join(pieces) + text[place:]
