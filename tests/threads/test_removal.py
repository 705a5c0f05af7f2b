from __future__ import annotations

from datetime import timedelta
from uuid import UUID

import pytest
from django.utils import timezone

from memories.curation import undo_batch
from memories.models import Memory
from memsite.accounts.models import User
from memsite.errors import Conflict, NotFound
from memsite.jobs import run_due_jobs
from memsite.jobs.models import Job
from memsite.values import MessageRole
from tests.threads.saying import Talk, assistant_calls, tool_answers, user_says
from threads.branches.branching import checkout_branch
from threads.messages.reading import Selection
from threads.messages.removal import (
    close_thread,
    delete_message,
    delete_selection,
    delete_thread,
    set_do_not_remember,
)
from threads.messages.transcript import append_messages, create_thread
from threads.models import Branch, Learning, Message, Thread
from threads.storage.access import get_message, get_thread
from threads.storage.path import load_path
from threads.storage.queries import MessageFilter, list_messages
from threads.summarization.task_state import set_task_state
from threads.tasks import expire_temporary


def line(thread: Thread) -> list[str]:
    path = load_path(get_thread(thread.pk, owner=thread.owner_id).current_branch)
    rows = list_messages(path, owner=thread.owner_id).order_by("depth")
    return [row.content or "call" for row in rows]


def standing(owner: UUID, layer: str) -> list[str]:
    rows = Memory.objects.filter(owner_id=owner, layer=layer, forgotten_at=None).order_by("turn")
    return list(rows.values_list("content", flat=True))


def temporary(owner: UUID) -> Thread:
    thread = create_thread(owner=owner, is_temporary=True)
    append_messages(thread.pk, [user_says("my name is Alice")], owner=owner)
    return thread


def test_children_of_a_deleted_message_hang_on_what_came_before(thread: Thread, talk: Talk) -> None:
    first, second, third = talk("one", "two", "three")
    delete_message(thread.pk, second.pk, owner=thread.owner_id)
    third.refresh_from_db()
    assert third.parent_id == first.pk
    assert line(thread) == ["one", "three"]


def test_first_message_deleted_leaves_its_child_a_root(thread: Thread, talk: Talk) -> None:
    first, second = talk("one", "two")
    delete_message(thread.pk, first.pk, owner=thread.owner_id)
    second.refresh_from_db()
    assert second.parent_id is None


def test_after_the_last_message_is_deleted_the_thread_goes_on(thread: Thread, talk: Talk) -> None:
    first, second = talk("one", "two")
    delete_message(thread.pk, second.pk, owner=thread.owner_id)
    [third] = talk("three")
    assert third.parent_id == first.pk
    assert line(thread) == ["one", "three"]


@pytest.mark.parametrize(
    ("index", "left"), [(0, ["two", "three"]), (-1, ["one", "two"]), ("1", ["one", "three"])]
)
def test_message_is_deleted_by_its_index(thread: Thread, talk: Talk, index: int, left: list[str]) -> None:
    talk("one", "two", "three")
    delete_message(thread.pk, index, owner=thread.owner_id)
    assert line(thread) == left


@pytest.mark.parametrize("index", [3, -4, 999_999_999, "x"])
def test_index_beyond_the_line_is_not_found(thread: Thread, talk: Talk, index: int | str) -> None:
    talk("one", "two", "three")
    with pytest.raises(NotFound):
        get_message(get_thread(thread.pk, owner=thread.owner_id), index)


def test_deleted_tool_call_takes_its_results_along(thread: Thread, talk: Talk) -> None:
    messages = talk("look", assistant_calls("a", "b"), tool_answers("a"), tool_answers("b"), "thanks")
    removed = delete_message(thread.pk, messages[1].pk, owner=thread.owner_id)
    assert removed.messages == 3
    assert line(thread) == ["look", "thanks"]


