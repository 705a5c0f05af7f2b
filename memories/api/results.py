"""Render the results of the functions on memories."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from memories.api.rendering import format_time, memory_json
from memories.curation import ChangeResult, HistoryEntry, Receipt
from memories.retrieval import SearchResult
from memories.storage import attach_links
from memories.values import Action
from memories.writing import WriteResult
from memsite.errors import RefusedByGate

CREATED, OK = 201, 200
_NEW_ROWS = frozenset({Action.CREATED, Action.PENDING, Action.SUPERSEDED, Action.DISPUTED})


def written_json(written: WriteResult, *, owner: UUID) -> tuple[dict[str, Any], int]:
    """Return the only outcome and its HTTP status.

    Raises:
        RefusedByGate: If the candidate was refused.
    """
    outcome = written.outcomes[0]
    if outcome.memory is None:
        raise RefusedByGate(outcome.reason, {"action": outcome.action})
    attach_links([outcome.memory], owner=owner)
    answer = {
        "action": outcome.action,
        "memory": memory_json(outcome.memory),
        "batch_id": str(written.batch_id),
    }
    return answer, CREATED if outcome.action in _NEW_ROWS else OK


def batch_json(written: WriteResult, *, owner: UUID) -> dict[str, Any]:
    """Return all outcomes, in order."""
    attach_links([one.memory for one in written.outcomes if one.memory is not None], owner=owner)
    results = [
        {
            "action": outcome.action,
            "memory": None if outcome.memory is None else memory_json(outcome.memory),
            "reason": outcome.reason,
        }
        for outcome in written.outcomes
    ]
    return {"results": results, "batch_id": str(written.batch_id)}


def changed_json(action: Action, changed: ChangeResult, owner: UUID) -> dict[str, Any]:
    """Return the change of one memory."""
    attach_links(changed.memories, owner=owner)
    return {
        "action": action,
        "memory": memory_json(changed.memories[0]),
        "batch_id": str(changed.batch_id),
    }


def search_json(result: SearchResult) -> dict[str, Any]:
    """Return the hits as memories with score, relevance, breakdown and reason."""
    return {
        "memories": [
            memory_json(hit.memory)
            | {
                "score": hit.score,
                "relevance": hit.relevance,
                "score_breakdown": hit.breakdown,
                "why": hit.why,
            }
            for hit in result.hits
        ],
        "by_layer": {str(layer): count for layer, count in result.by_layer.items()},
        "total_found": result.total_found,
        "cold_start": result.cold_start,
        "suggestion": result.suggestion,
        "conflict_warning": result.conflict_warning,
        "conflicting_ids": [str(memory_id) for memory_id in result.conflicting_ids],
        "diagnostics": {
            "sentence_vectors": result.diagnostics.sentence_vectors,
            "sentence_share": result.diagnostics.sentence_share,
        },
    }


def history_json(entries: list[HistoryEntry]) -> list[dict[str, Any]]:
    """Return the events, oldest first."""
    return [
        {
            "at": format_time(entry.at),
            "event": entry.event,
            "reason": entry.reason,
            "actor": entry.actor,
            "batch_id": str(entry.batch_id),
            "memory_id": str(entry.memory_id),
            "content": entry.content,
            "valid_from": format_time(entry.valid_from),
            "valid_until": format_time(entry.valid_until),
            "before": entry.before,
        }
        for entry in entries
    ]


def receipt_json(receipt: Receipt) -> dict[str, Any]:
    """Return what was erased, and what could not be reached."""
    return {
        "action": Action.ERASED,
        "memory_ids": [str(memory_id) for memory_id in receipt.memory_ids],
        "erased": receipt.erased,
        "erased_at": format_time(receipt.erased_at),
        "not_reached": list(receipt.not_reached),
    }
