from __future__ import annotations

from uuid import uuid4

from hypothesis import given
from hypothesis import strategies as st

from memsite.llm.tokens import count_message_tokens
from threads.context.fitting import NewestMessages
from threads.context.layout import DEPTH, MESSAGE_ID
from threads.prompt.trimming import Message


def said(depth: int, text: str = "a few words", role: str = "user", **fields: object) -> Message:
    return {"role": role, "content": text, MESSAGE_ID: uuid4(), DEPTH: depth, **fields}


def newest(*messages: Message) -> NewestMessages:
    return NewestMessages.from_messages(messages, shape="openai", count=count_message_tokens)


def depths(messages: tuple[Message, ...]) -> list[int]:
    return [message[DEPTH] for message in messages]


def talk(length: int) -> list[Message]:
    return [said(depth, role=("user", "assistant")[depth % 2]) for depth in range(length)]


@given(st.integers(1, 120), st.integers(0, 1500))
def test_the_newest_go_in_without_gaps_and_within_the_room(length: int, room: int) -> None:
    fitted = newest(*talk(length)).select_fitting(room)
    assert sum(map(count_message_tokens, fitted)) <= room
    if len(fitted) > 1:
        assert depths(fitted) == list(range(length - len(fitted), length))


def test_beginning_stays_where_it_is_while_messages_are_added() -> None:
    beginnings = {depths(newest(*talk(length)).select_fitting(700))[0] for length in range(300, 308)}
    assert len(beginnings) <= 2


def test_steadiness_gives_up_an_eighth_of_what_fits_at_most() -> None:
    messages = talk(200)
    for room in range(200, 1400, 37):
        fits = room // count_message_tokens(messages[0])
        assert len(newest(*messages).select_fitting(room)) >= fits - fits // 8 - 1


def test_tool_call_stays_with_its_results() -> None:
    calls = [{"id": "x", "type": "function", "function": {"name": "look", "arguments": "{}"}}]
    messages = [
        *talk(4),
        said(4, "", "assistant", tool_calls=calls),
        said(5, "found", "tool", tool_call_id="x"),
    ]
    costs = [count_message_tokens(message) for message in messages]
    assert newest(*messages).select_fitting(costs[-1] + costs[-2] - 1) == ()
    assert depths(newest(*messages).select_fitting(costs[-1] + costs[-2])) == [4, 5]


def test_newest_message_that_is_too_long_alone_is_cut() -> None:
    [cut] = newest(said(0), said(1, "many words " * 500)).select_fitting(100)
    assert cut[DEPTH] == 1
    assert 0 < count_message_tokens(cut) <= 100
