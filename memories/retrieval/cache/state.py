"""What a search asks before anything else: may it, and how new must its index be?"""

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
    """epoch: moves when rows vanish for good and when the site changes its embedding model.

    model, dimensions: the embedding model in use and its vectors' length; empty and None before any.
    reopened: memories whose only ending came from hidden ones (see `queries.REOPENED`)."""

    memory_on: bool
    version: int
    epoch: int
    model: str = ""
    dimensions: int | None = None
    reopened: tuple[UUID, ...] = ()


def recall_state(*, owner: UUID, hidden: Collection[UUID] = ()) -> RecallState:
    """Whether memory is on, how new the index must be, by which model, and what `hidden` reopens.

    One statement.
    """
    with connection.cursor() as cursor:
        if not hidden:
            cursor.execute(_PLAIN, {"owner": owner})
            return RecallState(*cursor.fetchone())
        cursor.execute(_WITH_REOPENED, {"owner": owner, "hidden": list(hidden)})
        memory_on, version, epoch, model, dimensions, reopened = cursor.fetchone()
    return RecallState(memory_on, version, epoch, model, dimensions, tuple(reopened))
