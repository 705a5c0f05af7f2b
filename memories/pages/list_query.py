"""Parse what a person requests of the list from the URL. Invalid values are ignored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from memories.pages.labels import LAYER_LABELS
from memories.storage import MemoryFilter
from memories.values import LAYERS, Kind, Layer, Status
from memsite.rest.pagination import PageQuery

#: Sort on the page → field of the rows.
SORTS: Final = {
    "created": "created_at",
    "used": "last_used_at",
    "uses": "access_count",
    "importance": "importance",
}
SORT_LABELS: Final[Mapping[str, Promise]] = {
    "created": _("Newest first"),
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
PAGE_SIZE: Final = 20
_LONGEST: Final = 200


@dataclass(frozen=True, slots=True)
class ListQuery:
    """A request of the list. An empty `kind` means every kind."""

    words: str = ""
    kind: str = ""
    scope: str = "learnt"
    state: str = "standing"
    sort: str = "created"
    cursor: str = ""

    @classmethod
    def of(cls, query: QueryDict) -> ListQuery:
        """Parse a query string; invalid values become the defaults."""
        return cls(
            words=query.get("q", "").replace("\x00", "").strip()[:_LONGEST],
            kind=_parse_choice(query, "kind", tuple(Kind), ""),
            scope=_parse_choice(query, "layer", SCOPES, "learnt"),
            state=_parse_choice(query, "state", STATES, "standing"),
            sort=_parse_choice(query, "sort", SORTS, "created"),
            cursor=query.get("cursor", ""),
        )

    def filter(self) -> MemoryFilter:
        """Return the filter for words and state; layers and kinds are applied after counting."""
        return MemoryFilter(contains=self.words, status=STATES[self.state])

    def page(self) -> PageQuery:
        """Return the page and order that were requested."""
        return PageQuery(page_size=PAGE_SIZE, cursor=self.cursor, sort=self.sort)

    def as_query(self) -> str:
        """Return the query string of this list's first page, without default values."""
        given = {
            "q": self.words,
            "kind": self.kind,
            "layer": self.scope,
            "state": self.state,
            "sort": self.sort,
        }
        usual = {"layer": "learnt", "state": "standing", "sort": "created"}
        told = {name: value for name, value in given.items() if value != usual.get(name, "")}
        return f"?{urlencode(told)}" if told else ""

    def is_narrowed(self) -> bool:
        """Return whether anything except the order was requested."""
        return bool(self.words or self.kind or self.scope != "learnt" or self.state != "standing")


def _parse_choice(query: QueryDict, name: str, choices: object, otherwise: str) -> str:
    given = query.get(name, "")
    return given if given in choices else otherwise  # type: ignore[operator]  # any container of words
