"""Reflection: what many memories show together, made into few, each with its sources."""

from memories.maintenance.reflection import due, running
from memories.maintenance.reflection.conf import WAIT_SECONDS
from memories.maintenance.reflection.outcome import Outcome, Part, current_job, outcome_of, parts_of
from memories.maintenance.reflection.proposals import FALLBACK, LLM, Proposal, Request, Source, kind_of, runs
from memories.maintenance.reflection.running import parts, preview, request_run
from memories.maintenance.reflection.sources import content_terms, coverage

__all__ = [
    "FALLBACK",
    "LLM",
    "WAIT_SECONDS",
    "Outcome",
    "Part",
    "Proposal",
    "Request",
    "Source",
    "content_terms",
    "coverage",
    "current_job",
    "due",
    "kind_of",
    "outcome_of",
    "parts",
    "parts_of",
    "preview",
    "request_run",
    "running",
    "runs",
]
