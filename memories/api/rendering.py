"""Render memories as JSON."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime
from operator import itemgetter
from typing import Any, Final
from uuid import UUID

from memories.models import Memory
from memories.storage import get_memory
from memories.values import Status
from memsite.errors import NotFound

#: Fields that are rendered unchanged. A test compares them with `schema.MemoryOut`.
_PLAIN: Final = (
    "layer",
    "kind",
    "category",
    "content",
    "tags",
    "participants",
    "subject",
    "predicate",
    "object",
    "single_valued",
    "speaker",
    "session",
    "turn",
    "importance",
    "base_importance",
    "confidence",
    "lifespan",
    "status",
    "pinned",
    "sensitive",
    "strength",
    "abstraction_level",
    "occurrence_count",
    "access_count",
    "forgotten_by",
    "written_by",
    "metadata",
)
_TIMES: Final = (
    "occurred_at",
    "restated_at",
    "valid_from",
    "valid_until",
    "ended_at",
    "retired_at",
    "forgotten_at",
    "last_accessed_at",
    "created_at",
    "updated_at",
)
_plain_of = itemgetter(*_PLAIN)


def memory_json(memory: Memory) -> dict[str, Any]:
    """Return every field of a memory. Sources and predecessors are included if the query loaded them."""
    fields = memory.__dict__
    answer: dict[str, Any] = {"id": str(memory.pk), "owner": str(memory.owner_id)}
    answer.update(zip(_PLAIN, _plain_of(fields), strict=True))
    for name in _TIMES:
        moment = fields[name]
        answer[name] = None if moment is None else format_time(moment)
    answer["sources"] = list(fields.get("source_references", ()))
    answer["supersedes"] = [str(other) for other in fields.get("superseded_ids", ())]
    answer["on_left_branch"] = bool(fields.get("on_left_branch", False))
    return answer


def render_active_memory(memory_id: UUID, *, owner: UUID) -> dict[str, Any] | None:
    """Return every field of a memory; None if it is not active, or not there."""
    try:
        memory = get_memory(memory_id, owner=owner, links=True)
    except NotFound:
        return None
    return memory_json(memory) if memory.status == Status.ACTIVE else None


def mark_hidden(memories: Iterable[Memory], hidden: Collection[UUID]) -> None:
    """Mark the memories that recall leaves out because they were learnt on abandoned branches."""
    for memory in memories:
        memory.on_left_branch = memory.pk in hidden


def format_time(moment: datetime | None) -> str | None:
    """Return the time in ISO 8601, in UTC with Z."""
    return None if moment is None else moment.isoformat().replace("+00:00", "Z")
