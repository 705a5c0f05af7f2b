from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from memsite.accounts.models import User
from memsite.accounts.preferences import set_preferences
from memsite.errors import Conflict, InvalidInput, NotFound
from memsite.jobs.models import Job
from memsite.llm.tokens import count_message_tokens
from memsite.values import MessageRole
from tests.threads.saying import Talk, assistant_calls, assistant_says, tool_answers, user_says
from threads.branches.branching import checkout_branch
from threads.messages.incoming import NewMessage
from threads.messages.transcript import append_messages, change_thread, create_thread
from threads.models import Message, Thread


def contents(thread: Thread) -> list[str]:
    return list(Message.objects.filter(thread=thread).order_by("depth").values_list("content", flat=True))


def test_messages_stand_in_the_order_they_were_given(thread: Thread, talk: Talk) -> None:
    talk("one", "two")
    talk("three")
    assert contents(thread) == ["one", "two", "three"]


def test_each_message_hangs_on_the_one_before(talk: Talk) -> None:
    [first, second] = talk("one", "two")
    [third] = talk("three")
    assert (first.parent_id, second.parent_id, third.parent_id) == (None, first.pk, second.pk)
    assert (first.depth, second.depth, third.depth) == (0, 1, 2)


def test_tokens_are_counted_with_overhead_and_tool_calls(talk: Talk) -> None:
    [message] = talk(assistant_calls("a", text="let me look"))
    counted = count_message_tokens({"content": "let me look", "tool_calls": message.tool_calls})
    assert message.token_count == counted > 20


def test_known_client_id_is_not_added_again(thread: Thread, talk: Talk) -> None:
    [first] = talk(user_says("hello", client_id="a"))
    again = append_messages(thread.pk, [user_says("hello", client_id="a")], owner=thread.owner_id)
    assert again.new == 0
    assert again.messages[0].pk == first.pk
    assert contents(thread) == ["hello"]


def test_known_client_id_with_other_content_is_a_conflict(talk: Talk) -> None:
    talk(user_says("hello", client_id="a"))
    with pytest.raises(Conflict):
        talk(user_says("goodbye", client_id="a"))


def test_client_id_given_twice_in_a_batch_is_added_once(thread: Thread, talk: Talk) -> None:
    twice = talk(user_says("hello", client_id="a"), user_says("hello", client_id="a"))
    assert twice[0].pk == twice[1].pk
    assert contents(thread) == ["hello"]


def test_batch_adds_only_what_is_new(thread: Thread, talk: Talk) -> None:
    talk(user_says("one", client_id="a"))
    talk(user_says("one", client_id="a"), assistant_says("two", client_id="b"))
    assert contents(thread) == ["one", "two"]


def test_state_may_spell_a_nul_but_hold_none() -> None:
    spelt = {"regex": r"\u0000", "list": [r"a\u0000"]}
    assert user_says("one", state=spelt).state == spelt
    with pytest.raises(ValueError, match="NUL"):
        user_says("one", state={"list": [{"key": "a\0"}]})


def test_batch_with_one_bad_message_adds_nothing(thread: Thread, talk: Talk) -> None:
    with pytest.raises(InvalidInput):
        talk(user_says("one"), tool_answers("nothing was called"))
    assert contents(thread) == []


def test_tool_message_may_answer_a_call_of_the_same_batch(thread: Thread, talk: Talk) -> None:
    talk(assistant_calls("a", "b"), tool_answers("b"), tool_answers("a"))
    assert len(contents(thread)) == 3


def test_tool_message_may_answer_a_call_stored_before(thread: Thread, talk: Talk) -> None:
    talk(assistant_calls("a"))
    talk(tool_answers("a"))
    assert len(contents(thread)) == 2


def test_second_result_of_a_stored_call_is_refused(thread: Thread, talk: Talk) -> None:
    talk(assistant_calls("a"), tool_answers("a"))
    with pytest.raises(InvalidInput, match="has a result already"):
        talk(user_says("and?"), tool_answers("a", "another"))
    assert Message.objects.filter(thread=thread).count() == 2


def test_second_result_in_one_batch_is_refused(talk: Talk) -> None:
    with pytest.raises(InvalidInput) as caught:
        talk(assistant_calls("a"), tool_answers("a"), tool_answers("a"))
    assert caught.value.detail == {"messages.2.tool_call_id": "answered already"}


