"""Undo a summary: restore the one it replaced, or leave its messages without a summary."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from memsite.errors import Conflict, NotFound
from memsite.values import parse_id
from threads.models import Message, Thread, ThreadSummary
from threads.storage import get_thread, log_thread_event
from threads.summarization.task_state import restore_task_state
from threads.summarization.text import find_active_summary, find_place


@dataclass(frozen=True, slots=True)
class RestoredSummary:
    """The result of undoing a summary.

    Attributes:
        summary: The active summary of the current branch.
        messages: Ids of the existing messages that the undone summary covered, in order.
        state_restored: Whether the task state was restored.
    """

    summary: ThreadSummary | None
    messages: tuple[UUID, ...]
    state_restored: bool


def restore_summary(thread_id: str | UUID, summary_id: str | UUID, *, owner: UUID) -> RestoredSummary:
    """Undo a summary with the data stored in its dump: restore the version it overwrote, or leave none.

    These messages are not summarised again until new ones arrive. A task state that was written since is
    kept.

    Raises:
        NotFound: If there is no such thread or summary.
        Conflict: If the summary is undone already, or a later one builds on it.
    """
    with transaction.atomic():
        thread = get_thread(thread_id, owner=owner, lock=True)
        row = _find(thread, summary_id)
        _check_last(row)
        dump: Mapping[str, Any] = row.structured.get("dump", {})
        _take_back(row, dump.get("previous"))
        state = dump.get("task_state")
        is_restored = state is not None and restore_task_state(thread, state)
        there = _filter_present(thread, dump.get("messages", []))
        log_thread_event(thread, action="summary_undone")
    return RestoredSummary(find_active_summary(find_place(thread.pk, None, owner=owner)), there, is_restored)


def _find(thread: Thread, summary_id: str | UUID) -> ThreadSummary:
    identifier = summary_id if isinstance(summary_id, UUID) else parse_id(summary_id)
    mine = ThreadSummary.objects.filter(owner_id=thread.owner_id, thread=thread)
    row = mine.filter(pk=identifier).first() if identifier is not None else None
    if row is None:
        raise NotFound("This thread has no such summary.")
    return row


def _check_last(row: ThreadSummary) -> None:
    if row.undone_at is not None:
        raise Conflict("This summary was taken back already.")
    later = ThreadSummary.objects.filter(owner_id=row.owner_id, thread_id=row.thread_id, undone_at=None)
    if later.filter(structured__dump__based_on=str(row.pk)).exists():
        raise Conflict("A later summary builds on this one: take that back first.")


def _take_back(row: ThreadSummary, previous: Mapping[str, Any] | None) -> None:
    values: dict[str, Any] = {"undone_at": timezone.now()} if previous is None else {**previous, "error": ""}
    values |= {"failures": 0, "retry_at": None}
    for name, value in values.items():
        setattr(row, name, value)
    row.waiting = 0
    row.updated_at = timezone.now()
    row.save(update_fields=[*values, "waiting", "updated_at"])


def _filter_present(thread: Thread, ids: list[str]) -> tuple[UUID, ...]:
    rows = Message.objects.filter(owner_id=thread.owner_id, thread=thread, pk__in=ids)
    return tuple(rows.order_by("depth").values_list("id", flat=True))
