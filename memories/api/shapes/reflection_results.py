"""Render the results of reflection."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from memories.api.rendering import format_time, memory_json
from memories.api.shapes.reflection import CountsOut
from memories.maintenance import (
    ReflectionKind,
    ReflectionOutcome,
    ReflectionPart,
    ReflectionProposal,
    load_parts,
)
from memories.models import Reflection
from memsite.llm.chat import AnswerSource
from memsite.values import OutcomeStatus


def outcome_json(run: UUID, outcome: ReflectionOutcome) -> dict[str, Any]:
    """Return a run with all its parts."""
    shown = [_part_json(part) for part in outcome.parts]
    return {
        "status": outcome.status,
        "run": str(run),
        "source": outcome.source,
        "error": outcome.error,
        "dry_run": False,
        "results": [result for part in shown for result in part["results"]],
        "batch_ids": [part["batch_id"] for part in shown if part["batch_id"]],
        "preserved_facts": [fact for part in shown for fact in part["preserved_facts"]],
        "dropped_redundant": [fact for part in shown for fact in part["dropped_redundant"]],
        "parts": shown,
        "proposed": [],
    }


def preview_json(previews: Sequence[tuple[str, ReflectionProposal]]) -> dict[str, Any]:
    """Return what would be written, by kind of reflection."""
    looked = [one for _, one in previews if one.looked_at] or [one for _, one in previews]
    by_model = all(one.source == AnswerSource.LLM for one in looked)
    compressed = [one.compression for _, one in previews if one.compression is not None]
    return {
        "status": OutcomeStatus.DONE,
        "run": None,
        "source": AnswerSource.LLM if by_model else AnswerSource.FALLBACK,
        "error": next((one.error for _, one in previews if one.error), None),
        "dry_run": True,
        "results": [],
        "batch_ids": [],
        "preserved_facts": [fact for one in compressed for fact in one.preserved_facts],
        "dropped_redundant": [fact for one in compressed for fact in one.dropped_redundant],
        "parts": [],
        "proposed": [proposed for what, one in previews for proposed in _proposed_json(what, one)],
    }


def _proposed_json(what: str, proposal: ReflectionProposal) -> list[dict[str, Any]]:
    return [
        {
            "what": what,
            "content": finding.candidate.content,
            "layer": finding.candidate.layer,
            "kind": finding.candidate.kind,
            "category": finding.candidate.category,
            "confidence": finding.candidate.confidence,
            "occurrence_count": finding.occurrences,
            "derived_from": list(finding.candidate.derived_from),
        }
        for finding in proposal.memories
    ]


def row_json(row: Reflection, *, owner: UUID) -> dict[str, Any]:
    """Return one part of a run, from its row."""
    return _part_json(load_parts([row], owner=owner)[0])


def _part_json(part: ReflectionPart) -> dict[str, Any]:
    row = part.row
    made = part.results[0].memory if row.kind == ReflectionKind.COMPRESS and part.results else None
    metadata = made.metadata if made is not None else {}
    return {
        "id": str(row.pk),
        "run": str(row.run),
        "what": row.kind,
        "actor": row.actor,
        "source": row.source,
        "error": row.error or None,
        "counts": dict.fromkeys(CountsOut.model_fields, 0) | row.counts,
        "batch_id": None if row.batch_id is None else str(row.batch_id),
        "created_at": format_time(row.created_at),
        "finished_at": format_time(row.finished_at),
        "results": [
            {
                "action": result.action,
                "memory": None if result.memory is None else memory_json(result.memory),
                "reason": result.reason,
            }
            for result in part.results
        ],
        "preserved_facts": list(metadata.get("preserved_facts", [])),
        "dropped_redundant": list(metadata.get("dropped_redundant", [])),
    }
