"""Read what each slot held over time: in the world, or as it was believed.

A slot is a subject with a predicate. In the world, a value lasts from `valid_from` (or `created_at`) until
`valid_until`; what is not believed any more has no place there. As believed, it lasts from `created_at` until
it was retired, or until we learnt that it had ended. Forgotten and pending memories are in neither.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import Any, Final
from uuid import UUID

from django.db import connection


class Clock(Enum):
    """The time that a history follows: of the world, or of our belief."""

    WORLD = "world"
    BELIEF = "belief"


@dataclass(frozen=True, slots=True)
class SlotFilter:
    """Selects slots. An empty field matches everything.

    Attributes:
        slot: The digest of the only slot.
        subject: Text that a subject contains, in any case.
        subjects: Whole subjects in lower case, any of which matches; used instead of `subject`.
        words: Text that a predicate or an object contains, in any case.
        since: Start of the half-open range that a value must overlap.
        until: End of that range.
    """

    slot: str = ""
    subject: str = ""
    subjects: tuple[str, ...] = ()
    words: str = ""
    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class SlotSummary:
    """A slot and when it last changed. Its fields, in this order, are the order of the list.

    Attributes:
        is_changed: Whether it has one value at a time and had more than one over time, or is disputed.
        latest: When its last value began or ended.
        slot: The digest.
        count: The number of its values.
    """

    is_changed: bool
    latest: datetime
    slot: str
    count: int


@dataclass(frozen=True, slots=True)
class SlotValue:
    """One value of a slot: one memory.

    Attributes:
        end: None while it lasts.
        is_begin_stated: Whether `begin` is when it began; else it is when it was written.
    """

    slot: str
    memory_id: UUID
    subject: str
    predicate: str
    object: str
    status: str
    begin: datetime
    end: datetime | None
    is_begin_stated: bool
    is_retired: bool


#: The conditions that a row of a slot must fulfil, one row for each; only those that are requested are made.
_HAS_SUBJECT: Final = "bool_or(lower(m.subject) = ANY(%(subjects)s::text[]))"
_SUBJECT_CONTAINS: Final = "bool_or(strpos(lower(m.subject), %(subject)s) > 0)"
_SAYS: Final = "bool_or(strpos(lower(m.predicate), %(words)s) > 0 OR strpos(lower(m.object), %(words)s) > 0)"
_OVERLAPS: Final = """bool_or(
    (%(until)s::timestamptz IS NULL OR {begin} < %(until)s)
    AND (%(since)s::timestamptz IS NULL OR {end} IS NULL OR {end} > %(since)s)
)"""
#: For each clock: begin, end, whether the beginning is stated, and the condition, of a row m.
_CLOCKS: Final[Mapping[Clock, Mapping[str, str]]] = {
    Clock.WORLD: {
        "begin": "coalesce(m.valid_from, m.created_at)",
        "end": "m.valid_until",
        "is_begin_stated": "m.valid_from IS NOT NULL",
        "counts": "m.retired_at IS NULL",
    },
    Clock.BELIEF: {
        "begin": "m.created_at",
        "end": "least(m.retired_at, m.ended_at)",
        "is_begin_stated": "TRUE",
        "counts": "TRUE",
    },
}
_ROWS: Final = """
m.owner_id = %(owner)s AND m.slot <> '' AND m.status NOT IN ('pending', 'forgotten') AND {counts}
"""
_SLOTS: Final = """
SELECT s.is_changed, s.latest, s.slot, s.number FROM (
    SELECT m.slot, count(*) AS number,
        greatest(max({begin}), max({end}) FILTER (WHERE {end} <= now())) AS latest,
        min(lower(m.object) COLLATE "C") <> max(lower(m.object) COLLATE "C") AND (
            bool_or(m.single_valued) OR bool_or(m.status = 'disputed')
            OR count(*) FILTER (WHERE {end} IS NULL OR {end} > now()) <= 1
        ) AS is_changed
    FROM memories_memory AS m
    WHERE {rows} AND (%(slot)s = '' OR m.slot = %(slot)s)
    GROUP BY m.slot
    HAVING {having}
) AS s
WHERE %(after_slot)s = '' OR (s.is_changed, s.latest, s.slot)
    < (%(after_changed)s, %(after_latest)s::timestamptz, %(after_slot)s)
ORDER BY s.is_changed DESC, s.latest DESC, s.slot DESC LIMIT %(most)s
"""
_VALUES: Final = """
SELECT found.* FROM unnest(%(slots)s::text[]) AS wanted (slot) CROSS JOIN LATERAL (
    SELECT m.slot, m.id, m.subject, m.predicate, m.object, m.status, {begin} AS begins, {end},
        {is_begin_stated}, m.retired_at IS NOT NULL
    FROM memories_memory AS m WHERE m.slot = wanted.slot AND {rows}
    ORDER BY begins DESC, m.id DESC LIMIT %(most)s
) AS found
"""


def list_slots(
    filters: SlotFilter, clock: Clock, *, owner: UUID, most: int, after: SlotSummary | None = None
) -> list[SlotSummary]:
    """Return slots: first those that changed, then the others; of each, the last changed first. One query.

    Args:
        filters: Which slots to list.
        clock: Which time to follow.
        owner: The owner.
        most: The most slots to return.
        after: The last slot of the page before; None for the first page.
    """
    parameters: dict[str, Any] = {
        "owner": owner,
        "slot": filters.slot,
        "subject": filters.subject.lower(),
        "subjects": list(filters.subjects),
        "words": filters.words.lower(),
        "since": filters.since,
        "until": filters.until,
        "after_changed": after.is_changed if after else False,
        "after_latest": after.latest if after else None,
        "after_slot": after.slot if after else "",
        "most": most,
    }
    with connection.cursor() as cursor:
        cursor.execute(_statement(_SLOTS, clock, having=_choose_conditions(filters, clock)), parameters)
        return [SlotSummary(*row) for row in cursor.fetchall()]


def load_slot_values(
    slots: Collection[str], clock: Clock, *, owner: UUID, most: int
) -> dict[str, list[SlotValue]]:
    """Return the newest values of each slot, the newest first. One query.

    Args:
        slots: The digests of the slots.
        clock: Which time to follow.
        owner: The owner.
        most: The most values of one slot.
    """
    found: dict[str, list[SlotValue]] = {slot: [] for slot in slots}
    if not found:
        return found
    with connection.cursor() as cursor:
        cursor.execute(_statement(_VALUES, clock), {"owner": owner, "slots": list(slots), "most": most})
        for row in cursor.fetchall():
            found[row[0]].append(SlotValue(*row))
    return found


def _choose_conditions(filters: SlotFilter, clock: Clock) -> str:
    """Return the SQL of the requested conditions: each is computed for every row of the owner."""
    subject = _HAS_SUBJECT if filters.subjects else _SUBJECT_CONTAINS if filters.subject else ""
    words = _SAYS if filters.words else ""
    period = _OVERLAPS.format(**_CLOCKS[clock]) if filters.since or filters.until else ""
    return " AND ".join(one for one in (subject, words, period) if one) or "TRUE"


def _statement(template: str, clock: Clock, *, having: str = "") -> str:
    parts = _CLOCKS[clock]
    return template.format(**parts, rows=_ROWS.format(counts=parts["counts"]), having=having)
