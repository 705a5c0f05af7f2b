"""Limit the number of episodes that programs write without a thread: the oldest are forgotten.

Episodes that mirror a thread's messages belong to their thread and do not count. Writing does not wait for
this: a schedule checks recently active owners every minute.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from django.conf import settings
from django.db import connection
from django.utils import timezone

from memories.maintenance.forgetting import verdicts
from memories.maintenance.forgetting.set_changes import SweepResult, apply_change, make_forgetting
from memsite.serving.postgres import across_owners

REASON: Final = "cap"
#: How far back the check looks, in case several of its runs are missed.
LATELY: Final = timedelta(minutes=10)

_CAPPED: Final = f"""m.layer = 'episodic' AND m.written_by = 'program' AND {verdicts.RECALLED}
    AND NOT EXISTS (SELECT 1 FROM memories_memorysource AS s
        WHERE s.owner_id = m.owner_id AND s.memory_id = m.id)
"""  # noqa: S608 - built from constants, nothing from outside
_OVER: Final = f"""
SELECT l.owner_id FROM memories_ledger AS l
WHERE (%(since)s::timestamptz IS NULL OR EXISTS (SELECT 1 FROM memories_memory AS w
        WHERE w.owner_id = l.owner_id AND w.created_at > %(since)s::timestamptz))
    AND %(cap)s < (SELECT count(*) FROM memories_memory AS m WHERE m.owner_id = l.owner_id AND {_CAPPED})
"""  # noqa: S608 - as above
# Pinned episodes count first; of the others the newest, where a restored one counts from its restoration.
_BEYOND: Final = f"""NOT m.pinned AND m.id IN (
    SELECT m.id FROM memories_memory AS m WHERE m.owner_id = %(owner)s AND {_CAPPED}
    ORDER BY m.pinned DESC, greatest(m.created_at, {verdicts.RESTORED_AT}) DESC, m.id DESC OFFSET %(cap)s)
"""  # noqa: S608 - as above


def enforce_cap(*, owner: UUID, now: datetime | None = None) -> SweepResult:
    """Forget one owner's oldest episodes beyond MEMSITE_EPISODIC_CAP (0: no cap), as one batch."""
    cap = settings.MEMSITE_EPISODIC_CAP
    if not cap:
        return SweepResult()
    return apply_change(
        make_forgetting(REASON), _BEYOND, {"cap": cap}, owner=owner, now=now or timezone.now()
    )


def enforce_all_caps(*, now: datetime | None = None, since: datetime | None = None) -> int:
    """Enforce the cap for every owner above it, and return the number of memories forgotten.

    Args:
        now: The time of the change; default the present.
        since: If given, only owners with memories written after it. For the schedules only.
    """
    return sum(enforce_cap(owner=owner, now=now).count for owner in list_owners_over_cap(since))


@across_owners()
def list_owners_over_cap(since: datetime | None = None) -> list[UUID]:
    """Return the owners with more such episodes than the cap. Across owners: for the schedules only."""
    cap = settings.MEMSITE_EPISODIC_CAP
    if not cap:
        return []
    with connection.cursor() as cursor:
        cursor.execute(_OVER, {"cap": cap, "since": since})
        return [row[0] for row in cursor.fetchall()]
