"""Define the request and response bodies of the memories API. Requests are validated by them."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal, Self
from uuid import UUID

from pydantic import AfterValidator, BaseModel, Field, RootModel, model_validator
from pydantic.config import JsonDict

from memories.retrieval import SearchOrder
from memories.values import KINDS, AbstractionLevel, Candidate, Kind, Layer, Lifespan, Status, Writer
from memsite.rest.pagination import PageQuery
from memsite.rest.parsing import Body, Metadata, Moment, make_list, measure_text, read_object

MAX_CONTENT = 20_000
#: Characters of a content in its normal form (NFKC), which makes up to 18 of one.
MOST_NORMAL = 2 * MAX_CONTENT
MAX_BATCH = 1000
MAX_QUERY = 4000


#: The default in the schema for fields with a default factory: copying a default costs ten times as much.
_NO_LIST: JsonDict = {"default": []}
_NO_OBJECT: JsonDict = {"default": {}}
#: A text of white space alone says nothing.
_SAYS_SOMETHING: JsonDict = {"pattern": r"\S"}
_KINDS: JsonDict = {
    "enum": ["", *sorted({kind.value for kinds in KINDS.values() for kind in kinds})],
    "description": "one of the layer's kinds: "
    + "; ".join(f"{layer}: {', '.join(kinds)}" for layer, kinds in KINDS.items()),
}


Share = Annotated[float, Field(ge=0.0, le=1.0, allow_inf_nan=False)]
Count = Annotated[int, Field(ge=0, le=2**31 - 1)]
Tag = Annotated[str, Field(min_length=1, max_length=64)]
Name = Annotated[str, Field(min_length=1, max_length=120)]


def _check_content(text: str) -> str:
    if not text.strip():
        raise ValueError("content says nothing")
    if measure_text(text) > MOST_NORMAL:
        raise ValueError(f"content has more than {MOST_NORMAL} characters in its normal form (NFKC)")
    return text


Content = Annotated[
    str,
    Field(min_length=1, max_length=MAX_CONTENT, json_schema_extra=_SAYS_SOMETHING),
    AfterValidator(_check_content),
]


class MemoryIn(Body):
    """A memory to write. `valid_from`, else `occurred_at`, is at most `valid_until`."""

    content: Content
    layer: Layer = Layer.SEMANTIC
    kind: str = Field("", json_schema_extra=_KINDS)
    category: str = Field("", max_length=64)
    tags: list[Tag] = Field(default_factory=list, max_length=64, json_schema_extra=_NO_LIST)
    participants: list[Name] = Field(default_factory=list, max_length=64, json_schema_extra=_NO_LIST)
    importance: Share | None = None
    confidence: Share | None = None
    lifespan: Lifespan | None = None
    subject: str = Field("", max_length=255)
    predicate: str = Field("", max_length=64)
    object: str = Field("", max_length=255)
    single_valued: bool = False
    speaker: str = Field("", max_length=120)
    session: str = Field("default", max_length=120)
    occurred_at: Moment | None = None
    valid_from: Moment | None = None
    valid_until: Moment | None = None
    strength: Share | None = None
    abstraction_level: AbstractionLevel = AbstractionLevel.NONE
    metadata: Metadata = Field(default_factory=dict, json_schema_extra=_NO_OBJECT)

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.kind and self.kind not in KINDS[self.layer]:
            raise ValueError(f"kind of a {self.layer} memory is one of {', '.join(KINDS[self.layer])}")
        begin = self.valid_from or self.occurred_at
        if begin and self.valid_until and begin > self.valid_until:
            raise ValueError("valid_until lies before valid_from")
        return self

    def candidate(self) -> Candidate:
        """Return the candidate for the write path."""
        kind = Kind(self.kind) if self.kind else KINDS[self.layer][0]
        return Candidate(
            content=self.content,
            layer=self.layer,
            kind=kind,
            category=self.category,
            tags=tuple(self.tags),
            participants=tuple(self.participants),
            importance=self.importance,
            confidence=self.confidence,
            lifespan=self.lifespan,
            subject=self.subject,
            predicate=self.predicate,
            object=self.object,
            single_valued=self.single_valued,
            entities=tuple(self.participants),
            speaker=self.speaker,
            session=self.session,
            occurred_at=self.occurred_at,
            valid_from=self.valid_from,
            valid_until=self.valid_until,
            written_by=Writer.PROGRAM,
            strength=self.strength,
            abstraction_level=self.abstraction_level,
            metadata=self.metadata,
        )


class BatchIn(Body):
    memories: list[MemoryIn] = Field(min_length=1, max_length=MAX_BATCH)


class MemoryPatch(Body):
    """Fields to change. `content` writes a successor; the mode `append` adds to lists and metadata."""

    content: Content | None = None
    kind: str | None = None
    category: str | None = Field(None, max_length=64)
    tags: list[Tag] | None = Field(None, max_length=64)
    participants: list[Name] | None = Field(None, max_length=64)
    importance: Share | None = None
    confidence: Share | None = None
    lifespan: Lifespan | None = None
    subject: str | None = Field(None, max_length=255)
    predicate: str | None = Field(None, max_length=64)
    object: str | None = Field(None, max_length=255)
    single_valued: bool | None = None
    pinned: bool | None = None
    sensitive: bool | None = None
    speaker: str | None = Field(None, max_length=120)
    session: str | None = Field(None, min_length=1, max_length=120)
    occurred_at: Moment | None = None
    valid_from: Moment | None = None
    valid_until: Moment | None = None
    metadata: Metadata | None = None
    status: Literal[Status.ACTIVE] | None = Field(
        None,
        description="`active` confirms a pending memory; alone, it says of an active one that it is true now",
    )
    mode: Literal["replace", "append"] = "replace"

    def changes(self) -> dict[str, Any]:
        """Return the fields that were sent, except content, status and mode. Only times may be null."""
        sent = self.model_dump(exclude_unset=True, exclude={"content", "status", "mode"})
        clearable = {"occurred_at", "valid_from", "valid_until"}
        return {name: value for name, value in sent.items() if value is not None or name in clearable}


class SearchIn(Body):
    """A search. `top_k` limits the ranking; `limit` and `offset` select a page of it."""

    query: str = Field(min_length=1, max_length=MAX_QUERY, json_schema_extra=_SAYS_SOMETHING)
    top_k: int = Field(5, ge=1, le=200)
    limit: int | None = Field(None, ge=1, le=200)
    offset: int = Field(0, ge=0, le=10_000)
    layers: list[Layer] = []
    kinds: list[str] = Field(default=[], max_length=16)
    categories: list[str] = Field(default=[], max_length=64)
    subject: str = Field("", max_length=255)
    speaker: str = Field("", max_length=120)
    tags: list[Tag] = Field(default=[], max_length=64)
    metadata: Metadata = Field(default={}, description="names and values that the metadata must contain")
    status: list[Status] = []
    since: Moment | None = None
    until: Moment | None = None
    min_similarity: Share | None = None
    as_of: Moment | None = None
    believed_at: Moment | None = None
    explain: bool = True
    order_by: SearchOrder = Field(
        "relevance", description="order of the memories that are relevant enough, at most `top_k`"
    )

    @model_validator(mode="after")
    def _check(self) -> Self:
        if not self.query.strip():
            raise ValueError("query says nothing")
        return self


class FilterQuery(Body):
    """Filters by field. Repeat a parameter to match any of several values."""

    status: Annotated[list[Status] | Status, AfterValidator(make_list)] = []
    layer: Annotated[list[Layer] | Layer, AfterValidator(make_list)] = []
    kind: Annotated[list[str] | str, AfterValidator(make_list)] = []
    category: Annotated[list[str] | str, AfterValidator(make_list)] = []
    subject: Annotated[list[str] | str, AfterValidator(make_list)] = []
    predicate: Annotated[list[str] | str, AfterValidator(make_list)] = []
    object: Annotated[list[str] | str, AfterValidator(make_list)] = []
    speaker: Annotated[list[str] | str, AfterValidator(make_list)] = []
    session: Annotated[list[str] | str, AfterValidator(make_list)] = []
    lifespan: Annotated[list[Lifespan] | Lifespan, AfterValidator(make_list)] = []
    written_by: Annotated[list[str] | str, AfterValidator(make_list)] = []
    abstraction_level: Annotated[list[str] | str, AfterValidator(make_list)] = []
    forgotten_by: Annotated[list[str] | str, AfterValidator(make_list)] = []
    tags: Annotated[list[str] | str, AfterValidator(make_list)] = []
    participants: Annotated[list[str] | str, AfterValidator(make_list)] = []
    pinned: bool | None = None
    sensitive: bool | None = None
    single_valued: bool | None = None
    importance: Share | None = None
    base_importance: Share | None = None
    confidence: Share | None = None
    strength: Share | None = None
    turn: Count | None = None
    occurrence_count: Count | None = None
    access_count: Count | None = None
    occurred_at: Moment | None = None
    valid_from: Moment | None = None
    valid_until: Moment | None = None
    since: Moment | None = None
    until: Moment | None = None
    as_of: Moment | None = None
    believed_at: Moment | None = None
    contains: str = Field("", max_length=200)
    metadata: Annotated[str, AfterValidator(read_object)] = Field(
        "", max_length=MAX_QUERY, description="JSON of names and values that the metadata must contain"
    )


class ListQuery(PageQuery, FilterQuery):
    """Filters, and the page."""


class BatchUndoIn(Body):
    batch_id: UUID


class DeleteQuery(Body):
    erase: bool = False


class MemoryOut(BaseModel):
    """A memory with every field."""

    id: UUID
    owner: UUID
    layer: Layer
    kind: str
    category: str
    content: str
    tags: list[str]
    participants: list[str]
    subject: str
    predicate: str
    object: str
    single_valued: bool
    speaker: str
    session: str
    turn: int
    importance: float
    base_importance: float
    confidence: float
    lifespan: Lifespan
    status: Status
    pinned: bool
    sensitive: bool
    strength: float | None
    abstraction_level: str
    occurrence_count: int
    access_count: int
    forgotten_by: str
    written_by: str
    metadata: dict[str, Any]
    occurred_at: datetime | None
    restated_at: datetime | None
    valid_from: datetime | None
    valid_until: datetime | None
    ended_at: datetime | None
    retired_at: datetime | None
    forgotten_at: datetime | None
    last_accessed_at: datetime | None
    created_at: datetime
    updated_at: datetime
    sources: list[str]
    supersedes: list[UUID]
    on_left_branch: bool


class WrittenOut(BaseModel):
    action: str
    memory: MemoryOut
    batch_id: UUID


class BatchItemOut(BaseModel):
    action: str
    memory: MemoryOut | None
    reason: str


class BatchOut(BaseModel):
    results: list[BatchItemOut]
    batch_id: UUID


class Breakdown(BaseModel):
    """What the ranking says of a memory, part by part, each from 0 to 1. They do not add up to the score."""

    similarity: float
    keyword: float
    graph: float
    structure: float
    time: float
    recency: float
    frequency: float
    outdated: float
    replaces: float


class FoundMemoryOut(MemoryOut):
    score: float
    relevance: float
    score_breakdown: Breakdown
    why: str


class DiagnosticsOut(BaseModel):
    """How meanings were compared. `late`: the query's sentence vector was not there in time."""

    sentence_vectors: Literal["used", "late", "none"]
    sentence_share: float


