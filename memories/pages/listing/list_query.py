"""Parse what a person requests of the list from the URL. Invalid values are ignored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from typing import Final
from urllib.parse import urlencode

from django.http import QueryDict
from django.utils.dateparse import parse_date
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from memories.models.labels import LAYER_LABELS
from memories.storage import MemoryFilter
from memories.values import LAYERS, Kind, Layer, Status
from memsite.rest.pagination import PageQuery

#: Sort on the page → field of the rows, and its order.
SORTS: Final[Mapping[str, tuple[str, str]]] = {
    "created": ("created_at", "desc"),
    "oldest": ("created_at", "asc"),
    "used": ("last_used_at", "desc"),
    "uses": ("access_count", "desc"),
    "importance": ("importance", "desc"),
}
SORT_LABELS: Final[Mapping[str, Promise]] = {
    "created": _("Newest first"),
    "oldest": _("Oldest first"),
    "used": _("Last used first"),
    "uses": _("Most used first"),
    "importance": _("Most important first"),
}
#: Choice of states on the page → statuses.
STATES: Final[Mapping[str, tuple[Status, ...]]] = {
    "standing": (Status.ACTIVE, Status.PENDING, Status.DISPUTED),
    "pending": (Status.PENDING,),
    "disputed": (Status.DISPUTED,),
    "past": (Status.DEPRECATED,),
    "forgotten": (Status.FORGOTTEN,),
    "any": (),
}
STATE_LABELS: Final[Mapping[str, Promise]] = {
    "standing": _("Current"),
    "pending": _("Waiting for your word"),
    "disputed": _("Disputed"),
    "past": _("Past"),
    "forgotten": _("Forgotten"),
    "any": _("In any state"),
}
#: Learnt memories are the default, because a talkative person's episodes would hide them.
LEARNT: Final = (Layer.SEMANTIC, Layer.PROCEDURAL)
SCOPES: Final[Mapping[str, tuple[Layer, ...]]] = {
    "learnt": LEARNT,
    **{layer: (layer,) for layer in LAYERS},
    "all": LAYERS,
}
SCOPE_LABELS: Final[Mapping[str, Promise]] = {
    "learnt": _("What was learnt"),
    **LAYER_LABELS,
    "all": _("Everything"),
}
#: Choice of sources on the page → writers of memories.
SOURCES: Final[Mapping[str, tuple[str, ...]]] = {
    "": (),
    "person": ("person",),
    "conversation": ("rules", "model", "thread"),
    "program": ("program",),
    "reflection": ("reflection",),
    "import": ("import",),
}
SOURCE_LABELS: Final[Mapping[str, Promise]] = {
    "": _("From any source"),
    "person": _("Written by you"),
    "conversation": _("From conversations"),
    "program": _("From programs"),
    "reflection": _("Concluded from several"),
    "import": _("Imported"),
}
PAGE_SIZE: Final = 20
_LONGEST: Final = 200
_MOST_TAGS: Final = 10
_USUAL: Final = {"layer": "learnt", "state": "standing", "sort": "created"}


@dataclass(frozen=True, slots=True)
class ListQuery:
    """A request of the list. An empty `kind` means every kind.

    Attributes:
        tags: Tags that must all be present.
        since: The first day.
        until: The last day, included.
        source: One of `SOURCES`.
    """

    words: str = ""
    kind: str = ""
    scope: str = "learnt"
    state: str = "standing"
    sort: str = "created"
    tags: tuple[str, ...] = ()
    since: date | None = None
    until: date | None = None
    source: str = ""
    cursor: str = ""

    @classmethod
    def of(cls, query: QueryDict) -> ListQuery:
        """Parse a query string; invalid values become the defaults."""
        return cls(
            words=parse_text(query.get("q", "")),
            kind=_parse_choice(query, "kind", tuple(Kind), ""),
            scope=_parse_choice(query, "layer", SCOPES, "learnt"),
            state=_parse_choice(query, "state", STATES, "standing"),
            sort=_parse_choice(query, "sort", SORTS, "created"),
            tags=parse_tags(query.getlist("tag")),
            since=parse_day(query.get("since", "")),
            until=parse_day(query.get("until", "")),
            source=_parse_choice(query, "source", SOURCES, ""),
            cursor=query.get("cursor", ""),
        )

    def filter(self) -> MemoryFilter:
        """Return the filter for words, state, tags, days and source; layers and kinds come after counting."""
        return MemoryFilter(
            contains=self.words,
            status=STATES[self.state],
            tags=self.tags,
            since=begin_of(self.since),
            until=begin_of(self.until, days_later=1),
            written_by=SOURCES[self.source],
        )

    def whole_filter(self) -> MemoryFilter:
        """Return the filter of exactly the memories that are listed."""
        kinds = (self.kind,) if self.kind else ()
        return replace(self.filter(), layer=SCOPES[self.scope], kind=kinds)

    def page(self, *, size: int = PAGE_SIZE) -> PageQuery:
        """Return the page and order that were requested, without the cursor."""
        _field, order = SORTS[self.sort]
        return PageQuery.model_validate({"page_size": size, "sort": self.sort, "order": order})

    def as_query(self) -> str:
        """Return the query string of this list's first page, without default values."""
        given = [
            ("q", self.words),
            ("kind", self.kind),
            ("layer", self.scope),
            ("state", self.state),
            ("sort", self.sort),
            *(("tag", tag) for tag in self.tags),
            ("since", str(self.since or "")),
            ("until", str(self.until or "")),
            ("source", self.source),
        ]
        listed = [(name, value) for name, value in given if value != _USUAL.get(name, "")]
        return f"?{urlencode(listed)}" if listed else ""

    def changed(self, **fields: object) -> str:
        """Return the query string of this list with some fields changed; "?" if all are the defaults."""
        return replace(self, cursor="", **fields).as_query() or "?"  # type: ignore[arg-type]  # fields of ours

    @property
    def is_refined(self) -> bool:
        """Whether one of the filters was requested that are folded away at first."""
        return bool(self.tags or self.since or self.until or self.source)

    def is_narrowed(self) -> bool:
        """Return whether anything except the order was requested."""
        narrow = self.words or self.kind or self.scope != "learnt" or self.state != "standing"
        return bool(narrow or self.is_refined)


def _parse_choice(query: QueryDict, name: str, choices: object, otherwise: str) -> str:
    given = query.get(name, "")
    return given if given in choices else otherwise  # type: ignore[operator]  # any container of words


def parse_text(text: str) -> str:
    """Return a text from the URL, at most 200 characters of it."""
    return text.replace("\x00", "").strip()[:_LONGEST]


def parse_tags(texts: Sequence[str]) -> tuple[str, ...]:
    """Return the tags of all fields; one field may hold several, separated by commas."""
    words = [parse_text(word)[:64] for text in texts for word in text.replace("，", ",").split(",")]
    return tuple(dict.fromkeys(word for word in words if word))[:_MOST_TAGS]


def parse_day(text: str) -> date | None:
    """Return the day that a text names, or None."""
    try:
        return parse_date(text)
    except ValueError:  # well formed, but no day of the calendar
        return None


def begin_of(day: date | None, *, days_later: int = 0) -> datetime | None:
    """Return the first moment of a day in UTC; None for no day, or for one past the calendar's end."""
    if day is None:
        return None
    try:
        return datetime(day.year, day.month, day.day, tzinfo=UTC) + timedelta(days=days_later)
    except OverflowError:
        return None