def test_result_of_a_later_call_with_the_same_id_stays(thread: Thread, talk: Talk) -> None:
    messages = talk(
        assistant_calls("a"), tool_answers("a", "1"), assistant_calls("a"), tool_answers("a", "2")
    )
    delete_message(thread.pk, messages[0].pk, owner=thread.owner_id)
    assert line(thread) == ["call", "2"]


def test_deleted_result_leaves_its_call(thread: Thread, talk: Talk) -> None:
    messages = talk(assistant_calls("a"), tool_answers("a"), "thanks")
    delete_message(thread.pk, messages[1].pk, owner=thread.owner_id)
    assert line(thread) == ["call", "thanks"]


def test_episode_is_forgotten_with_its_message_and_facts_stay(thread: Thread, talk: Talk) -> None:
    [message] = talk("I live in Berlin.")
    run_due_jobs()
    removed = delete_message(thread.pk, message.pk, owner=thread.owner_id)
    assert len(removed.forgotten) == 1
    assert standing(thread.owner_id, "episodic") == []
    assert any("Berlin" in fact for fact in standing(thread.owner_id, "semantic"))


def test_forgetting_of_an_episode_can_be_undone(thread: Thread, talk: Talk) -> None:
    [message] = talk("It rains.")
    run_due_jobs()
    removed = delete_message(thread.pk, message.pk, owner=thread.owner_id)
    assert removed.batch_id is not None
    undo_batch(removed.batch_id, owner=thread.owner_id, actor="person")
    assert standing(thread.owner_id, "episodic") == ["It rains."]


def test_cleared_thread_is_empty_and_can_go_on(thread: Thread, talk: Talk) -> None:
    talk("one", "two")
    assert delete_selection(thread.pk, owner=thread.owner_id).messages == 2
    [third] = talk("three")
    assert third.parent_id is None
    assert line(thread) == ["three"]


def test_clearing_by_role_keeps_the_others_in_one_chain(thread: Thread, talk: Talk) -> None:
    first, _, third, _ = talk("one", "two", "three", "four")
    path = load_path(get_thread(thread.pk, owner=thread.owner_id).current_branch)
    delete_selection(
        thread.pk, Selection(path, MessageFilter(roles=(MessageRole.ASSISTANT,))), owner=thread.owner_id
    )
    third.refresh_from_db()
    assert third.parent_id == first.pk
    assert Branch.objects.get(thread=thread).head_id == third.pk
    assert line(thread) == ["one", "three"]


def test_deleted_thread_leaves_no_rows_and_forgets_its_episodes(thread: Thread, talk: Talk) -> None:
    talk("I live in Berlin.", "Nice city.")
    run_due_jobs()
    removed = delete_thread(thread.pk, owner=thread.owner_id)
    assert (removed.messages, len(removed.forgotten)) == (2, 2)
    assert not any(model.objects.exists() for model in (Thread, Message, Branch, Learning))
    assert standing(thread.owner_id, "episodic") == []


def test_mark_set_later_forgets_what_came_of_this_message_alone(thread: Thread, talk: Talk) -> None:
    first, _ = talk("I live in Berlin.", user_says("I work at Siemens."))
    run_due_jobs()
    set_do_not_remember(thread.pk, first.pk, do_not_remember=True, owner=thread.owner_id)
    left = standing(thread.owner_id, "semantic") + standing(thread.owner_id, "episodic")
    assert any("Siemens" in one for one in left)
    assert not any("Berlin" in one for one in left)


def test_mark_keeps_what_was_learnt_elsewhere_too(thread: Thread, talk: Talk) -> None:
    first, _ = talk(user_says("I live in Berlin."), user_says("I live in Berlin."))
    run_due_jobs()
    set_do_not_remember(thread.pk, first.pk, do_not_remember=True, owner=thread.owner_id)
    assert any("Berlin" in one for one in standing(thread.owner_id, "semantic"))


def test_mark_taken_away_before_learning_lets_the_message_be_learnt(thread: Thread, talk: Talk) -> None:
    [message] = talk(user_says("I live in Berlin.", do_not_remember=True))
    set_do_not_remember(thread.pk, message.pk, do_not_remember=False, owner=thread.owner_id)
    run_due_jobs()
    assert standing(thread.owner_id, "episodic") == ["I live in Berlin."]


