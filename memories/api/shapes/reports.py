"""Define the request and response bodies of reports."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import BaseModel, Field

from memories.api.shapes.memories import MemoryOut
from memories.maintenance import Mend
from memories.models import ReportKind
from memsite.rest.pagination import PageQuery
from memsite.rest.parsing import Body

#: The most seconds that an answer is held until a report is made.
REPORT_WAIT = 60.0


class ReportsQuery(PageQuery):
    """Which reports to list. `kind` limits the list to one kind."""

    kind: ReportKind | Literal[""] = ""


class LatestQuery(Body):
    kind: ReportKind = ReportKind.QUALITY


class ReportIn(Body):
    """Which report to make. `wait` is the number of seconds to hold the answer, at most 60; true waits 60."""

    kind: ReportKind = ReportKind.QUALITY
    wait: bool | Annotated[float, Field(ge=0, le=3600, allow_inf_nan=False)] = False

    def seconds(self) -> float:
        """Return the seconds to wait; 0 not to wait."""
        if isinstance(self.wait, bool):
            return REPORT_WAIT if self.wait else 0.0
        return min(self.wait, REPORT_WAIT)


class MendIn(Body):
    """What to do: `act` is one of the finding's `mends`, by default the first; `keep` is the right side."""

    finding: str = Field(min_length=1, max_length=64)
    act: Mend = Mend.FIRST
    keep: UUID | None = None


class ReportSummary(BaseModel):
    """A report without its findings.

    `kind` is `quality` or `conflicts`. `score` is from 0 to 100, and null for conflicts. `figures` are
    counts. `source` is `llm` if a model judged pairs too, else `fallback`; `error` says why it stopped.
    """

    id: UUID
    kind: str
    day: date
    score: float | None
    figures: dict[str, Any]
    complete: bool
    source: str
    error: str | None
    created_at: datetime


class ReportPage(BaseModel):
    results: list[ReportSummary]
    next: str | None
    previous: str | None


class FindingOut(BaseModel):
    """A finding. `open` says whether there is still something to fix; `mends` lists the possible acts.

    The first act is the one for a single click.
    """

    id: str
    kind: str
    why: str
    open: bool
    mends: list[str]
    suggested: UUID | None
    memories: list[MemoryOut]


class PointOut(BaseModel):
    day: date
    score: float


class TrendOut(BaseModel):
    """The scores, oldest first. `change` is the difference to the previous report, and null for the first."""

    points: list[PointOut]
    change: float | None


class ReportOut(ReportSummary):
    """A report with all counts and findings, and the memories as they are now."""

    body: dict[str, Any]
    trend: TrendOut
    findings: list[FindingOut]


class MendedOut(BaseModel):
    """The result of an act. `batch_id` can be undone."""

    action: str
    batch_id: UUID
    memories: list[MemoryOut]


class ReportJobOut(BaseModel):
    job: UUID


class SentenceStats(BaseModel):
    """Progress of filling in sentence vectors. `model` is empty if the site uses none."""

    model: str
    filled: int
    missing: int


class StatsOut(BaseModel):
    owner: UUID
    total: int
    by_layer: dict[str, int]
    by_kind: dict[str, int]
    by_status: dict[str, int]
    last_reflection: datetime | None
    episodes_since_reflection: int
    should_reflect: bool
    oldest_unreflected: datetime | None
    embedding_model: str
    embedding_models: dict[str, int]
    not_embedded: int
    sentence_vectors: SentenceStats
    warnings: list[str]
