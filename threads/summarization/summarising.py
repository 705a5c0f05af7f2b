"""Summarise a branch window by window, each summary based on the last.

No transaction is open during model calls. If the process is killed, complete summaries remain, and the next
run continues after the last of them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from memsite.errors import ModelError
from memsite.jobs import renew_lease
from memsite.llm.chat import AnswerSource, ChatModel, time_limit
from memsite.metering import ModelPurpose, get_chat_model
from memsite.values import OutcomeStatus
from threads.conf import LEASE_SECONDS, LEAST_MODEL_SECONDS, MODEL_SECONDS, READ_SECONDS, SUMMARY
from threads.models import ThreadSummary
from threads.storage import queue_summary, wait_for_lease
from threads.summarization.storing import MovedMeanwhile, mark_waiting, reset_counts, store_summary
from threads.summarization.text import (
    SummaryPosition,
    SummaryText,
    SummaryWindow,
    find_active_summary,
    find_place,
    find_shown_summary,
    is_due,
    load_last_window,
    load_next_window,
    summarise_by_model,
    summarise_by_rules,
)

_TRIES: Final = 5


@dataclass(frozen=True, slots=True)
class SummaryResult:
    """State of a branch's summary after a run.

    Attributes:
        status: `done`, or `failed` if a job failed.
        source: `FALLBACK` if rules wrote it or a model failed; `NONE` if there is no summary.
        error: Why the model did not answer.
        is_unfinished: Whether messages are left to summarise; a job is queued for them.
    """

    status: OutcomeStatus
    source: AnswerSource
    error: str | None
    summary: ThreadSummary | None
    is_unfinished: bool = False


@dataclass(slots=True)
class _Run:
    """One run over a branch.

    Attributes:
        began: Monotonic time at which it started.
        failed: Why the model is not asked any more; empty if it is.
        has_stopped: Whether an old summary was kept, with a remark on the messages that follow.
    """

    thread_id: UUID
    branch_id: UUID | None
    owner: UUID
    token: UUID | None
    model: ChatModel | None
    began: float
    failed: str = ""
    has_stopped: bool = False

    def place(self) -> SummaryPosition:
        """Load the branch as it is now."""
        return find_place(self.thread_id, self.branch_id, owner=self.owner)

    def next_window(self, place: SummaryPosition) -> SummaryWindow | None:
        """Return the next window.

        If a model failed in this run, it follows the provisional summary that rules wrote.
        """
        return load_next_window(place, good=not self.failed)

    @property
    def has_time(self) -> bool:
        """Whether another window may be started."""
        return time.monotonic() - self.began < READ_SECONDS


def summarise_branch(
    thread_id: UUID, *, owner: UUID, branch: UUID | None = None, force: bool = False
) -> SummaryResult:
    """Bring the summary of a branch, by default the current one, up to its head if one is due.

    One run per thread at a time. Models are called outside of any transaction. Work that does not fit into
    the time limit is queued; for a temporary thread nothing is queued or leased.

    Args:
        force: Summarise even if not due; if there are no new messages, write the last summary again.

    Raises:
        NotFound: If there is no such thread or branch.
        LeaseBusy: If another run of the thread is in progress.
        MovedMeanwhile: If the messages keep changing.
    """
    place = find_place(thread_id, branch, owner=owner)
    if not force and not is_due(place):
        reset_counts(place)
        return get_summary_state(place)
    with _hold_lease(place) as token:
        model = get_chat_model(SUMMARY.slot, owner=owner, purpose=ModelPurpose.SUMMARY)
        run = _Run(thread_id, branch, owner, token, model, time.monotonic())
        is_left = _run_windows(run, force=force)
    if is_left and not place.thread.is_temporary:
        branch_id = branch or place.branch_id
        if branch_id is not None:
            queue_summary(thread_id, branch_id, owner=owner, force=force)
    return get_summary_state(run.place(), is_unfinished=is_left)


def get_summary_state(place: SummaryPosition, *, is_unfinished: bool = False) -> SummaryResult:
    """Return the state of a branch's summary now."""
    row = find_active_summary(place) or find_shown_summary(place)
    if row is None:
        return SummaryResult(OutcomeStatus.DONE, AnswerSource.NONE, None, None, is_unfinished)
    source = AnswerSource.FALLBACK if row.error else AnswerSource(row.source)
    return SummaryResult(OutcomeStatus.DONE, source, row.error or None, row, is_unfinished)


def _run_windows(run: _Run, *, force: bool) -> bool:
    """Summarise all windows. Return whether some are left because time ran out."""
    if force and load_next_window(run.place()) is None:
        _patiently(run, load_last_window)
        return False
    while (window := _patiently(run, run.next_window)) is not None and window.remaining:
        if run.has_stopped:
            return False
        if not run.has_time:
            return True
        if run.token is not None:
            renew_lease(run.token, LEASE_SECONDS)
    return False


def _patiently(run: _Run, find: Callable[[SummaryPosition], SummaryWindow | None]) -> SummaryWindow | None:
    """Summarise one window, and repeat if messages changed meanwhile. Return None if there was no window."""
    for _ in range(_TRIES):
        window = find(run.place())
        if window is None:
            return None
        made = _make_summary(run, window)
        try:
            if made is not None:
                store_summary(window, made, run.token)
                return window
            if mark_waiting(window.place, run.failed, run.token, chinese=window.in_chinese()):
                run.has_stopped = True
                return window
        except MovedMeanwhile:
            continue
    raise MovedMeanwhile("The thread's messages kept changing.")


def _make_summary(run: _Run, window: SummaryWindow) -> SummaryText | None:
    """Return the window's summary; None if a model failed and an older summary exists, which is kept."""
    if run.model is None or run.failed:
        return summarise_by_rules(window, run.failed)
    left = MODEL_SECONDS - (time.monotonic() - run.began)
    try:
        with time_limit(max(LEAST_MODEL_SECONDS, left)):
            return summarise_by_model(window, run.model)
    except ModelError as error:
        run.failed = error.message
    return None if find_active_summary(window.place) is not None else summarise_by_rules(window, run.failed)


@contextmanager
def _hold_lease(place: SummaryPosition) -> Iterator[UUID | None]:
    """Hold the thread's lease. A temporary thread has no lease, because that would leave a trace."""
    if place.thread.is_temporary:
        yield None
        return
    with wait_for_lease(f"summarise:{place.thread.pk}") as token:
        yield token
