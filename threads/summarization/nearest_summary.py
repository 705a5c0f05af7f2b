"""Find the summary that replaces messages that are not in a context."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from django.db import connection

from threads.storage import Path

# OFFSET 0 makes the planner start from the thread's few summaries; otherwise it might look at every message
# of the path.
_NEAREST: Final = """
SELECT s.content, s.structured, last.depth, (
    SELECT count(*) FROM threads_message AS m
    WHERE m.owner_id = s.owner_id AND {covered} AND m.depth <= last.depth
)
FROM threads_threadsummary AS s CROSS JOIN LATERAL (
    SELECT e.depth FROM threads_message AS e
    WHERE e.owner_id = s.owner_id AND e.id = s.last_message_id AND {reached} OFFSET 0
) AS last
WHERE s.owner_id = %s AND s.thread_id = %s AND NOT s.is_stale AND s.undone_at IS NULL
ORDER BY last.depth DESC LIMIT 1
"""


@dataclass(frozen=True, slots=True)
class NearestSummary:
    """A summary of a path.

    Attributes:
        depth: Depth of the last message that it covers.
        messages: Number of messages of the path that it covers.
    """

    content: str
    structured: Any
    depth: int
    messages: int


def load_nearest_summary(path: Path, *, owner: UUID) -> NearestSummary | None:
    """Return the valid summary that covers most of a path, or None. One query."""
    if not path.segments:
        return None
    covered, places = path.written("m")
    reached, _ = path.written("e")
    statement = _NEAREST.format(covered=covered, reached=reached)
    with connection.cursor() as cursor:
        cursor.execute(statement, [*places, *places, owner, path.segments[0].thread_id])
        row = cursor.fetchone()
    if row is None:
        return None
    content, structured, depth, messages = row
    return NearestSummary(content, json.loads(structured), depth, messages)
