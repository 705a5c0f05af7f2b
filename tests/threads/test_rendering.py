from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memsite.llm.tokens import count_message_tokens
from threads.prompt.rendering import FORMATS, Format, make_counter, pair_tool_results, render_context
from threads.prompt.trimming import Message


def user(text: str) -> Message:
    return {"role": "user", "content": text}


def says(text: str) -> Message:
    return {"role": "assistant", "content": text}


def caller(*ids: str, text: str = "", arguments: str = '{"at": "sea"}') -> Message:
    calls = [
        {"id": one, "type": "function", "function": {"name": "look", "arguments": arguments}} for one in ids
    ]
    return {"role": "assistant", "content": text, "tool_calls": calls}


def result(call: str, text: str = "found") -> Message:
    return {"role": "tool", "tool_call_id": call, "content": text}


@st.composite
def conversations(draw: st.DrawFn) -> list[Message]:
    kinds = st.sampled_from(["user", "assistant", "system", "call", "result"])
    messages: list[Message] = []
    for kind in draw(st.lists(kinds, max_size=14)):
        text = draw(st.text(alphabet="ab 中文\n😀", min_size=1, max_size=20))
        name = draw(st.sampled_from("xyz"))
        if kind == "call":
            messages.append(caller(name, text=draw(st.sampled_from(["", text]))))
        else:
            messages.append(result(name, text) if kind == "result" else {"role": kind, "content": text})
    return messages


def blocks(messages: tuple[Message, ...], kind: str) -> list[list[str]]:
    """Ids of the content blocks of a kind, message by message."""
    key = {"tool_use": "id", "tool_result": "tool_use_id"}[kind]
    lists = [message["content"] for message in messages if isinstance(message["content"], list)]
    return [[block[key] for block in content if block["type"] == kind] for content in lists]


def test_result_comes_right_behind_its_call() -> None:
    messages = [caller("a"), user("are you there?"), result("a")]
    assert pair_tool_results(messages) == [caller("a"), result("a"), user("are you there?")]


def test_call_without_result_is_left_out() -> None:
    assert pair_tool_results([user("hi"), caller("a")]) == [user("hi")]


def test_call_without_result_leaves_the_words_beside_it() -> None:
    assert pair_tool_results([caller("a", text="one moment")]) == [says("one moment")]


def test_unanswered_call_among_answered_ones_is_left_out() -> None:
    assert pair_tool_results([caller("a", "b"), result("b")]) == [caller("b"), result("b")]


def test_result_without_call_is_left_out() -> None:
    assert pair_tool_results([result("a"), user("hi")]) == [user("hi")]


def test_second_result_of_a_call_is_left_out() -> None:
    assert pair_tool_results([caller("a"), result("a", "one"), result("a", "two")]) == [
        caller("a"),
        result("a", "one"),
    ]


def test_id_used_again_belongs_to_the_later_call() -> None:
    messages = [caller("a"), result("a", "one"), caller("a"), result("a", "two")]
    assert pair_tool_results(messages) == messages


@given(conversations())
def test_pairing_twice_changes_nothing_more(messages: list[Message]) -> None:
    assert pair_tool_results(pair_tool_results(messages)) == pair_tool_results(messages)


@given(conversations())
def test_every_call_is_followed_by_its_results_alone(messages: list[Message]) -> None:
    kept = pair_tool_results(messages)
    for place, message in enumerate(kept):
        ids = [call["id"] for call in message.get("tool_calls", [])]
        assert [one.get("tool_call_id") for one in kept[place + 1 : place + 1 + len(ids)]] == ids


def test_system_texts_become_the_first_message() -> None:
    rendered = render_context("openai", ["Be brief.", "", "Known: x"], [user("hi")])
    assert rendered.messages == ({"role": "system", "content": "Be brief.\n\nKnown: x"}, user("hi"))


def test_anthropic_keeps_the_system_text_apart() -> None:
    rendered = render_context("anthropic", ["Be brief."], [user("hi"), says("hello")])
    assert rendered.system == "Be brief."
    assert rendered.messages == (user("hi"), says("hello"))


def test_anthropic_tool_use_and_results_are_blocks() -> None:
    rendered = render_context(
        "anthropic", [], [user("hi"), caller("a", "b", text="ok"), result("a"), result("b")]
    )
    assert [block["type"] for block in rendered.messages[1]["content"]] == ["text", "tool_use", "tool_use"]
    assert rendered.messages[1]["content"][1]["input"] == {"at": "sea"}
    assert rendered.messages[2]["role"] == "user"
    assert [block["tool_use_id"] for block in rendered.messages[2]["content"]] == ["a", "b"]


@pytest.mark.parametrize("arguments", ["not json", "[1]", ""])
def test_arguments_that_are_no_object_still_give_one(arguments: str) -> None:
    rendered = render_context("anthropic", [], [user("hi"), caller("a", arguments=arguments), result("a")])
    assert isinstance(rendered.messages[1]["content"][0]["input"], dict)


def test_anthropic_begins_with_the_user() -> None:
    rendered = render_context("anthropic", [], [says("welcome"), user("hi")])
    assert rendered.messages == (user("hi"),)


def test_anthropic_joins_system_messages_to_the_system_text() -> None:
    messages: list[Message] = [user("hi"), {"role": "system", "content": "Now in French."}]
    assert render_context("anthropic", ["Be brief."], messages).system == "Be brief.\n\nNow in French."


@given(conversations())
def test_anthropic_answers_every_tool_use_in_the_next_message(messages: list[Message]) -> None:
    rendered = render_context("anthropic", [], pair_tool_results(messages)).messages
    assert {message["role"] for message in rendered} <= {"user", "assistant"}
    used = [ids for ids in blocks(rendered, "tool_use") if ids]
    answered = [ids for ids in blocks(rendered, "tool_result") if ids]
    assert used == answered


@given(conversations(), st.sampled_from(FORMATS))
def test_counting_messages_one_by_one_is_never_too_little(messages: list[Message], shape: Format) -> None:
    whole = pair_tool_results(messages)
    total = render_context(shape, ["Be brief."], whole).tokens()
    assert total <= count_message_tokens(user("Be brief.")) + sum(map(make_counter(shape), whole))


@given(conversations())
def test_openai_messages_cost_the_sum_of_their_counts(messages: list[Message]) -> None:
    rendered = render_context("openai", ["Be brief."], messages)
    assert rendered.tokens() == sum(map(count_message_tokens, rendered.messages))
