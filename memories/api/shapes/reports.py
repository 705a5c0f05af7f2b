"""The shapes of the reports API."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import BaseModel, Field

from memories.api.shapes.memories import MemoryOut
from memsite.rest.pagination import PageQuery
from memsite.rest.parsing import Body

#: Seconds that an answer may be held until a report is made.
REPORT_WAIT = 60.0

ReportKind = Literal["quality", "conflicts"]
Act = Literal["", "keep", "past", "both", "merge", "confirm", "forget", "pin"]


class ReportsQuery(PageQuery):
    """kind: of this kind alone."""

    kind: ReportKind | Literal[""] = ""


class LatestQuery(Body):
    kind: ReportKind = "quality"


class ReportIn(Body):
    """wait: seconds to hold the answer, at most 60; true: as long as may be."""

    kind: ReportKind = "quality"
    wait: bool | Annotated[float, Field(ge=0, le=3600, allow_inf_nan=False)] = False

    def seconds(self) -> float:
        """How long to wait; 0 for not at all."""
        if isinstance(self.wait, bool):
            return REPORT_WAIT if self.wait else 0.0
        return min(self.wait, REPORT_WAIT)


class MendIn(Body):
    """finding: its id. act: one of its mends, by default the first. keep: the right side of a conflict."""

    finding: str = Field(min_length=1, max_length=64)
    act: Act = ""
    keep: UUID | None = None


class ReportSummary(BaseModel):
    """kind: `quality` or `conflicts`; score in [0, 100], null for conflicts; figures: counts, no findings.

    source: `llm` where a model judged pairs too, else `fallback`; error: why it stopped.
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
    """open: whether there is still something to mend; mends: what can be done, first what one click does."""

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
    """points: oldest first; change: against the report before, null for the first."""

    points: list[PointOut]
    change: float | None


class ReportOut(ReportSummary):
    """A report whole: all it counted, and its findings with their memories as these are now."""

    body: dict[str, Any]
    trend: TrendOut
    findings: list[FindingOut]


class MendedOut(BaseModel):
    """batch_id undoes it."""

    action: str
    batch_id: UUID
    memories: list[MemoryOut]


class ReportJobOut(BaseModel):
    job: UUID
