from __future__ import annotations

from memsite.accounts.models import User
from tests.threads.saying import Talk, assistant_calls, tool_answers, user_says
from tests.threads.test_path import fork
from threads.context.recent_messages import RecentMessages, load_recent_messages
from threads.models import Branch, Message, Thread
from threads.storage.access import get_thread
from threads.storage.path import load_path


def current(thread: Thread) -> Branch | None:
    branch: Branch | None = get_thread(thread.pk, owner=thread.owner_id).current_branch
    return branch


def window(branch: Branch | None, tokens: int, text: str = "") -> RecentMessages:
    assert branch is not None
    return load_recent_messages(load_path(branch), tokens, text, owner=branch.owner_id)


def said(found: RecentMessages) -> str:
    return "".join(str(one["content"]) for one in found.messages)


def test_window_goes_back_to_the_message_that_passes_its_tokens(thread: Thread, talk: Talk) -> None:
    newest = talk(*"abcd")[-2:]
    found = window(current(thread), sum(message.token_count for message in newest))
    assert said(found) == "bcd"
    assert not found.is_whole


def test_window_is_whole_where_all_messages_fit(thread: Thread, talk: Talk) -> None:
    tokens = sum(message.token_count for message in talk(*"abcd"))
    assert window(current(thread), tokens).is_whole
    assert not window(current(thread), tokens - 1).is_whole


def test_window_of_an_empty_thread_is_whole_and_empty(thread: Thread) -> None:
    assert window(current(thread), 100) == RecentMessages()


def test_messages_without_tokens_are_read_however_many(thread: Thread, talk: Talk) -> None:
    talk(*["x"] * 150)
    Message.objects.filter(thread=thread).update(token_count=0)
    found = window(current(thread), 1)
    assert len(found.messages) == 150
    assert found.is_whole


def test_window_follows_its_branch_over_three_lines(alice: User, thread: Thread, talk: Talk) -> None:
    first = fork(thread, talk(*"abcd")[2], "x", "y")
    x = Message.objects.get(thread=thread, content="x")
    second = fork(thread, x, "z")
    assert said(window(first, 1_000)) == "abcxy"
    assert said(window(second, 1_000)) == "abcxz"


def test_window_knows_what_a_plain_text_costs_and_asks_again_for_calls(thread: Thread, talk: Talk) -> None:
    question, call, _ = talk(user_says("where?"), assistant_calls("c", text="let me see"), tool_answers("c"))
    token_counts = window(current(thread), 1_000).token_counts
    assert token_counts["where?"] == question.token_count
    assert call.content not in token_counts


def test_input_that_was_appended_already_is_left_out(thread: Thread, talk: Talk) -> None:
    messages = talk("hello", "yes?", "the end")
    found = window(current(thread), 1_000, "the end")
    assert said(found) == "helloyes?"
    assert found.repeated == messages[-1].pk
    assert found.texts[messages[-1].pk] == "the end"
