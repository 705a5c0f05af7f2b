"""Apply what the words of two texts say to the memories that hold them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from memories.models import Memory
from memories.values import Kind, Layer
from memories.writing.changes.relations import share_relation
from memories.writing.changes.states import Change, find_change, measure_repetition

#: How long before a correction its statement may have been made.
CORRECTED_WITHIN: Final = timedelta(days=45)
#: Kinds that no statement of a state ends.
_UNENDING: Final = frozenset({Kind.GOAL, Kind.LESSON})


def ends_by_words(newer: Memory, row: Memory) -> bool:
    """Return whether the words of a statement end the state or preference of a row.

    Where the triples of both belong to one relation, `relations` decides alone.
    """
    if Layer.EPISODIC in {newer.layer, row.layer} or row.kind in _UNENDING or share_relation(newer, row):
        return False
    return find_change(newer.content, row.content) is Change.ENDS


def find_corrected(newcomer: Memory, rows: Sequence[Memory]) -> Memory | None:
    """Return the row of the last weeks that a correction repeats most, with another value."""
    told = [
        row
        for row in rows
        if _get_time(newcomer) - _get_time(row) <= CORRECTED_WITHIN
        and find_change(newcomer.content, row.content) is Change.CORRECTS
    ]
    return max(
        told,
        key=lambda row: (measure_repetition(newcomer.content, row.content), _get_time(row)),
        default=None,
    )


def _get_time(memory: Memory) -> datetime:
    return memory.occurred_at or memory.created_at
