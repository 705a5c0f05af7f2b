"""Time expressions: dates and relative times, resolved against the time of the message."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from memories.extraction.prose.spans import Span


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
        bare: Whether it names a month or day without a year ("in May"), so that the year is a guess.
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


Resolver = Callable[[re.Match[str], Moment], Span | None]


@dataclass(frozen=True, slots=True)
class TimeRule:
    """A pattern of time expressions. `relative` and `bare` are as in `Mention`."""

    pattern: re.Pattern[str]
    resolve: Resolver
    relative: bool
    bare: bool = False


def find_time_mentions(text: str, now: Moment, rules: Sequence[TimeRule]) -> list[Mention]:
    """Return the time expressions in a text, in order and without overlaps. Earlier rules take precedence."""
    found: list[Mention] = []
    for mention in _all(text, now, rules):
        if all(mention.end <= other.start or mention.start >= other.end for other in found):
            found.append(mention)
    return sorted(found, key=lambda mention: mention.start)


def _all(text: str, now: Moment, rules: Sequence[TimeRule]) -> Iterator[Mention]:
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
