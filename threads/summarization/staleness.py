"""Mark summaries that cover a deleted message as stale, and write them again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone

from threads.models import Branch, Line, Message, Thread, ThreadSummary
from threads.storage import Path, build_path, load_lines, load_path, queue_refresh
from threads.summarization.summarising import summarise_branch


def mark_stale(thread: Thread, survivors: Mapping[UUID, UUID | None]) -> int:
    """Mark the summaries that cover messages about to be deleted as stale, and queue new ones.

    A summary that a person undid loses its text and is not written again. Call within the transaction that
    deletes the messages, before the deletion. One query if the thread has no summary.

    Args:
        survivors: For each message to be deleted, the nearest ancestor that is not deleted. A summary of such
            a message moves to that ancestor. If there is none, or it has a summary, the summary is deleted
            with the message.

    Returns:
        How many summaries were marked.
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
    lines = load_lines(thread.pk, owner=owner)
    touched = [row for row in rows if _path_includes(_path_of(row, lines), firsts)]
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


def refresh_summaries(thread_id: UUID, *, owner: UUID) -> int:
    """Rewrite the stale summaries on every branch of a thread. Return on how many branches.

    Stale summaries that no branch reaches are deleted. Raises the same errors as `summarise_branch`.
    """
    renewed = 0
    branches = Branch.objects.filter(owner_id=owner, thread_id=thread_id).select_related("line", "head")
    for branch in branches.order_by("created_at", "id"):
        if _stale(thread_id, owner).filter(load_path(branch).condition("last_message__")).exists():
            summarise_branch(thread_id, owner=owner, branch=branch.pk, force=True)
            renewed += 1
    for branch in branches:
        if _stale(thread_id, owner).filter(load_path(branch).condition("last_message__")).exists():
            return renewed  # time ran out: a job is queued for the rest
    _stale(thread_id, owner).delete()
    return renewed


def _stale(thread_id: UUID, owner: UUID) -> QuerySet[ThreadSummary]:
    return ThreadSummary.objects.filter(owner_id=owner, thread_id=thread_id, is_stale=True)


def _path_of(row: ThreadSummary, lines: Mapping[UUID, Line]) -> Path:
    last = row.last_message
    return build_path(lines, last.line_id, last.depth, thread_id=row.thread_id)


def _path_includes(path: Path, firsts: Mapping[UUID, int]) -> bool:
    """Return whether a path contains one of the messages: at or after the first deleted one of a line."""
    return any(
        firsts.get(segment.line_id, segment.through + 1) <= segment.through for segment in path.segments
    )
