"""Reflection: what many memories show together, made into few, each with its sources."""

from memories.maintenance.reflection import due, runs
from memories.maintenance.reflection.conf import WAIT_SECONDS
from memories.maintenance.reflection.outcome import (
    ReflectionOutcome,
    ReflectionPart,
    find_current_job,
    load_outcome,
    load_parts,
)
from memories.maintenance.reflection.proposals import (
    ReflectionKind,
    ReflectionProposal,
    ReflectionRequest,
    Source,
    list_runs,
)
from memories.maintenance.reflection.runs import make_parts, preview_part, request_run
from memories.maintenance.reflection.sources import compute_coverage, get_content_terms

__all__ = [
    "WAIT_SECONDS",
    "ReflectionKind",
    "ReflectionOutcome",
    "ReflectionPart",
    "ReflectionProposal",
    "ReflectionRequest",
    "Source",
    "compute_coverage",
    "due",
    "find_current_job",
    "get_content_terms",
    "list_runs",
    "load_outcome",
    "load_parts",
    "make_parts",
    "preview_part",
    "request_run",
    "runs",
]
