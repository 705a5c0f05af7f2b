"""Store a summary in one transaction, if what it was made from has not changed."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from memsite.errors import Conflict
from memsite.events.types import LoggedType
from memsite.jobs import check_lease
from memsite.llm.tokens import count_tokens
from threads.conf import SUMMARY_LATEST_RETRY, SUMMARY_RETRY
from threads.models import Message, Offload, TaskState, Thread, ThreadSummary
from threads.storage import MessageFilter, get_thread, list_messages, log_thread_event
from threads.summarization.task_state import read_content, update_from_summary
from threads.summarization.text import (
    SummaryPosition,
    SummaryText,
    SummaryWindow,
    add_remark,
    count_after,
    count_unsummarised,
    find_active_summary,
    get_depth,
    remove_remark,
)

_ERROR: Final = 500  # characters
#: Fields of an overwritten version that are stored with the new one.
_KEPT: Final = ("content", "structured", "source", "token_count", "is_provisional")


class MovedMeanwhile(Conflict):
    """A message that the summary covers, or the summary it builds on, changed while it was written."""


def store_summary(window: SummaryWindow, made: SummaryText, token: UUID | None) -> ThreadSummary:
    """Store a summary for the window's last message, and the task state.

    Args:
        token: Token of the lease, if there is one.

    Raises:
        MovedMeanwhile: If a message or the previous summary changed.
        LeaseLost: If the lease is held by another run.
        NotFound: If the thread was deleted. In all cases nothing is stored.
    """
    with transaction.atomic():
        thread = _held(window.place, token)
        _check_same(window)
        before = _at(window)
        now = timezone.now()
        state = _keep_up(thread, window, made)
        dump = _dump(window, before, state)
        row = _store(window, made, {**made.structure.as_json(now), "dump": dump}, now)
        _clear(window, row)
        if not window.remaining:
            _reset_hints(window.last)
        log_thread_event(thread, LoggedType.THREAD_SUMMARISED)
    return row


def mark_waiting(place: SummaryPosition, error: str, token: UUID | None, *, chinese: bool) -> bool:
    """Append to the active summary a remark on messages that it does not cover, and record the error.

    Returns:
        False if there is no active summary.
    """
    with transaction.atomic():
        _held(place, token)
        row = find_active_summary(place)
        if row is None:
            return False
        row.waiting = count_after(place, row)
        if row.waiting:
            row.content = add_remark(row.content, row.waiting, chinese=chinese)
        row.token_count = count_tokens(row.content)
        row.updated_at = timezone.now()
        row.error, row.failures = error[:_ERROR], row.failures + 1
        row.retry_at = _retry_at(row.updated_at, row.failures)
        row.save(
            update_fields=["content", "token_count", "waiting", "error", "failures", "retry_at", "updated_at"]
        )
    return True


def _retry_at(failed_at: datetime, failures: int) -> datetime:
    """Return when a model is asked again: after 5 minutes, doubled with each further failure, up to 12 h."""
    doublings = min(failures - 1, 16)  # far beyond 12 h, and within the range of timedelta
    wait: timedelta = min(SUMMARY_RETRY * 2**doublings, SUMMARY_LATEST_RETRY)
    return failed_at + wait


def reset_counts(place: SummaryPosition) -> None:
    """Correct the counts of unsummarised messages of the branch's head, so that it does not seem due."""
    if place.head is None:
        return
    with transaction.atomic():
        get_thread(place.thread.pk, owner=place.owner, lock=True)
        exact = count_unsummarised(place)
        rows = Message.objects.filter(owner_id=place.owner, pk=place.head.pk)
        rows.update(unsummarised=exact.messages, unsummarised_tokens=exact.tokens)


def _held(place: SummaryPosition, token: UUID | None) -> Thread:
    thread = get_thread(place.thread.pk, owner=place.owner, lock=True)
    if token is not None:
        check_lease(token)
    return thread


def _check_same(window: SummaryWindow) -> None:
    place, previous = window.place, window.previous
    between = MessageFilter(after=get_depth(previous), before=window.last.depth + 1)
    there = set(list_messages(place.path, between, owner=place.owner).values_list("id", flat=True))
    if there != {row.pk for row in window.rows}:
        raise MovedMeanwhile("A message went while it was summarised.")
    if previous is None:
        return
    rows = ThreadSummary.objects.filter(owner_id=place.owner, pk=previous.pk, is_stale=False, undone_at=None)
    if not rows.filter(updated_at=previous.updated_at).exists():
        raise MovedMeanwhile("The summary this one builds on has changed.")


