"""Records: memories and their links as an export contains them, whatever their status."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Annotated, Any, Final, Literal, Self
from uuid import UUID

from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field, model_validator

from memories.models import Event, LinkKind, Memory, MemoryLink, MemorySource
from memories.storage import graph_index, list_memories
from memories.values import KINDS, AbstractionLevel, Layer, Lifespan, Status, Writer

_PAGE: Final = 500  # rows read at once
_CONTENT: Final = 20_000  # characters, as the API takes them
_COUNT: Final = 2**31 - 1
#: A source reference, as its column is wide.
_REFERENCE: Final = 100

Share = Annotated[float, Field(ge=0.0, le=1.0, allow_inf_nan=False)]
Count = Annotated[int, Field(ge=0, le=_COUNT)]


def _make_storable(text: str) -> str:
    """Return a text without what PostgreSQL cannot store: NUL characters and halves of surrogate pairs."""
    if text.isascii() and "\x00" not in text:
        return text
    return text.replace("\x00", "").encode("utf-16", "surrogatepass").decode("utf-16", "replace")


Text = Annotated[str, AfterValidator(_make_storable)]


class _Record(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class SourceRecord(_Record):
    """The source of a memory. `stated_at`: when the source said it, if known."""

    reference: Annotated[Text, Field(min_length=1, max_length=_REFERENCE)]
    stated_at: AwareDatetime | None = None


class MemoryRecord(_Record):
    """One memory with all of its fields. `entities` are names that only its writer gave."""

    record: Literal["memory"] = "memory"
    id: UUID
    layer: Layer
    kind: str
    content: Text = Field(min_length=1, max_length=_CONTENT)
    category: Text = Field("", max_length=64)
    tags: list[Annotated[Text, Field(max_length=64)]] = Field(default_factory=list, max_length=1000)
    participants: list[Annotated[Text, Field(max_length=120)]] = Field(default_factory=list, max_length=1000)
    entities: list[Annotated[Text, Field(max_length=255)]] = Field(default_factory=list, max_length=1000)
    subject: Text = Field("", max_length=255)
    predicate: Text = Field("", max_length=64)
    object: Text = Field("", max_length=255)
    single_valued: bool = False
    speaker: Text = Field("", max_length=120)
    session: Text = Field("default", max_length=120)
    turn: Annotated[int, Field(ge=-_COUNT, le=_COUNT)] = 0
    importance: Share
    base_importance: Share
    confidence: Share
    lifespan: Lifespan
    status: Status
    pinned: bool = False
    sensitive: bool = False
    strength: Share | None = None
    abstraction_level: AbstractionLevel = AbstractionLevel.NONE
    occurrence_count: Count = 1
    access_count: Count = 0
    forgotten_by: Text = Field("", max_length=16)
    written_by: Writer
    metadata: dict[str, Any] = Field(default_factory=dict)
    occurred_at: AwareDatetime | None = None
    restated_at: AwareDatetime | None = None
    valid_from: AwareDatetime | None = None
    valid_until: AwareDatetime | None = None
    ended_at: AwareDatetime | None = None
    retired_at: AwareDatetime | None = None
    forgotten_at: AwareDatetime | None = None
    last_accessed_at: AwareDatetime | None = None
    reflected_at: AwareDatetime | None = None
    created_at: AwareDatetime
    updated_at: AwareDatetime
    sources: list[SourceRecord] = Field(default_factory=list)

    @model_validator(mode="after")
    def _check(self) -> Self:
        if not self.content.strip():
            raise ValueError("content says nothing")
        if self.kind not in KINDS[self.layer]:
            raise ValueError(f"a {self.layer} memory has no kind {self.kind}")
        if self.valid_from and self.valid_until and self.valid_from > self.valid_until:
            raise ValueError("valid_until lies before valid_from")
        if self.status not in _fitting_statuses(self.retired_at, self.ended_at, self.forgotten_at):
            raise ValueError("the status does not fit the times")
        return self


class LinkRecord(_Record):
    """A link "memory —kind→ other"."""

    record: Literal["link"] = "link"
    memory: UUID
    other: UUID
    kind: Literal["supersedes", "derived_from", "disputes", "related"]
    reason: Text = Field("", max_length=64)

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.memory == self.other:
            raise ValueError("a memory is not linked to itself")
        return self


class EventRecord(_Record):
    """A change of a memory, for people to read: an import skips it. `before`: the previous values."""

    record: Literal["event"] = "event"
    sequence: int
    type: str
    memory_id: UUID | None
    batch_id: UUID
    actor: str
    reason: str
    before: dict[str, Any] | None
    created_at: AwareDatetime


_EVENT: Final = tuple(name for name in EventRecord.model_fields if name != "record")


def _fitting_statuses(
    retired_at: datetime | None, ended_at: datetime | None, forgotten_at: datetime | None
) -> frozenset[Status]:
    """Return the statuses that a memory with these times may have, as the table's constraint says."""
    if forgotten_at is not None:
        return frozenset({Status.FORGOTTEN})
    if retired_at is not None or ended_at is not None:
        return frozenset({Status.DEPRECATED})
    return frozenset({Status.PENDING, Status.ACTIVE, Status.DISPUTED})


