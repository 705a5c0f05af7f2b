"""A history that is sent again is stored once, and the thread has the turns that the person saw."""

from __future__ import annotations

import json
from datetime import timedelta
from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memsite.accounts.applications import create_application, get_end_user
from memsite.accounts.models import User
from memsite.errors import InvalidInput, NotFound
from tests.threads.completions.frontend import (
    RAG,
    Frontend,
    answer_question,
    assistant,
    count_messages,
    read_path,
    send,
    user,
)
from threads.completions.alignment import align_history, store_new_messages
from threads.completions.values import CompletionCaller, ThreadReference
from threads.messages import create_thread
from threads.models import Message, Thread

pytestmark = pytest.mark.django_db
LONG = "Minka is a lovely name for a cat, and she will surely like you."

HOW = st.fixed_dictionaries(
    {"window": st.sampled_from([0, 0, 4, 6]), "is_wrapped": st.booleans(), "times": st.integers(1, 2)}
)
ACT = st.tuples(
    st.sampled_from(["ask", "ask", "regenerate", "edit", "aside", "lose"]), st.integers(0, 3), HOW
)


def act(frontend: Frontend, name: str, place: int, how: dict[str, Any], text: str) -> None:
    questions = len(frontend.turns) // 2
    if name == "aside":
        frontend.ask_aside()
    elif name == "regenerate" and questions:
        frontend.regenerate(**how)
    elif name == "edit" and questions > 1:
        frontend.edit(1 + place % (questions - 1), text, **how)
    elif name == "lose" and questions:
        frontend.ask(text, **how, lost=1)
    else:
        frontend.ask(text, **how)


def play(frontend: Frontend, acts: list[tuple[str, int, dict[str, Any]]]) -> None:
    frontend.ask("My cat is called Minka.")
    for number, (name, place, how) in enumerate(acts):
        act(frontend, name, place, how, f"Question {number} about my cat?")
        frontend.check()


LAW = settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])


@LAW
@given(acts=st.lists(ACT, max_size=6))
def test_a_thread_without_a_name_has_what_the_person_saw(alice: User, acts: list[Any]) -> None:
    play(Frontend(alice), acts)


@LAW
@given(acts=st.lists(ACT, max_size=6), number=st.integers(0, 10**9))
def test_a_named_thread_has_what_the_person_saw(alice: User, acts: list[Any], number: int) -> None:
    play(Frontend(alice, name=f"chat-{number}-{Thread.objects.count()}"), acts)


@LAW
@given(acts=st.lists(ACT, max_size=6), short=st.booleans())
def test_a_thread_placed_by_ids_has_what_the_person_saw(alice: User, acts: list[Any], *, short: bool) -> None:
    name = f"chat-{Thread.objects.count()}"
    play(Frontend(alice, name=name, has_ids=True, short=short), acts)


def test_equal_short_answers_in_a_named_thread_are_told_by_what_is_before(alice: User) -> None:
    frontend = Frontend(alice, name="chat-7", short=True)
    for number in range(4):
        frontend.ask(f"Question {number}?")
        frontend.check()
    frontend.edit(2, "Another question?")
    frontend.check()


def test_the_first_message_of_a_named_thread_can_be_edited(alice: User) -> None:
    frontend = Frontend(alice, name="chat-7")
    frontend.ask("My cat is called Minka.")
    frontend.edit(0, "My dog is called Rex.")
    frontend.check()
    assert count_messages(alice) == (1, 4)


def test_a_single_hi_never_joins_an_old_thread(alice: User) -> None:
    first = send([user("hi")], alice)
    answer_question(first, "Hello!")
    second = send([user("hi")], alice)
    assert second.thread != first.thread


def test_a_short_first_answer_continues_its_own_thread(alice: User) -> None:
    first = send([user("hi")], alice)
    answer_question(first, "Hello!")
    second = send([user("hi"), assistant("Hello!"), user("How are you?")], alice)
    assert second.thread == first.thread


def test_a_message_after_one_short_answer_can_be_edited(alice: User) -> None:
    frontend = Frontend(alice, short=True)
    frontend.ask("My cat is called Minka, and she is twelve years old.")
    frontend.ask("What is she called?")
    frontend.edit(1, "How old is she?")
    frontend.check()
    assert count_messages(alice) == (1, 6)


def test_a_short_answer_elsewhere_is_no_anchor(alice: User) -> None:
    first = send([user("Is it raining?")], alice)
    answer_question(first, "Yes.")
    second = send([user("Are you there?"), assistant("Yes."), user("Good.")], alice)
    assert second.thread != first.thread
    assert len(read_path(second.thread.pk, alice)) == 3


def test_a_first_message_that_nobody_answered_is_not_stored_twice(alice: User) -> None:
    first, second = (
        send([user("My cat is called Minka.")], alice),
        send([user("My cat is called Minka.")], alice),
    )
    assert first.message == second.message
    assert count_messages(alice) == (1, 1)