def _at(window: SummaryWindow) -> ThreadSummary | None:
    """Return the active summary with the same last message as the window, if any."""
    rows = ThreadSummary.objects.filter(owner_id=window.place.owner, thread=window.place.thread)
    row = rows.filter(last_message_id=window.last.pk).first()
    return row if row is not None and not row.is_stale and row.undone_at is None else None


def _keep_up(thread: Thread, window: SummaryWindow, made: SummaryText) -> TaskState | None:
    """Write the task state. Only the current branch determines a thread's task state."""
    if made.state is None or window.remaining or thread.current_branch_id != window.place.branch_id:
        return None
    return update_from_summary(thread, made.state, loaded=window.state, newest=window.last)


def _dump(window: SummaryWindow, before: ThreadSummary | None, state: TaskState | None) -> dict[str, Any]:
    ids = [row.pk for row in window.rows]
    offloaded = Offload.objects.filter(owner_id=window.place.owner, message_id__in=ids)
    was = read_content(window.state).as_json() if window.state is not None else None
    return {
        "messages": [str(one) for one in ids],
        "offloaded": [str(one) for one in offloaded.values_list("message_id", flat=True)],
        "based_on": str(window.previous.pk) if window.previous is not None else None,
        "previous": _version(before) if before is not None else None,
        "task_state": {"was": was, "written_at": state.updated_at.isoformat()} if state is not None else None,
    }


def _version(row: ThreadSummary) -> dict[str, Any]:
    """Return what is needed to restore a version; the version before that is not included."""
    kept = {name: getattr(row, name) for name in _KEPT}
    structured = dict(row.structured)
    structured["dump"] = {**structured.get("dump", {}), "previous": None}
    return {**kept, "content": remove_remark(row.content), "structured": structured}


def _store(
    window: SummaryWindow, made: SummaryText, structured: Mapping[str, Any], now: datetime
) -> ThreadSummary:
    values = {
        "content": made.content,
        "structured": structured,
        "token_count": count_tokens(made.content),
        "source": made.source,
        "error": made.error[:_ERROR],
        "failures": 1 if made.error else 0,
        "retry_at": _retry_at(now, 1) if made.error else None,
        "is_provisional": bool(made.error),
        "waiting": 0,
        "is_stale": False,
        "undone_at": None,
        "updated_at": now,
    }
    row, _ = ThreadSummary.objects.update_or_create(
        owner_id=window.place.owner,
        thread_id=window.place.thread.pk,
        last_message_id=window.last.pk,
        defaults=values,
    )
    row.last_message = window.last
    return row


def _clear(window: SummaryWindow, row: ThreadSummary) -> None:
    """Delete stale and provisional summaries that the new one replaces.

    The remark at the end of the previous summary is removed too.
    """
    path = window.place.path.condition("last_message__")
    rows = ThreadSummary.objects.filter(path, owner_id=window.place.owner).exclude(pk=row.pk)
    rows = rows.filter(last_message__depth__lte=window.last.depth)
    rows.filter(is_stale=True).delete()
    if not row.is_provisional:
        rows.filter(is_provisional=True, last_message__depth__gt=get_depth(window.previous)).delete()
    if window.previous is not None and window.previous.error:
        content = remove_remark(window.previous.content)
        ThreadSummary.objects.filter(owner_id=window.place.owner, pk=window.previous.pk).update(
            content=content, token_count=count_tokens(content), waiting=0, error="", failures=0, retry_at=None
        )


def _reset_hints(last: Message) -> None:
    """Count unsummarised messages from here on, also of messages appended to this line meanwhile."""
    rows = Message.objects.filter(
        owner_id=last.owner_id, thread_id=last.thread_id, line_id=last.line_id, depth__gte=last.depth
    )
    messages = tokens = 0
    changed = list(rows.order_by("depth").only("id", "token_count"))
    for row in changed:
        if row.pk != last.pk:
            messages, tokens = messages + 1, tokens + row.token_count
        row.unsummarised, row.unsummarised_tokens = messages, tokens
    Message.objects.bulk_update(changed, ["unsummarised", "unsummarised_tokens"], batch_size=500)
