"""What a search asks before anything else: may it, and how new must its index be?"""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.db import connection

_STATE = """
SELECT coalesce(p.memory_on, true), coalesce(l.index_version, 0), coalesce(l.index_epoch, 0)
FROM (SELECT %s::uuid AS owner_id) AS o
LEFT JOIN memories_ledger AS l USING (owner_id)
LEFT JOIN accounts_preferences AS p USING (owner_id)
"""


@dataclass(frozen=True, slots=True)
class RecallState:
    memory_on: bool
    version: int
    epoch: int


def recall_state(*, owner: UUID) -> RecallState:
    """Whether the owner's memory is on, and their index's version and epoch. One statement."""
    with connection.cursor() as cursor:
        cursor.execute(_STATE, [owner])
        memory_on, version, epoch = cursor.fetchone()
    return RecallState(memory_on, version, epoch)
