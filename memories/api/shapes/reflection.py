"""Define the request and response bodies of reflection."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Final, Literal, Self
from uuid import UUID

from pydantic import BaseModel, Field, model_validator

from memories.api.shapes.memories import MemoryOut
from memories.maintenance import WAIT_SECONDS, ReflectionKind, ReflectionRequest, Source, make_parts
from memories.values import Layer
from memsite.rest.parsing import Body

CONSOLIDATE: Final = "consolidate"
What = Literal[
    ReflectionKind.FACTS,
    ReflectionKind.PATTERNS,
    ReflectionKind.COMPRESS,
    ReflectionKind.INFER,
    "consolidate",
]


class ReflectionIn(Body):
    """What to reflect on.

    `ids` are the memories to look at. `compress` joins the most similar memories of `layer`. `source` selects
    the memories that `patterns` and `infer` look at; `topic` needs `topic_query`. With `dry_run`, nothing is
    written. `wait` is the number of seconds to hold the answer, at most 60; true waits 60.
    """

    what: What = CONSOLIDATE
    ids: list[UUID] = Field(default=[], max_length=100)
    layer: Layer = Layer.SEMANTIC
    source: Source = "all"
    topic_query: str = Field("", max_length=4000)
    dry_run: bool = False
    wait: bool | Annotated[float, Field(ge=0, le=3600, allow_inf_nan=False)] = False

    @model_validator(mode="after")
    def _check(self) -> Self:
        if (self.source == "topic") != bool(self.topic_query.strip()):
            raise ValueError("source topic and topic_query go together")
        return self

    def parts(self) -> list[ReflectionRequest]:
        """Return the parts of the run."""
        template = ReflectionRequest(
            ReflectionKind.FACTS, tuple(self.ids), self.layer, self.source, self.topic_query
        )
        return make_parts(None if self.what == CONSOLIDATE else self.what, template)

    def seconds(self) -> float:
        """Return the seconds to wait; 0 not to wait."""
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


class ReflectionPartOut(BaseModel):
    """One kind of reflection. `batch_id` can be undone; it is null if nothing was written."""

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
    """A memory that would be written, with the ids of the memories it is based on."""

    what: str
    content: str
    layer: Layer
    kind: str
    category: str
    confidence: float | None
    occurrence_count: int
    derived_from: list[UUID]


class ReflectOut(BaseModel):
    """The result of a run. `status` is `done`, or `failed` with an `error`. `results` are those of all parts.

    `batch_ids` can be undone.
    """

    status: str
    run: UUID | None
    source: str
    error: str | None
    dry_run: bool
    results: list[ResultOut]
    batch_ids: list[UUID]
    preserved_facts: list[str]
    dropped_redundant: list[str]
    parts: list[ReflectionPartOut]
    proposed: list[ProposedOut]


class ReflectJobOut(BaseModel):
    job: UUID
    run: UUID


class RunPage(BaseModel):
    results: list[ReflectionPartOut]
    next: str | None
    previous: str | None
