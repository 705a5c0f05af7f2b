"""Read and write a thread's task state: clients set it, and summaries update it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from memsite.errors import Conflict
from threads.models import Message, TaskState, TaskStateWriter, Thread
from threads.storage import get_thread, log_thread_event


@dataclass(frozen=True, slots=True)
class TaskStateContent:
    """The content of a task state."""

    current_goal: str = ""
    completed_steps: tuple[str, ...] = ()
    pending_steps: tuple[str, ...] = ()
    key_findings: tuple[str, ...] = ()

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> TaskStateContent:
        """Create from JSON with these fields."""
        lists = ("completed_steps", "pending_steps", "key_findings")
        return cls(str(stored.get("current_goal", "")), *(tuple(stored.get(name, ())) for name in lists))

    def as_json(self) -> dict[str, Any]:
        """Return JSON with these fields."""
        return {
            "current_goal": self.current_goal,
            "completed_steps": list(self.completed_steps),
            "pending_steps": list(self.pending_steps),
            "key_findings": list(self.key_findings),
        }

    @property
    def says_something(self) -> bool:
        """Whether any field is set."""
        return any(self.as_json().values())


def load_task_state(thread: Thread, *, owner: UUID) -> TaskState | None:
    """Return the stored task state of a thread; None if nobody wrote one. One query."""
    return TaskState.objects.filter(owner_id=owner, thread_id=thread.pk).first()


def read_content(row: TaskState | None) -> TaskStateContent:
    """Return the content of a stored task state; empty if there is none."""
    if row is None:
        return TaskStateContent()
    lists = (row.completed_steps, row.pending_steps, row.key_findings)
    return TaskStateContent(row.current_goal, *(tuple(one) for one in lists))


def set_task_state(
    thread_id: str | UUID, changes: Mapping[str, Any], *, owner: UUID, keep_others: bool = False
) -> TaskState:
    """Write a thread's task state.

    Args:
        keep_others: Keep the fields that are not given; by default they become empty.

    Raises:
        NotFound: If the owner has no such thread.
        Conflict: If the thread is temporary and closed.
    """
    with transaction.atomic():
        thread = get_thread(thread_id, owner=owner, lock=True)
        if thread.is_temporary and thread.closed_at is not None:
            raise Conflict("This temporary thread is closed.")
        before = read_content(load_task_state(thread, owner=owner)).as_json() if keep_others else {}
        log_thread_event(thread, action="task_state")
        return _store(thread, TaskStateContent.of({**before, **changes}), by=TaskStateWriter.CLIENT)


def update_from_summary(
    thread: Thread, state: TaskStateContent, *, loaded: TaskState | None, newest: Message
) -> TaskState | None:
    """Write the task state that a summary found. Call within a transaction that holds the thread's lock.

    Nothing is written if a client wrote the state after the newest message, if the state changed since it was
    loaded, if the found state is empty, or if it would not change.

    Args:
        loaded: The row that the summary was made with.
        newest: The last message that the summary covers.

    Returns:
        The row written, or None.
    """
    row = load_task_state(thread, owner=thread.owner_id)
    is_other = (row and row.updated_at) != (loaded and loaded.updated_at)
    is_newer = (
        row is not None and row.written_by == TaskStateWriter.CLIENT and row.updated_at > _came_at(newest)
    )
    if is_other or is_newer or not state.says_something or read_content(row) == state:
        return None
    return _store(thread, state, by=TaskStateWriter.SUMMARY)


def restore_task_state(thread: Thread, before: Mapping[str, Any]) -> bool:
    """Restore the task state from before a summary, unless it changed since the summary wrote it.

    Call within a transaction that holds the thread's lock.

    Args:
        before: {"was": the state's JSON or None, "written_at": when the summary wrote}.

    Returns:
        Whether it was restored.
    """
    row = load_task_state(thread, owner=thread.owner_id)
    if (
        row is None
        or row.written_by != TaskStateWriter.SUMMARY
        or row.updated_at.isoformat() != before["written_at"]
    ):
        return False
    if before["was"] is None:
        row.delete()
    else:
        _store(thread, TaskStateContent.of(before["was"]), by=TaskStateWriter.SUMMARY)
    return True


def _store(thread: Thread, state: TaskStateContent, *, by: TaskStateWriter) -> TaskState:
    values = {**state.as_json(), "written_by": by, "updated_at": timezone.now()}
    row, _ = TaskState.objects.update_or_create(
        owner_id=thread.owner_id, thread_id=thread.pk, defaults=values
    )
    return row


def _came_at(message: Message) -> datetime:
    """Return when a message was stored, whatever time its client gave: the milliseconds of its id."""
    return datetime.fromtimestamp((message.pk.int >> 80) / 1000, UTC)
