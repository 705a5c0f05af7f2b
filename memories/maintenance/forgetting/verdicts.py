"""Decide in SQL what the nightly pass does with each active memory; the numbers are those of `law`.

A memory gets at most one verdict, the first of these that fits:

expired   its period in the world is over
settled   the periods of all memories it was in dispute with are over: it is no longer disputed
law       relevance_now is under 0.1: forgotten
cleanup   unused for 90 days, of little importance, hardly ever used: forgotten
lowered   relevance_now is under 0.3: importance is set to 0.8 of its base, once

Pinned memories, `core` ones and those that wait for a person's decision (pending, disputed) never fade.

All SQL texts refer to a row `m` of memories_memory and take the parameter `now`.
"""

from __future__ import annotations

from typing import Final

from memories.conf import FORGETTING
from memories.maintenance.forgetting import law

EXPIRED: Final = "expired"
SETTLED: Final = "settled"
LAW: Final = "law"
CLEANUP: Final = "cleanup"
LOWERED: Final = "lowered"

NOW: Final = "%(now)s::timestamptz"
ACTIVE: Final = "m.forgotten_at IS NULL AND m.retired_at IS NULL AND m.ended_at IS NULL"
#: What gc and the cap may forget: active memories that wait for no person's decision.
RECALLED: Final = f"{ACTIVE} AND m.status = 'active'"
#: When the memory was last restored, by any undoing of its forgetting, or settled; null if never.
RESTORED_AT: Final = (
    "(SELECT max(e.created_at) FROM memories_event AS e WHERE e.owner_id = m.owner_id"  # noqa: S608 - a constant of ours
    f" AND e.memory_id = m.id AND (e.type = 'memory.restored' OR e.reason = '{SETTLED}'))"
)

_LAST_USE: Final = "greatest(m.created_at, m.last_accessed_at)"
# A memory lowered tonight is judged by its base importance until the next night, so that a second run changes
# nothing more.
_IMPORTANCE: Final = (
    f"CASE WHEN m.importance < m.base_importance AND m.updated_at > {NOW} - interval '20 hours'"
    " THEN m.base_importance ELSE m.importance END"
)
_WEIGHT: Final = f"CASE WHEN ({_IMPORTANCE}) < {law.LEAST_IMPORTANCE} THEN 0 ELSE ({_IMPORTANCE}) END"


def lowered_to() -> str:
    """Return the SQL of the importance of a memory that fades."""
    return f"{FORGETTING.lowered_to}::float8 * m.base_importance"


def relevance_sql(used_at: str = _LAST_USE) -> str:
    """Return the SQL of `law.compute_relevance` for a row last used at `used_at`, an SQL expression."""
    days = f"(extract(epoch FROM ({NOW} - {used_at}))::float8 / 86400)"
    rates = " ".join(f"WHEN '{lifespan}' THEN {rate}" for lifespan, rate in law.rates().items())
    decay = f"(CASE m.lifespan {rates} END)::float8 * greatest(0, {days})"
    return (
        f"exp(-least({law.MOST_DECAY}::float8, {decay})) * (1 + ln(1 + m.access_count::float8)) * ({_WEIGHT})"
    )


def _faded(used_at: str) -> str:
    """Return the SQL of the verdict on a row that may fade, by its last use; null if there is none."""
    strength = relevance_sql(used_at)
    return f"""CASE
        WHEN {strength} < {FORGETTING.forgotten_under} THEN '{LAW}'
        WHEN {used_at} < {NOW} - interval '{FORGETTING.cleanup_days} days'
            AND m.access_count < {FORGETTING.cleanup_uses}
            AND ({_IMPORTANCE}) < {FORGETTING.cleanup_importance}
            THEN '{CLEANUP}'
        WHEN m.importance > {lowered_to()} AND {strength} < {FORGETTING.fading_under} THEN '{LOWERED}'
        END"""


# Whether no dispute of the memory remains after this pass; null if it never had one.
_UNDISPUTED: Final = f"""(
    SELECT bool_and(o.status <> 'disputed' OR coalesce(o.valid_until <= {NOW}, false))
    FROM memories_memorylink AS k JOIN memories_memory AS o ON o.owner_id = k.owner_id
        AND o.id = CASE WHEN k.memory_id = m.id THEN k.other_id ELSE k.memory_id END
    WHERE k.owner_id = m.owner_id AND k.kind = 'disputes' AND m.id IN (k.memory_id, k.other_id)
)"""  # noqa: S608 - built from constants, nothing from outside


def verdict() -> str:
    """Return the SQL of what a night does to a row; null for nothing.

    The events are queried only for rows that would fade without them.
    """
    return f"""CASE
    WHEN m.valid_until <= {NOW} THEN '{EXPIRED}'
    WHEN m.status = 'disputed' AND {_UNDISPUTED} THEN '{SETTLED}'
    WHEN m.pinned OR m.lifespan = 'core' OR m.status IN ('pending', 'disputed') THEN NULL
    WHEN {_faded(_LAST_USE)} IS NULL THEN NULL
    ELSE (SELECT {_faded("used.moment")}
        FROM (SELECT greatest({_LAST_USE}, {RESTORED_AT}) AS moment OFFSET 0) AS used)
    END"""  # noqa: S608 - built from the constants above, nothing from outside


LOWERING: Final = f"importance = {lowered_to()}"
