"""Which messages of a thread its branches reach, and what only some of them do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from uuid import UUID

from django.db.models import Q

from threads.models import Branch, Line
from threads.storage.path import path_along

#: For each line, the depth of the last message that is reached.
Reach = Mapping[UUID, int]


def reach_of(branches: Iterable[Branch], lines: Mapping[UUID, Line]) -> Reach:
    """What these branches reach together; their heads must be loaded. No query."""
    reach: dict[UUID, int] = {}
    for branch in branches:
        if branch.head is None:
            continue
        path = path_along(lines, branch.head.line_id, branch.head.depth, thread_id=branch.thread_id)
        for segment in path.segments:
            reach[segment.line_id] = max(reach.get(segment.line_id, -1), segment.through)
    return reach


def condition(reach: Reach, *, beyond: Reach | None = None) -> Q:
    """Which messages are within a reach, but not within the other. None at all is a condition, too."""
    found = Q(pk__in=[])
    for line_id, through in reach.items():
        after = -1 if beyond is None else beyond.get(line_id, -1)
        if through > after:
            found |= Q(line_id=line_id, depth__gt=after, depth__lte=through)
    return found


def branches_of(thread_id: UUID, *, owner: UUID) -> list[Branch]:
    """All branches of a thread with their heads, the oldest first. One query."""
    rows = Branch.objects.filter(owner_id=owner, thread_id=thread_id)
    return list(rows.select_related("head", "line").order_by("created_at", "id"))
