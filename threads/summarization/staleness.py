"""When a message goes: summaries that speak of it are stale, and are written anew."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone

from threads.models import Branch, Line, Message, Thread, ThreadSummary
from threads.storage import Path, lines_of, path_along, path_of, queue_refresh
from threads.summarization.summarising import summarise


def mark_stale(thread: Thread, survivors: Mapping[UUID, UUID | None]) -> int:
    """Mark the summaries that speak of messages about to be deleted, and queue their renewal; how many.

    One that was taken back loses its words, and is not written anew.
    survivors: for each such message the nearest ancestor that stays. A summary bound to one is bound to that
    ancestor, or goes where there is none, or one that has a summary. Within the transaction that deletes
    them, before it does. One query where the thread has no summary.
    """
    owner = thread.owner_id
    summaries = ThreadSummary.objects.filter(owner_id=owner, thread=thread)
    rows = list(summaries.select_related("last_message"))
    if not rows:
        return 0
    messages = Message.objects.filter(owner_id=owner, thread=thread, pk__in=list(survivors))
    gone = messages.values_list("line_id", "depth")
    firsts: dict[UUID, int] = {}
    for line_id, depth in gone:
        firsts[line_id] = min(depth, firsts.get(line_id, depth))
    lines = lines_of(thread.pk, owner=owner)
    touched = [row for row in rows if _leads_over(_path_of(row, lines), firsts)]
    taken_back = [row.pk for row in touched if row.undone_at is not None]
    summaries.filter(pk__in=taken_back).update(content="", structured={}, token_count=0)
    stale = [row.pk for row in touched if row.undone_at is None]
    summaries.filter(pk__in=stale).update(is_stale=True, updated_at=timezone.now())
    _bind_to_survivors(rows, survivors)
    if stale and not thread.is_temporary:
        queue_refresh(thread.pk, owner=owner)
    return len(stale)


def _bind_to_survivors(rows: Sequence[ThreadSummary], survivors: Mapping[UUID, UUID | None]) -> None:
    taken = {row.last_message_id for row in rows}
    for row in sorted(rows, key=lambda row: row.last_message.depth, reverse=True):
        ancestor = survivors.get(row.last_message_id)
        if ancestor is not None and ancestor not in taken:
            taken.add(ancestor)
            own = ThreadSummary.objects.filter(owner_id=row.owner_id, pk=row.pk)
            own.update(last_message_id=ancestor)


def refresh(thread_id: UUID, *, owner: UUID) -> int:
    """Write anew what is stale on any branch of a thread; how many branches. What no branch reaches goes.

    Raises what `summarise` raises.
    """
    renewed = 0
    branches = Branch.objects.filter(owner_id=owner, thread_id=thread_id).select_related("line", "head")
    for branch in branches.order_by("created_at", "id"):
        if _stale(thread_id, owner).filter(path_of(branch).condition("last_message__")).exists():
            summarise(thread_id, owner=owner, branch=branch.pk, force=True)
            renewed += 1
    for branch in branches:
        if _stale(thread_id, owner).filter(path_of(branch).condition("last_message__")).exists():
            return renewed  # for want of time: a job is queued for the rest
    _stale(thread_id, owner).delete()
    return renewed


def _stale(thread_id: UUID, owner: UUID) -> QuerySet[ThreadSummary]:
    return ThreadSummary.objects.filter(owner_id=owner, thread_id=thread_id, is_stale=True)


def _path_of(row: ThreadSummary, lines: Mapping[UUID, Line]) -> Path:
    last = row.last_message
    return path_along(lines, last.line_id, last.depth, thread_id=row.thread_id)


def _leads_over(path: Path, firsts: Mapping[UUID, int]) -> bool:
    """Whether a path leads over a message: on a line at or after the first of those that go."""
    return any(
        firsts.get(segment.line_id, segment.through + 1) <= segment.through for segment in path.segments
    )