def test_closed_temporary_thread_keeps_no_message_and_no_title(alice: User) -> None:
    thread = temporary(alice.pk)
    closed = close_thread(thread.pk, owner=alice.pk)
    assert closed.closed_at is not None
    assert closed.title == ""
    assert not Message.objects.exists()


def test_closed_temporary_thread_takes_no_message(alice: User) -> None:
    thread = temporary(alice.pk)
    close_thread(thread.pk, owner=alice.pk)
    with pytest.raises(Conflict):
        append_messages(thread.pk, [user_says("hello")], owner=alice.pk)


def test_closed_normal_thread_keeps_its_messages_and_opens_with_the_next(thread: Thread, talk: Talk) -> None:
    talk("one")
    assert close_thread(thread.pk, owner=thread.owner_id).closed_at is not None
    talk("two")
    thread.refresh_from_db()
    assert thread.closed_at is None
    assert line(thread) == ["one", "two"]


def test_temporary_thread_is_closed_after_a_day(alice: User) -> None:
    thread = temporary(alice.pk)
    Thread.objects.filter(pk=thread.pk).update(created_at=timezone.now() - timedelta(hours=25))
    assert expire_temporary() == 1
    assert not Message.objects.exists()


def test_younger_temporary_and_old_normal_threads_stay(alice: User, thread: Thread, talk: Talk) -> None:
    talk("one")
    Thread.objects.filter(pk=thread.pk).update(created_at=timezone.now() - timedelta(days=9))
    temporary(alice.pk)
    assert expire_temporary() == 0
    assert Message.objects.count() == 2


def test_row_of_a_temporary_thread_goes_a_day_after_it_was_closed(alice: User) -> None:
    thread = temporary(alice.pk)
    close_thread(thread.pk, owner=alice.pk)
    Thread.objects.filter(pk=thread.pk).update(closed_at=timezone.now() - timedelta(hours=25))
    expire_temporary()
    assert not Thread.objects.exists()


def test_temporary_thread_leaves_nothing_in_long_term_memory_or_jobs(alice: User) -> None:
    thread = temporary(alice.pk)
    close_thread(thread.pk, owner=alice.pk)
    run_due_jobs()
    assert not Memory.objects.exists()
    assert not Job.objects.exists()


@pytest.mark.parametrize("verb", [delete_thread, close_thread, delete_selection])
def test_another_owner_finds_no_such_thread(bob: User, thread: Thread, verb: object) -> None:
    with pytest.raises(NotFound):
        verb(thread.pk, owner=bob.pk)  # type: ignore[operator]  # a case of the table


def test_deleted_tool_call_takes_its_results_on_other_lines_along(thread: Thread, talk: Talk) -> None:
    _, call, _ = talk("one", assistant_calls("a"), user_says("never mind"))
    checkout_branch(thread.pk, message=call.pk, owner=thread.owner_id)
    talk(tool_answers("a"), "four")
    delete_message(thread.pk, call.pk, owner=thread.owner_id)
    assert line(thread) == ["one", "four"]


def test_cleared_tool_calls_take_their_results_along(thread: Thread, talk: Talk) -> None:
    talk("one", assistant_calls("a"), tool_answers("a"), "four")
    path = load_path(get_thread(thread.pk, owner=thread.owner_id).current_branch)
    chosen = Selection(path, MessageFilter(roles=(MessageRole.ASSISTANT,)))
    assert delete_selection(thread.pk, chosen, owner=thread.owner_id).messages == 3
    assert line(thread) == ["one"]


def test_closed_temporary_thread_takes_no_task_state(alice: User) -> None:
    thread = temporary(alice.pk)
    close_thread(thread.pk, owner=alice.pk)
    with pytest.raises(Conflict):
        set_task_state(thread.pk, {"current_goal": "x"}, owner=alice.pk)
