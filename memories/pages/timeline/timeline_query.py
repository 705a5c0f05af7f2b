"""Parse what a person requests of the timeline from the URL. Invalid values are ignored."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Final
from urllib.parse import urlencode

from django.http import QueryDict

from memories.pages.listing.list_query import begin_of, parse_day, parse_text
from memories.storage import Clock, SlotFilter, SlotSummary
from memories.text import OWNER, make_name_key

#: How a page names its owner, and how memories name them, in lower case.
_OWNER_ON_PAGES: Final = frozenset({"you", "您", "你"})
_OWNER_SUBJECTS: Final = ("user", "the user", "i", "me", "用户", "我")
_SLOT: Final = re.compile(r"[0-9a-f]{32}")


@dataclass(frozen=True, slots=True)
class TimelineQuery:
    """A request of the timeline.

    Attributes:
        clock: Which time the lanes follow.
        subject: Text that the subject contains.
        words: Text that the predicate or a value contains.
        since: The first day.
        until: The last day, included.
        lane: The digest of the only slot to show.
        after: The last lane of the page before.
    """

    clock: Clock = Clock.WORLD
    subject: str = ""
    words: str = ""
    since: date | None = None
    until: date | None = None
    lane: str = ""
    after: SlotSummary | None = None

    @classmethod
    def of(cls, query: QueryDict) -> TimelineQuery:
        """Parse a query string; invalid values become the defaults."""
        lane = query.get("lane", "")
        return cls(
            clock=Clock.BELIEF if query.get("clock") == Clock.BELIEF.value else Clock.WORLD,
            subject=parse_text(query.get("subject", "")),
            words=parse_text(query.get("q", "")),
            since=parse_day(query.get("since", "")),
            until=parse_day(query.get("until", "")),
            lane=lane if _SLOT.fullmatch(lane) else "",
            after=_parse_cursor(query.get("cursor", "")),
        )

    def filter(self) -> SlotFilter:
        """Return the filter of the lanes."""
        is_owner = self.subject.casefold() in _OWNER_ON_PAGES or (
            bool(self.subject) and make_name_key(self.subject) == OWNER
        )
        return SlotFilter(
            slot=self.lane,
            subject=self.subject,
            subjects=_OWNER_SUBJECTS if is_owner else (),
            words=self.words,
            since=self.begins,
            until=self.ends,
        )

    @property
    def begins(self) -> datetime | None:
        """The first moment of the first day."""
        return begin_of(self.since)

    @property
    def ends(self) -> datetime | None:
        """The first moment after the last day."""
        return begin_of(self.until, days_later=1)

    @property
    def is_narrowed(self) -> bool:
        """Whether anything except the clock was requested."""
        return bool(self.subject or self.words or self.since or self.until or self.lane)

    def as_query(self) -> str:
        """Return the query string of the first page, without default values."""
        given = [
            ("clock", self.clock.value if self.clock is not Clock.WORLD else ""),
            ("subject", self.subject),
            ("q", self.words),
            ("since", str(self.since or "")),
            ("until", str(self.until or "")),
            ("lane", self.lane),
        ]
        listed = [(name, value) for name, value in given if value]
        return f"?{urlencode(listed)}" if listed else ""

    def changed(self, **fields: object) -> str:
        """Return the query string of this timeline with some fields changed; "?" if all are the defaults."""
        return replace(self, after=None, **fields).as_query() or "?"  # type: ignore[arg-type]  # fields of ours

    def next_page(self, last: SlotSummary) -> str:
        """Return the query string of the page after this lane."""
        cursor = urlencode({"cursor": f"{int(last.is_changed)}_{last.latest.isoformat()}_{last.slot}"})
        query = replace(self, after=None).as_query()
        return f"{query}&{cursor}" if query else f"?{cursor}"


def _parse_cursor(text: str) -> SlotSummary | None:
    changed, _first, rest = text.partition("_")
    moment, _second, slot = rest.partition("_")
    try:
        latest = datetime.fromisoformat(moment)
    except ValueError:
        return None
    if not _SLOT.fullmatch(slot) or latest.tzinfo is None:
        return None
    return SlotSummary(is_changed=changed == "1", latest=latest, slot=slot, count=0)