def test_id_that_is_called_again_may_be_answered_again(thread: Thread, talk: Talk) -> None:
    talk(assistant_calls("a"), tool_answers("a"))
    talk(assistant_calls("a"), tool_answers("a"))
    assert Message.objects.filter(thread=thread).count() == 4


def test_call_may_be_answered_once_on_each_line(thread: Thread, talk: Talk) -> None:
    call, _ = talk(assistant_calls("a"), tool_answers("a"))
    checkout_branch(thread.pk, message=call.pk, owner=thread.owner_id)
    assert talk(tool_answers("a", "another"))[0].parent_id == call.pk


def test_tool_message_may_not_answer_a_call_that_comes_later(talk: Talk) -> None:
    with pytest.raises(InvalidInput, match="must answer a tool call"):
        talk(tool_answers("a"), assistant_calls("a"))


def test_tool_message_may_not_answer_a_call_of_another_thread(alice: User, talk: Talk) -> None:
    talk(assistant_calls("a"))
    other = create_thread(owner=alice.pk)
    with pytest.raises(InvalidInput):
        append_messages(other.pk, [tool_answers("a")], owner=alice.pk)


def test_title_is_the_first_line_of_the_first_message_of_the_user(thread: Thread, talk: Talk) -> None:
    talk(assistant_says("Hello!"), user_says("How do I\tsail?\nI have a boat."))
    thread.refresh_from_db()
    assert thread.title == "How do I sail?"


def test_made_title_holds_no_secret_of_the_first_message(thread: Thread, talk: Talk) -> None:
    talk("My wifi password is Koala4471! and the router is slow")
    thread.refresh_from_db()
    assert thread.title == "My wifi password is [redacted:password] and the router is slow"


def test_long_first_message_gives_a_title_cut_between_words(thread: Thread, talk: Talk) -> None:
    talk("word " * 100)
    thread.refresh_from_db()
    assert thread.title.endswith("word…")
    assert len(thread.title) <= 80


def test_given_title_is_kept(alice: User) -> None:
    thread = create_thread(owner=alice.pk, title="Boats")
    append_messages(thread.pk, [user_says("hello")], owner=alice.pk)
    thread.refresh_from_db()
    assert thread.title == "Boats"


def test_renamed_thread_keeps_its_name(thread: Thread, talk: Talk) -> None:
    talk("hello")
    change_thread(thread.pk, {"title": "Boats"}, owner=thread.owner_id)
    talk("goodbye")
    thread.refresh_from_db()
    assert thread.title == "Boats"


def test_six_hours_of_silence_begin_a_new_session(talk: Talk) -> None:
    noon = datetime(2024, 5, 1, 12, tzinfo=UTC)
    hours = (0, 5.9, 12, 12.1)
    messages = talk(*[user_says(str(hour), created_at=noon + timedelta(hours=hour)) for hour in hours])
    assert [message.session_number for message in messages] == [1, 1, 2, 2]


def test_appending_queues_one_job_for_the_thread(thread: Thread, talk: Talk) -> None:
    talk("one", "two")
    talk("three")
    jobs = Job.objects.filter(task="threads.tasks.learn")
    assert [job.args for job in jobs] == [[str(thread.pk), str(thread.owner_id)]]


def test_temporary_thread_queues_nothing(alice: User) -> None:
    thread = create_thread(owner=alice.pk, is_temporary=True)
    append_messages(thread.pk, [user_says("my name is Alice")], owner=alice.pk)
    assert not Job.objects.exists()


def test_nothing_is_queued_while_memory_is_off(alice: User, talk: Talk) -> None:
    set_preferences(alice.pk, memory_on=False)
    [message] = talk("my name is Alice")
    assert message.learnt_at is not None
    assert not Job.objects.exists()


def test_system_and_tool_messages_are_never_waiting_to_be_learnt(talk: Talk) -> None:
    messages = talk(
        NewMessage(role=MessageRole.SYSTEM, content="be brief"), assistant_calls("a"), tool_answers("a")
    )
    assert all(message.learnt_at is not None for message in messages)


def test_another_owner_cannot_append(bob: User, thread: Thread) -> None:
    with pytest.raises(NotFound):
        append_messages(thread.pk, [user_says("hello")], owner=bob.pk)