#: Fields that are the same in the row and in the record.
SAME: Final = tuple(
    name for name in MemoryRecord.model_fields if name not in {"record", "id", "entities", "sources"}
)


def list_memory_records(*, owner: UUID) -> Iterator[MemoryRecord]:
    """Yield every memory of an owner in order of its id: active, past, forgotten, and of any branch.

    Two queries for each 500 memories. Memories that are written meanwhile may be left out or included.
    """
    rows = list_memories(owner=owner).order_by("id")
    page = list(rows[:_PAGE])
    while page:
        sources = _load_sources(page, owner=owner)
        for memory in page:
            yield _make_record(memory, sources[memory.pk])
        page = list(rows.filter(id__gt=page[-1].pk)[:_PAGE])


def list_link_records(*, owner: UUID) -> Iterator[LinkRecord]:
    """Yield every link between memories of an owner, in order of its id."""
    rows = MemoryLink.objects.filter(owner_id=owner).order_by("id")
    page = list(rows[:_PAGE])
    while page:
        for link in page:
            kind: Any = LinkKind(link.kind).value
            yield LinkRecord(memory=link.memory_id, other=link.other_id, kind=kind, reason=link.reason)
        page = list(rows.filter(id__gt=page[-1].pk)[:_PAGE])


def list_event_records(*, owner: UUID) -> Iterator[EventRecord]:
    """Yield every change of an owner's memories that is kept, in the order in which they happened."""
    rows = Event.objects.filter(owner_id=owner).order_by("sequence")
    page = list(rows[:_PAGE])
    while page:
        for row in page:
            yield EventRecord.model_construct(**{name: getattr(row, name) for name in _EVENT})
        page = list(rows.filter(sequence__gt=page[-1].sequence)[:_PAGE])


def _load_sources(memories: Sequence[Memory], *, owner: UUID) -> dict[UUID, list[SourceRecord]]:
    """Return the sources of each memory by reference; several wordings from one source count once."""
    found: dict[UUID, dict[str, SourceRecord]] = defaultdict(dict)
    rows = MemorySource.objects.filter(owner_id=owner, memory_id__in=[memory.pk for memory in memories])
    for memory_id, reference, stated_at in rows.order_by("reference", "id").values_list(
        "memory_id", "reference", "stated_at"
    ):
        found[memory_id].setdefault(reference, SourceRecord(reference=reference, stated_at=stated_at))
    return defaultdict(list, {memory_id: list(some.values()) for memory_id, some in found.items()})


def _make_record(memory: Memory, sources: list[SourceRecord]) -> MemoryRecord:
    return MemoryRecord.model_construct(
        id=memory.pk,
        entities=list(graph_index.list_given_names(memory)),
        sources=sources,
        **{name: getattr(memory, name) for name in SAME},
    )
