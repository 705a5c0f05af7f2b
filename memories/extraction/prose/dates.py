"""When a clause speaks of: dates and relative times resolved against the moment it was said."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from memories.extraction.prose.spans import Span


class Lean(StrEnum):
    """Which way a bare "March" is read: the last one, or the next."""

    PAST = "past"
    AHEAD = "ahead"


@dataclass(frozen=True, slots=True)
class Mention:
    """A time named in a text, between the offsets `start` and `end`.

    span: what it denotes; relative: it depends on when it was said ("last week"), so that a reader needs it
    resolved; bare: it names a month or a day without its year ("in May"), and which one is a guess.
    """

    start: int
    end: int
    span: Span
    relative: bool
    bare: bool = False


@dataclass(frozen=True, slots=True)
class Moment:
    """When a clause was said, and which way its bare dates are read."""

    at: datetime
    lean: Lean


Resolver = Callable[[re.Match[str], Moment], Span | None]


@dataclass(frozen=True, slots=True)
class TimeRule:
    """One way of naming a time. `relative` and `bare` as in Mention."""

    pattern: re.Pattern[str]
    resolve: Resolver
    relative: bool
    bare: bool = False


def mentions(text: str, now: Moment, rules: Sequence[TimeRule]) -> list[Mention]:
    """The times named in `text`, in order, none inside another; earlier rules win over later ones."""
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
                span = None  # the 31st of February, the year 99999
            if span is not None:
                yield Mention(match.start(), match.end(), span, rule.relative, rule.bare)


def annotated(text: str, found: Sequence[Mention], *, chinese: bool) -> str:
    """`text` with each relative time followed by its date, so that it still holds when read later."""
    pieces: list[str] = []
    place = 0
    for mention in found:
        if not mention.relative:
            continue
        date = mention.span.in_chinese() if chinese else mention.span.in_english()
        pieces.append(text[place : mention.end] + (f"（{date}）" if chinese else f" ({date})"))
        place = mention.end
    return "".join(pieces) + text[place:]
