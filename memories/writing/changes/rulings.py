"""Apply what the words of two texts say to the memories that hold them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from memories.models import Memory
from memories.values import Kind, Layer
from memories.writing.changes.readings import HAN
from memories.writing.changes.states import Change, find_change, gives_up, measure_repetition

#: How long before a correction its statement may have been made.
CORRECTED_WITHIN: Final = timedelta(days=45)


def word_change(memory: Memory) -> str:
    """Return the text of a memory that is searched for a change; a correction is marked as one."""
    if not memory.metadata.get("correction"):
        return memory.content
    return f"{'更正：' if HAN.search(memory.content) else 'Correction: '}{memory.content}"


def ends_by_words(newer: Memory, row: Memory) -> bool:
    """Return whether the words of a statement end the state or preference of a row."""
    if Layer.EPISODIC in {newer.layer, row.layer} or row.kind == Kind.LESSON:
        return False
    if row.kind == Kind.GOAL:
        return newer.kind != Kind.GOAL and gives_up(word_change(newer), row.content)
    return find_change(word_change(newer), row.content) is Change.ENDS


def find_corrected(newcomer: Memory, rows: Sequence[Memory]) -> Memory | None:
    """Return the row of the last weeks that a correction repeats most, with another value."""
    contradicted = [
        row
        for row in rows
        if _get_time(newcomer) - _get_time(row) <= CORRECTED_WITHIN
        and find_change(word_change(newcomer), row.content) is Change.CORRECTS
    ]
    return max(
        contradicted,
        key=lambda row: (measure_repetition(newcomer.content, row.content), _get_time(row)),
        default=None,
    )


def _get_time(memory: Memory) -> datetime:
    return memory.occurred_at or memory.created_at
