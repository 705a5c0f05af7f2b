"""Parse which graph a person asks for, from the address of the page."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from datetime import UTC, date, datetime, time
from functools import lru_cache
from typing import Any, Final
from uuid import UUID

from django.http import QueryDict
from django.utils import timezone
from django.utils.dateparse import parse_date
from django.utils.http import urlencode

from memories import ports
from memories.storage import GraphTime

_LONGEST: Final = 255


@dataclass(frozen=True, slots=True)
class GraphQuery:
    """The graph that the page shows.

    Attributes:
        entity: A name or an id; empty for the entity with most relations.
        hops: The number of rings, 1 or 2.
        as_of: The day at whose end the relations were true; None for now.
        believed_at: The day at whose end they were believed; None for now.
        predicate: Only the relations with this predicate; "" for what is only mentioned together, None for
            all.
    """

    entity: str = ""
    hops: int = 1
    as_of: date | None = None
    believed_at: date | None = None
    predicate: str | None = None

    @classmethod
    def parse(cls, given: QueryDict) -> GraphQuery:
        """Return the query of an address. Values that cannot be read are left out."""
        return cls(
            entity=given.get("entity", "").replace("\0", "").strip()[:_LONGEST],
            hops=2 if given.get("hops") == "2" else 1,
            as_of=_parse_day(given.get("as_of", "")),
            believed_at=_parse_day(given.get("believed_at", "")),
            predicate=_parse_predicate(given.get("predicate")),
        )

    @property
    def is_past(self) -> bool:
        """Whether the query asks for another time than now."""
        return self.as_of is not None or self.believed_at is not None

    @property
    def one_ring(self) -> str:
        """The query string of the same graph with one ring."""
        return self.changed(hops=1)

    @property
    def two_rings(self) -> str:
        """The query string of the same graph with two rings."""
        return self.changed(hops=2)

    @property
    def all_predicates(self) -> str:
        """The query string of the same graph with all predicates."""
        return self.changed(predicate=None)

    def load_time(self, *, owner: UUID) -> GraphTime:
        """Return the time for the statements. Memories of abandoned branches are left out, as in recall."""
        return GraphTime(_end_of(self.as_of), _end_of(self.believed_at), ports.hidden(None, owner=owner))

    def around(self, entity: UUID) -> str:
        """Return the query string of another entity's graph, at the same time and with as many rings."""
        return f"?entity={entity}{_encode_view(self.hops, self.as_of, self.believed_at)}"

    def changed(self, **changes: Any) -> str:
        """Return the query string with some fields changed; fields of their default value are left out."""
        query = replace(self, **changes)
        plain = GraphQuery()
        given = {one.name: getattr(query, one.name) for one in fields(query)}
        return (
            f"?{urlencode({name: value for name, value in given.items() if value != getattr(plain, name)})}"
        )


@lru_cache(64)  # of one page, the hundred links have the same view
def _encode_view(hops: int, as_of: date | None, believed_at: date | None) -> str:
    text = GraphQuery(hops=hops, as_of=as_of, believed_at=believed_at).changed().removeprefix("?")
    return f"&{text}" if text else ""


def _parse_predicate(text: str | None) -> str | None:
    return None if text is None else text.replace("\0", "")[:_LONGEST]


def _parse_day(text: str) -> date | None:
    try:
        return parse_date(text.strip())
    except ValueError:
        return None


def _end_of(day: date | None) -> datetime | None:
    """Return the end of a past or future day; None, which means now, for no day or today."""
    if day is None or day == timezone.now().date():
        return None
    return datetime.combine(day, time.max, tzinfo=UTC)