class SearchOut(BaseModel):
    memories: list[FoundMemoryOut]
    by_layer: dict[str, int]
    total_found: int
    cold_start: bool
    suggestion: str
    conflict_warning: str
    conflicting_ids: list[UUID]
    diagnostics: DiagnosticsOut


class MemoryPage(BaseModel):
    results: list[MemoryOut]
    next: str | None
    previous: str | None


class HistoryItemOut(BaseModel):
    at: datetime
    event: str
    reason: str
    actor: str
    batch_id: UUID
    memory_id: UUID
    content: str
    valid_from: datetime | None
    valid_until: datetime | None
    before: dict[str, Any] | None


class HistoryOut(BaseModel):
    results: list[HistoryItemOut]


class ReceiptOut(BaseModel):
    action: str
    memory_ids: list[UUID]
    erased: dict[str, int]
    erased_at: datetime
    not_reached: list[str]


class DeletedOut(RootModel[WrittenOut | ReceiptOut]):
    """The memory, if it was forgotten; the receipt, if it was erased."""


class ChangedOut(BaseModel):
    action: str
    memories: list[MemoryOut]
    batch_id: UUID


class BatchUndoneOut(ChangedOut):
    """The result of an undo. `left_out` are memories that were changed since, and stay as they are."""

    left_out: list[UUID]
