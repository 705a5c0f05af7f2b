"""Compute which messages of a thread are reachable from its branches, and which only from some of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from uuid import UUID

from django.db.models import Q

from threads.models import Branch, Line
from threads.storage.path import path_along

#: For each line, the depth of the last reachable message.
Reach = Mapping[UUID, int]


def reach_of(branches: Iterable[Branch], lines: Mapping[UUID, Line]) -> Reach:
    """Return what these branches reach together. Their heads must be loaded. No query."""
    reach: dict[UUID, int] = {}
    for branch in branches:
        if branch.head is None:
            continue
        path = path_along(lines, branch.head.line_id, branch.head.depth, thread_id=branch.thread_id)
        for segment in path.segments:
            reach[segment.line_id] = max(reach.get(segment.line_id, -1), segment.through)
    return reach


def condition(reach: Reach, *, beyond: Reach | None = None) -> Q:
    """Return the condition of the messages that are in `reach` but not in `beyond`.

    Matches nothing if `reach` is empty.
    """
    found = Q(pk__in=[])
    for line_id, through in reach.items():
        after = -1 if beyond is None else beyond.get(line_id, -1)
        if through > after:
            found |= Q(line_id=line_id, depth__gt=after, depth__lte=through)
    return found


def branches_of(thread_id: UUID, *, owner: UUID) -> list[Branch]:
    """Return all branches of a thread with their heads, the oldest first. One query."""
    rows = Branch.objects.filter(owner_id=owner, thread_id=thread_id)
    return list(rows.select_related("head", "line").order_by("created_at", "id"))
