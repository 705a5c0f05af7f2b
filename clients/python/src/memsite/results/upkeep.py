"""Extraction, reflection, reports and imports."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from memsite.results.memories import Learnt, Memory


@dataclass(frozen=True, kw_only=True)
class ExtractedMessages:
    """What was learnt from messages without a thread."""

    extraction: str
    status: str
    source: str
    error: str | None
    memories: tuple[Learnt, ...]


@dataclass(frozen=True, kw_only=True)
class QueuedExtraction:
    """A job that reads messages without a thread."""

    job: str
    extraction: str


@dataclass(frozen=True, kw_only=True)
class ReflectionResult:
    """One memory that a reflection wrote."""

    action: str
    memory: Memory | None
    reason: str


@dataclass(frozen=True, kw_only=True)
class ReflectionCounts:
    """Counts of a part of a reflection."""

    looked_at: int
    proposed: int
    written: int
    refused: int
    retired: int


@dataclass(frozen=True, kw_only=True)
class ReflectionPart:
    """A reflection of one kind."""

    id: str
    run: str
    what: str
    actor: str
    source: str
    error: str | None
    counts: ReflectionCounts
    batch_id: str | None
    created_at: datetime
    finished_at: datetime | None
    results: tuple[ReflectionResult, ...]
    preserved_facts: tuple[str, ...]
    dropped_redundant: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Proposed:
    """What a reflection would write."""

    what: str
    content: str
    layer: str
    kind: str
    category: str
    confidence: float | None
    occurrence_count: int
    derived_from: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Reflection:
    """What a reflection did."""

    status: str
    run: str | None
    source: str
    error: str | None
    dry_run: bool
    results: tuple[ReflectionResult, ...]
    batch_ids: tuple[str, ...]
    preserved_facts: tuple[str, ...]
    dropped_redundant: tuple[str, ...]
    parts: tuple[ReflectionPart, ...]
    proposed: tuple[Proposed, ...]


@dataclass(frozen=True, kw_only=True)
class QueuedReflection:
    """A job that reflects."""

    job: str
    run: str


@dataclass(frozen=True, kw_only=True)
class ScorePoint:
    """The score of a day."""

    day: date
    score: float


@dataclass(frozen=True, kw_only=True)
class Trend:
    """How the score changed."""

    points: tuple[ScorePoint, ...]
    change: float | None


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One finding of a report."""

    id: str
    kind: str
    why: str
    open: bool
    mends: tuple[str, ...]
    suggested: str | None
    memories: tuple[Memory, ...]


@dataclass(frozen=True, kw_only=True)
class ReportSummary:
    """A report without its findings."""

    id: str
    kind: str
    day: date
    score: float | None
    figures: Mapping[str, Any]
    complete: bool
    source: str
    error: str | None
    created_at: datetime


@dataclass(frozen=True, kw_only=True)
class Report(ReportSummary):
    """A report with its findings."""

    body: Mapping[str, Any]
    trend: Trend
    findings: tuple[Finding, ...]


@dataclass(frozen=True, kw_only=True)
class Mended:
    """What resolving a finding changed."""

    action: str
    batch_id: str
    memories: tuple[Memory, ...]


@dataclass(frozen=True, kw_only=True)
class ImportExample:
    """A sample of what an import would keep."""

    kind: str
    text: str


@dataclass(frozen=True, kw_only=True)
class ReadingProblem:
    """A part of a file that could not be read."""

    where: str
    why: str


@dataclass(frozen=True, kw_only=True)
class ImportPreview:
    """What an import would keep."""

    format: str
    total: int
    threads: int
    messages: int
    memories: int
    pending: int
    present: int
    refused: int
    reasons: Mapping[str, int]
    tokens: int
    earliest: datetime | None
    latest: datetime | None
    examples: tuple[ImportExample, ...]
    warnings: tuple[ReadingProblem, ...]


@dataclass(frozen=True, kw_only=True)
class Progress:
    """How far an import is."""

    done: int
    total: int


@dataclass(frozen=True, kw_only=True)
class Import:
    """An import and what it wrote."""

    id: str
    format: str
    status: str
    files: tuple[str, ...]
    threads_wanted: bool
    learn: str
    progress: Progress
    threads: int
    extended: int
    messages: int
    created: int
    pending: int
    strengthened: int
    merged: int
    superseded: int
    disputed: int
    restored: int
    skipped: int
    refused: int
    removed: int
    left_out: int
    warnings: tuple[ReadingProblem, ...]
    error: str
    batch_id: str
    job: str | None
    created_at: datetime
    finished_at: datetime | None


@dataclass(frozen=True, kw_only=True)
class QueuedImport:
    """A job that imports."""

    job: str
    import_id: str
