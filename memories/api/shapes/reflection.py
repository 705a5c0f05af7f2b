"""The shapes of reflection over HTTP."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Final, Literal, Self
from uuid import UUID

from pydantic import BaseModel, Field, model_validator

from memories.api.shapes.memories import Layer, MemoryOut
from memories.maintenance import WAIT_SECONDS, Request, Source, parts
from memsite.rest.parsing import Body

CONSOLIDATE: Final = "consolidate"
What = Literal["facts", "patterns", "compress", "infer", "consolidate"]


class ReflectionIn(Body):
    """What to reflect on. ids: the memories to look at; layer: whose most alike memories `compress` joins.

    source: which memories `patterns` and `infer` look at; `topic` needs `topic_query`.
    dry_run: only tell what would be written. wait: seconds to hold the answer, at most 60; true: as long.
    """

    what: What = CONSOLIDATE
    ids: list[UUID] = Field(default=[], max_length=100)
    layer: Layer = "semantic"
    source: Source = "all"
    topic_query: str = Field("", max_length=4000)
    dry_run: bool = False
    wait: bool | Annotated[float, Field(ge=0, le=3600, allow_inf_nan=False)] = False

    @model_validator(mode="after")
    def _check(self) -> Self:
        if (self.source == "topic") != bool(self.topic_query.strip()):
            raise ValueError("source topic and topic_query go together")
        return self

    def parts(self) -> list[Request]:
        """What the run is made of."""
        template = Request("facts", tuple(self.ids), self.layer, self.source, self.topic_query)
        return parts(None if self.what == CONSOLIDATE else self.what, template)

    def seconds(self) -> float:
        """How long to wait; 0 for not at all."""
        if isinstance(self.wait, bool):
            return WAIT_SECONDS if self.wait else 0.0
        return min(self.wait, WAIT_SECONDS)


class CountsOut(BaseModel):
    looked_at: int
    proposed: int
    written: int
    refused: int
    retired: int


class ResultOut(BaseModel):
    action: str
    memory: MemoryOut | None
    reason: str


class PartOut(BaseModel):
    """One kind of reflection. batch_id: undoes what it wrote; null when it wrote nothing."""

    id: UUID
    run: UUID
    what: str
    actor: str
    source: str
    error: str | None
    counts: CountsOut
    batch_id: UUID | None
    created_at: datetime
    finished_at: datetime | None
    results: list[ResultOut]
    preserved_facts: list[str]
    dropped_redundant: list[str]


class ProposedOut(BaseModel):
    """A memory that would be written, and the ids of those it rests on."""

    what: str
    content: str
    layer: Layer
    kind: str
    category: str
    confidence: float | None
    occurrence_count: int
    derived_from: list[UUID]


class ReflectOut(BaseModel):
    """status: `done`, or `failed` with the job's error. results: of all parts; batch_ids undo them."""

    status: str
    run: UUID | None
    source: str
    error: str | None
    dry_run: bool
    results: list[ResultOut]
    batch_ids: list[UUID]
    preserved_facts: list[str]
    dropped_redundant: list[str]
    parts: list[PartOut]
    proposed: list[ProposedOut]


class ReflectJobOut(BaseModel):
    job: UUID
    run: UUID


class RunPage(BaseModel):
    results: list[PartOut]
    next: str | None
    previous: str | None
