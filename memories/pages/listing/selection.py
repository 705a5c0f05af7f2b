"""Parse which memories an act is for: the ticked ones, or all that the list's filters match."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from django.http import QueryDict
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from memories.pages.listing.list_query import ListQuery
from memories.storage import MemoryFilter, list_memories
from memsite.errors import InvalidInput
from memsite.values import parse_id

#: The most memories that one act changes: some seconds of one process.
MOST_SELECTED: Final = 20_000


@dataclass(frozen=True, slots=True)
class Selection:
    """The memories that an act is for.

    Attributes:
        ids: The ticked ones. Unused if `query` is given.
        query: The list whose every memory is chosen, or None.
        listed_at: When the person saw that list; memories written later are not chosen. Given with `query`.
    """

    ids: tuple[UUID, ...] = ()
    query: ListQuery | None = None
    listed_at: datetime | None = None

    @classmethod
    def of(cls, posted: QueryDict) -> Selection:
        """Parse a posted form: `only`, a single id; `all` with `filter` and `listed_at`; or `ids`.

        Raises:
            InvalidInput: If nothing is chosen.
        """
        if posted.get("all") and not posted.get("only"):
            listed_at = _parse_moment(posted.get("listed_at", "")) or timezone.now()
            query = ListQuery.of(QueryDict(posted.get("filter", "").removeprefix("?")))
            return cls(query=query, listed_at=listed_at)
        only = posted.get("only", "")
        given = [only] if only else posted.getlist("ids")
        ids = tuple(dict.fromkeys(found for text in given if (found := parse_id(text))))
        if not ids:
            raise InvalidInput("Choose one memory at least.", {"ids": "none"})
        return cls(ids[:MOST_SELECTED])

    def list_ids(self, *, owner: UUID, filters: MemoryFilter | None = None) -> list[UUID]:
        """Return the ids, oldest first where all of a list are chosen; at most `MOST_SELECTED`.

        Args:
            owner: The owner.
            filters: The filter of "all", if it is not the list's own.
        """
        if self.query is None:
            return list(self.ids)
        rows = list_memories(filters or self.query.whole_filter(), owner=owner)
        rows = rows.filter(created_at__lte=self.listed_at)
        return list(rows.order_by("id").values_list("id", flat=True)[:MOST_SELECTED])


def _parse_moment(text: str) -> datetime | None:
    try:
        moment = parse_datetime(text)
    except ValueError:
        return None
    return moment if moment is not None and timezone.is_aware(moment) else None
