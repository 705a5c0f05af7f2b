"""Load what a summary is made from: the nearest summary on a path, and a window of messages after it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from django.db.models import Count, QuerySet, Sum
from django.utils import timezone

from memsite.values import MessageRole
from threads.compaction import load_whole_content
from threads.conf import SUMMARY_WINDOW, SUMMARY_WINDOW_TOKENS
from threads.models import Message, TaskState, Thread, ThreadSummary
from threads.storage import (
    MessageFilter,
    Path,
    find_nearest_summary,
    get_branch,
    get_thread,
    list_messages,
    load_path,
    summaries_on,
)
from threads.summarization.due import SummaryThresholds, UnsummarisedCount
from threads.summarization.task_state import load_task_state
from threads.summarization.text.limits import remove_remark, speaks_chinese

_BEFORE_ALL: Final = -1


@dataclass(frozen=True, slots=True)
class SummaryPosition:
    """The branch to summarise: a thread with this branch as its current one, and the path to its head."""

    thread: Thread
    path: Path

    @property
    def owner(self) -> UUID:
        """Owner of the thread."""
        return self.thread.owner_id

    @property
    def branch_id(self) -> UUID | None:
        """Id of the branch to summarise."""
        return self.thread.current_branch_id

    @property
    def head(self) -> Message | None:
        """Newest message of the branch, or None."""
        branch = self.thread.current_branch
        head: Message | None = branch.head if branch is not None else None
        return head


@dataclass(frozen=True, slots=True)
class SummaryWindow:
    """Messages to summarise on top of an active summary; never empty.

    Attributes:
        rows: Messages, oldest first.
        state: Task state that the summary is made with.
        remaining: How many messages follow on the path.
    """

    place: SummaryPosition
    previous: ThreadSummary | None
    rows: tuple[Message, ...]
    state: TaskState | None
    remaining: int

    @property
    def old_text(self) -> str:
        """Text of the previous summary without its remark; empty if there is none."""
        return remove_remark(self.previous.content) if self.previous is not None else ""

    @property
    def last(self) -> Message:
        """The last message of the window."""
        return self.rows[-1]

    def in_chinese(self) -> bool:
        """Return whether the user's messages, or all messages if there are none of the user, are Chinese."""
        user_texts = [row.content for row in self.rows if row.role == MessageRole.USER]
        return speaks_chinese(user_texts or [row.content for row in self.rows] or [self.old_text])


def find_place(thread_id: UUID, branch_id: UUID | None, *, owner: UUID) -> SummaryPosition:
    """Return the place of the current branch, or of another one.

    Raises:
        NotFound: If there is no such thread or branch.
    """
    thread = get_thread(thread_id, owner=owner)
    if branch_id is not None and branch_id != thread.current_branch_id:
        thread.current_branch = get_branch(thread, str(branch_id))  # for this read only and not saved
    return SummaryPosition(thread, load_path(thread.current_branch))


def count_unsummarised(place: SummaryPosition) -> UnsummarisedCount:
    """Count the messages after the last summary that is not provisional; an undone summary counts."""
    found = _after(place, get_depth(_cursor(place))).aggregate(count=Count("id"), tokens=Sum("token_count"))
    return UnsummarisedCount(found["count"], found["tokens"] or 0)


def is_due(place: SummaryPosition) -> bool:
    """Return whether a summary is due.

    It is if the exact counts of new messages require one, or if a summary is stale or to be retried.
    """
    if (
        SummaryThresholds.of(place.thread.settings).call_for(count_unsummarised(place))
        or _stale(place).exists()
    ):
        return True
    row = find_active_summary(place)
    return row is not None and row.retry_at is not None and row.retry_at <= timezone.now()


def load_next_window(place: SummaryPosition, *, good: bool = True) -> SummaryWindow | None:
    """Return the first messages after the last summary, or None.

    Args:
        good: Ignore provisional summaries.
    """
    found = _list_active(place)
    return _load_window(place, (found.filter(is_provisional=False) if good else found).first())


def load_last_window(place: SummaryPosition) -> SummaryWindow | None:
    """Return the window that the last summary that is not provisional was made from, to write it again."""
    last = _list_active(place).filter(is_provisional=False).first()
    if last is None:
        return None
    before = _list_active(place).filter(is_provisional=False, last_message__depth__lt=get_depth(last)).first()
    return _load_window(place, before, through=get_depth(last))


def find_active_summary(place: SummaryPosition) -> ThreadSummary | None:
    """Return the nearest active summary on the path; it may be provisional."""
    return find_nearest_summary(place.path, owner=place.owner)


def find_shown_summary(place: SummaryPosition) -> ThreadSummary | None:
    """Return the nearest summary that was not undone; it may be stale."""
    return _on(place).filter(undone_at=None).first()


def get_depth(summary: ThreadSummary | None) -> int:
    """Return the depth of the last message that a summary covers; -1 for None."""
    return summary.last_message.depth if summary is not None else _BEFORE_ALL


def count_after(place: SummaryPosition, summary: ThreadSummary | None) -> int:
    """Return how many messages of the path follow those that a summary covers."""
    return _after(place, get_depth(summary)).count()


def _load_window(
    place: SummaryPosition, previous: ThreadSummary | None, through: int | None = None
) -> SummaryWindow | None:
    after = _after(place, get_depth(previous))
    if through is not None:
        after = after.filter(depth__lte=through)
    rows = _first(list(after.order_by("depth")[:SUMMARY_WINDOW]))
    if not rows:
        return None
    state = load_task_state(place.thread, owner=place.owner)
    remaining = _after(place, rows[-1].depth).count()
    return SummaryWindow(place, previous, tuple(rows), state, remaining)


def _first(rows: Sequence[Message]) -> list[Message]:
    """Return as many messages as a window's tokens hold, at least one, with offloaded content in full."""
    kept: list[Message] = []
    tokens = 0
    for row in rows:
        tokens += row.token_count
        if kept and tokens > SUMMARY_WINDOW_TOKENS:
            break
        kept.append(row)
    whole = load_whole_content(kept, owner=kept[0].owner_id) if kept else {}
    for row in kept:  # in memory only: a pointer says too little to be summarised
        row.content = whole[row.pk]
    return kept


def _after(place: SummaryPosition, depth: int) -> QuerySet[Message]:
    return list_messages(place.path, MessageFilter(after=depth), owner=place.owner)


def _on(place: SummaryPosition) -> QuerySet[ThreadSummary]:
    return summaries_on(place.path, owner=place.owner)


def _list_active(place: SummaryPosition) -> QuerySet[ThreadSummary]:
    return _on(place).filter(is_stale=False, undone_at=None)


def _cursor(place: SummaryPosition) -> ThreadSummary | None:
    return _on(place).filter(is_stale=False, is_provisional=False).first()


def _stale(place: SummaryPosition) -> QuerySet[ThreadSummary]:
    """Return stale summaries that no later active summary replaces."""
    depth = get_depth(_list_active(place).filter(is_provisional=False).first())
    return _on(place).filter(is_stale=True, last_message__depth__gt=depth)