def test_a_first_message_that_the_client_sends_again_is_not_stored_twice(alice: User) -> None:
    first = send([user("hi")], alice)
    answer_question(first, "Hello!")
    again = send([user("hi")], alice, CompletionCaller(alice.pk, is_retry=True))
    assert again.message == first.message


def test_a_client_that_sends_only_the_newest_message_continues_at_the_head(alice: User) -> None:
    caller = CompletionCaller(alice.pk, thread=ThreadReference("chat-7", may_be_id=True))
    for text in ("My cat is called Minka.", "She is ill.", "yes", "yes"):
        answer_question(send([user(text)], alice, caller), f"I see: {text}")
    assert [text for _, text in read_path(Thread.objects.get().pk, alice)][::2] == [
        "My cat is called Minka.",
        "She is ill.",
        "yes",
        "yes",
    ]


def test_an_edited_answer_is_stored_beside_ours(alice: User) -> None:
    first = send([user("Name?")], alice)
    answer_question(first, LONG)
    second = send([user("Name?"), assistant(LONG), user("Who?")], alice)
    answer_question(second, "A cat.")
    history = [user("Name?"), assistant(LONG), user("Who?"), assistant("A dog."), user("Sure?")]
    third = send(history, alice)
    assert third.thread == first.thread
    assert [text for _, text in read_path(third.thread.pk, alice)] == [one["content"] for one in history]
    assert count_messages(alice) == (1, 6)


def test_an_answer_that_was_cut_off_is_recognised_by_its_beginning(alice: User) -> None:
    first = send([user("Name?")], alice)
    answer_question(first, LONG)
    second = send([user("Name?"), assistant(LONG), user("Why?")], alice)
    answer_question(second, "Because cats are very", state={"cut": "cut"})
    history = [user("Name?"), assistant(LONG), user("Why?"), assistant("Because cats"), user("Go on.")]
    send(history, alice)
    assert count_messages(alice) == (1, 5)


def test_reasoning_and_white_space_make_no_difference(alice: User) -> None:
    first = send([user("Name?")], alice)
    answer_question(first, f"<think>A cat has a name.</think>\n\n{LONG}")
    second = send([user("Name?"), assistant(f"  {LONG.replace(' ', '  ')}"), user("Why?")], alice)
    assert second.thread == first.thread


def test_the_steps_of_a_tool_loop_are_stored_once_each(alice: User) -> None:
    call = {"id": "call_8f3a9b2c7d", "type": "function", "function": {"name": "look", "arguments": "{}"}}
    asked = [user("Weather?")]
    first = send(asked, alice)
    answer_question(first, "", tool_calls=[call])
    steps = [
        *asked,
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": call["id"], "content": "Rain."},
    ]
    for _ in range(2):
        second = send(steps, alice)
    assert (second.thread, second.message.role) == (first.thread, "tool")
    assert count_messages(alice) == (1, 3)


def test_a_window_that_begins_with_a_tools_result_is_stored_without_it(alice: User) -> None:
    loose = {"role": "tool", "tool_call_id": "gone", "content": "Rain."}
    stored = send([loose, assistant("It rains."), user("Thanks.")], alice)
    assert [role for role, _ in read_path(stored.thread.pk, alice)] == ["assistant", "user"]


def test_a_picture_is_part_of_what_is_compared(alice: User) -> None:
    def show(data: str) -> dict[str, Any]:
        image = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{data}"}}
        return {"role": "user", "content": [{"type": "text", "text": "What is this?"}, image]}

    first = send([show("AAAA")], alice)
    assert send([show("AAAA")], alice).message == first.message
    assert send([show("BBBB")], alice).message != first.message


def test_documents_around_a_question_are_not_stored(alice: User) -> None:
    stored = send([user(RAG + "Do cats dream?")], alice)
    assert stored.message.content == "Do cats dream?"


def test_what_was_stored_meanwhile_is_not_stored_again(alice: User) -> None:
    first = send([user("Name?")], alice)
    answer_question(first, LONG)
    caller = CompletionCaller(alice.pk)
    messages = [user("Name?"), assistant(LONG), user("Why?")]
    both = [align_history(messages, owner=alice.pk, caller=caller) for _ in range(2)]
    one, other = (store_new_messages(each, owner=alice.pk, caller=caller) for each in both)
    assert one.message == other.message


@pytest.mark.parametrize("messages", [[user("Name?")], [user("Name?"), assistant(LONG), user("Why?")]])
def test_a_request_that_is_sent_twice_at_once_begins_one_thread(
    alice: User, messages: list[dict[str, Any]]
) -> None:
    caller = CompletionCaller(alice.pk)
    both = [align_history(messages, owner=alice.pk, caller=caller) for _ in range(2)]
    one, other = (store_new_messages(each, owner=alice.pk, caller=caller) for each in both)
    assert (one.message, count_messages(alice)) == (other.message, (1, len(messages)))


