"""The state that a search reads first: whether memory is on, and the index version it needs."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from django.db import connection

from memories.storage import REOPENED

_STATE = """
SELECT coalesce(p.memory_on, true), coalesce(l.index_version, 0),
    coalesce(l.index_epoch, 0) + coalesce(s.generation, 0), coalesce(s.active, ''), s.dimensions{reopened}
FROM (SELECT %(owner)s::uuid AS owner_id) AS o
LEFT JOIN memories_ledger AS l USING (owner_id)
LEFT JOIN accounts_preferences AS p USING (owner_id)
LEFT JOIN memories_embeddingswitch AS s ON true
"""
_PLAIN: Final = _STATE.format(reopened="")
_WITH_REOPENED: Final = _STATE.format(reopened=f", ARRAY({REOPENED})")


@dataclass(frozen=True, slots=True)
class RecallState:
    """State of an owner at the start of a search.

    Attributes:
        memory_on: Whether the owner has memory switched on.
        version: Index version of the owner; 0 if nothing was ever stored.
        epoch: Number that changes when rows are erased and when the site changes its embedding model.
        model: Embedding model in use; empty before the first.
        dimensions: Length of that model's vectors; None before the first.
        reopened: Memories that were ended only by hidden memories (see `queries.REOPENED`).
    """

    memory_on: bool
    version: int
    epoch: int
    model: str = ""
    dimensions: int | None = None
    reopened: tuple[UUID, ...] = ()


def load_recall_state(*, owner: UUID, hidden: Collection[UUID] = ()) -> RecallState:
    """Read the state of an owner. One statement.

    Args:
        owner: Owner of the memories.
        hidden: Hidden memories. Memories that were ended only by these are returned as `reopened`.
    """
    with connection.cursor() as cursor:
        if not hidden:
            cursor.execute(_PLAIN, {"owner": owner})
            return RecallState(*cursor.fetchone())
        cursor.execute(_WITH_REOPENED, {"owner": owner, "hidden": list(hidden)})
        memory_on, version, epoch, model, dimensions, reopened = cursor.fetchone()
    return RecallState(memory_on, version, epoch, model, dimensions, tuple(reopened))
