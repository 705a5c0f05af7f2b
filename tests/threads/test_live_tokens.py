"""A branch's running total of tokens is unknown, or not below what its path has, whatever moved its head."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from memsite.accounts.models import User
from memsite.jobs import run_due_jobs
from memsite.jobs.models import Job
from tests.threads.saying import Talk, assistant_calls, tool_answers, user_says
from threads.branches.branching import checkout_branch, cleanup_branches, create_branch, undo_messages
from threads.compaction.compaction import compact_branch, restore_messages
from threads.compaction.context_settings import change_settings
from threads.compaction.token_counts import sum_live_tokens
from threads.messages.removal import delete_message, delete_selection
from threads.messages.transcript import append_messages, create_thread
from threads.models import Branch, Message, Thread
from threads.storage.path import branches_of, load_path
from threads.storage.queries import list_messages

BULK = "The tide table says nothing new about the harbour. " * 60
SHORT = "Short words of no bulk, again and again, until there are many of them."


class Steps:
    """What can happen to a thread; each takes a number to choose by."""

    def __init__(self, thread: Thread) -> None:
        self.id, self.owner = thread.pk, thread.owner_id

    def say(self, choice: int) -> None:
        append_messages(self.id, [user_says(SHORT * (choice + 1))], owner=self.owner)

    def call(self, choice: int) -> None:
        new = [assistant_calls("c"), tool_answers("c", BULK * (choice + 1))]
        append_messages(self.id, new, owner=self.owner)

    def branch(self, choice: int) -> None:
        create_branch(self.id, f"b{Branch.objects.count()}-{choice}", owner=self.owner)

    def checkout(self, choice: int) -> None:
        rows = branches_of(self.id, owner=self.owner)
        checkout_branch(self.id, branch=str(rows[choice % len(rows)].pk), owner=self.owner)

    def back(self, choice: int) -> None:
        if ids := self._messages():
            checkout_branch(self.id, message=ids[choice % len(ids)], owner=self.owner)

    def undo(self, choice: int) -> None:
        current = Thread.objects.select_related("current_branch__head").get(pk=self.id).current_branch
        if length := list_messages(load_path(current), owner=self.owner).count():
            undo_messages(self.id, count=choice % length + 1, owner=self.owner)

    def delete(self, choice: int) -> None:
        if ids := self._messages():
            delete_message(self.id, ids[choice % len(ids)], owner=self.owner)

    def clear(self, choice: int) -> None:
        if choice == 0:
            delete_selection(self.id, owner=self.owner)

    def cleanup(self, _choice: int) -> None:
        cleanup_branches(self.id, owner=self.owner)

    def compact(self, _choice: int) -> None:
        compact_branch(self.id, owner=self.owner, force=True)

    def restore(self, choice: int) -> None:
        restore_messages(self.id, self._messages()[:choice], owner=self.owner)

    def _messages(self) -> list[UUID]:
        rows = Message.objects.filter(owner_id=self.owner, thread_id=self.id)
        return list(rows.order_by("id").values_list("pk", flat=True))


NAMES = [name for name in vars(Steps) if not name.startswith("_")]


class RunningTotal(TestCase):
    @settings(max_examples=40)
    @given(st.lists(st.tuples(st.sampled_from(NAMES), st.integers(0, 5)), max_size=12))
    def test_total_is_never_below_a_recount(self, steps: list[tuple[str, int]]) -> None:
        thread = create_thread(owner=User.objects.create_user(username="law").pk)
        change_settings(
            thread.pk, {"pre_rot": 4_000, "keep_last": 2, "tool_result_tokens": 2_000}, owner=thread.owner_id
        )
        run: Any = Steps(thread)
        for name, choice in steps:
            getattr(run, name)(choice)
            for row in branches_of(thread.pk, owner=thread.owner_id):
                recount = sum_live_tokens(load_path(row), owner=thread.owner_id)
                assert row.live_tokens is None or row.live_tokens >= recount, name


def test_line_that_was_undone_is_compacted_at_its_threshold_again(thread: Thread, talk: Talk) -> None:
    change_settings(thread.pk, {"pre_rot": 3_000}, owner=thread.owner_id)
    talk(*[SHORT] * 300)
    run_due_jobs()
    undo_messages(thread.pk, count=300, owner=thread.owner_id)
    talk(assistant_calls("c"), tool_answers("c", BULK * 4), *[SHORT] * 12)
    assert Job.objects.filter(task="threads.tasks.compact", status="queued").exists()


def test_line_that_was_cleared_is_compacted_at_its_threshold_again(thread: Thread, talk: Talk) -> None:
    change_settings(thread.pk, {"pre_rot": 3_000}, owner=thread.owner_id)
    talk(*[SHORT] * 300)
    run_due_jobs()
    delete_selection(thread.pk, owner=thread.owner_id)
    talk(assistant_calls("c"), tool_answers("c", BULK * 4), *[SHORT] * 12)
    assert Job.objects.filter(task="threads.tasks.compact", status="queued").exists()