def test_other_words_at_once_begin_other_threads(alice: User) -> None:
    caller = CompletionCaller(alice.pk)
    requests = ([user("Name?")], [user("Name?"), assistant(LONG), user("Why?")])
    both = [align_history(one, owner=alice.pk, caller=caller) for one in requests]
    one, other = (store_new_messages(each, owner=alice.pk, caller=caller) for each in both)
    assert one.thread != other.thread


def test_an_old_thread_is_not_found_by_its_answers(alice: User) -> None:
    first = send([user("Name?")], alice)
    answer_question(first, LONG)
    Thread.objects.update(updated_at=timezone.now() - timedelta(days=31))
    second = send([user("Name?"), assistant(LONG), user("Why?")], alice)
    assert second.thread != first.thread


def test_threads_of_another_owner_are_not_found(alice: User, bob: User) -> None:
    first = send([user("Name?")], alice, CompletionCaller(alice.pk, thread=ThreadReference("chat-7")))
    answer_question(first, LONG)
    messages = [user("Name?"), assistant(LONG), user("Why?")]
    named = CompletionCaller(bob.pk, thread=ThreadReference("chat-7"))
    assert send(messages, bob).thread.owner_id == bob.pk
    assert send(messages, bob, named).thread.owner_id == bob.pk
    by_id = CompletionCaller(bob.pk, thread=ThreadReference(str(first.thread.pk), may_be_id=True))
    with pytest.raises(NotFound):
        send(messages, bob, by_id)
    assert count_messages(alice) == (1, 2)


def test_threads_of_another_application_of_a_person_are_not_joined(alice: User) -> None:
    one, other = (create_application(alice, name) for name in ("one", "other"))
    first = send([user("Name?")], alice, CompletionCaller(alice.pk, application=one))
    answer_question(first, LONG)
    messages = [user("Name?"), assistant(LONG), user("Why?")]
    assert send(messages, alice, CompletionCaller(alice.pk, application=other)).thread != first.thread
    assert send(messages, alice, CompletionCaller(alice.pk, application=one)).thread == first.thread


def test_all_threads_of_an_end_user_are_the_applications(alice: User) -> None:
    application = create_application(alice, "one")
    person = get_end_user(application, "u-1")
    thread = create_thread(owner=person.pk, external_id="chat-7")
    caller = CompletionCaller(person.pk, application=application, thread=ThreadReference("chat-7"))
    answer_question(send([user("Name?")], person, caller), LONG)
    messages = [user("Name?"), assistant(LONG), user("Why?")]
    found = send(messages, person, CompletionCaller(person.pk, application=application))
    assert found.thread == thread


def test_number_of_statements_does_not_grow_with_the_history(alice: User) -> None:
    frontend = Frontend(alice)
    counts = []
    for number in range(12):
        frontend.ask(f"Question {number}?")
        messages = [{"role": role, "content": text} for role, text, _ in frontend.turns]
        with CaptureQueriesContext(
            connection,
        ) as captured:
            align_history([*messages, user("Next?")], owner=alice.pk, caller=CompletionCaller(alice.pk))
        counts.append(len(captured))
    assert len(set(counts[1:])) == 1
    assert counts[-1] <= 8


@pytest.mark.parametrize(
    "messages",
    [
        [],
        [{"role": "system", "content": "Be brief."}],
        [assistant("Hello!")],
        [user("  ")],
        ["text", 7, None],
    ],
)
def test_a_request_without_a_question_is_stored_nowhere(alice: User, messages: list[Any]) -> None:
    with pytest.raises(InvalidInput):
        send(messages, alice)
    assert count_messages(alice) == (0, 0)


HOSTILE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(codec=None), max_size=9),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=4), inner, max_size=2),
    max_leaves=4,
)
MESSAGE = st.fixed_dictionaries(
    {"role": st.sampled_from(["user", "assistant", "tool", "system", "function"]), "content": HOSTILE},
    optional={"tool_calls": HOSTILE, "tool_call_id": HOSTILE, "name": HOSTILE},
)


@LAW
@given(messages=st.lists(MESSAGE | HOSTILE, max_size=4))
def test_any_messages_can_be_aligned_and_stored(alice: User, messages: list[Any]) -> None:
    stored = send([*messages, user("a\x00b \ud800 c")], alice)
    assert stored.message.content == "ab ? c"
    assert json.dumps(stored.message.content)


def test_keys_are_filled_for_messages_of_all_ways(alice: User) -> None:
    stored = send([user("Name?")], alice)
    answer_question(stored, LONG)
    assert not Message.objects.filter(content_key=None).exists()


def test_messages_from_before_get_their_keys(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    answer_question(send([user("Name?")], alice), f"<think>Hm.</think>{LONG}")
    keys = dict(Message.objects.values_list("id", "content_key"))
    Message.objects.update(content_key=None)
    migration = import_module("threads.migrations.0016_fill_content_keys")
    monkeypatch.setattr(migration, "BATCH", 1)
    migration.fill_content_keys(apps, connection.schema_editor())
    assert dict(Message.objects.values_list("id", "content_key")) == keys
