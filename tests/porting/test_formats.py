"""Each product's export becomes conversations and memories; what people did not see does not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from memsite.values import MessageRole
from porting.formats import SHAPES, parse_lines
from porting.formats.shape import arrange_messages, read_time, split_statements
from porting.values import Format, Item, MemoryItem, MessageItem, ProblemItem, ThreadItem
from tests.porting import samples


def parse(*items: Any) -> list[Item]:
    shape = next(one for one in SHAPES if one.fits(items[0]))
    return list(shape.parse(items))


def texts(items: Sequence[Item]) -> list[str]:
    return [one.content for one in items if isinstance(one, MemoryItem)]


def thread(items: Sequence[Item]) -> ThreadItem:
    return next(one for one in items if isinstance(one, ThreadItem))


def test_chatgpt_keeps_both_answers_and_follows_the_current_one() -> None:
    found = thread(parse(samples.chatgpt_conversation()))
    assert [(one.key, one.parent, one.role) for one in found.messages] == [
        ("q", "", MessageRole.USER),
        ("a1", "q", MessageRole.ASSISTANT),
        ("a2", "q", MessageRole.ASSISTANT),
    ]
    assert (found.head, found.title, found.facts) == ("a2", "Moving", {"model": "gpt-5"})


def test_chatgpt_citation_marks_are_cut() -> None:
    assert thread(parse(samples.chatgpt_conversation())).messages[-1].content == "Noted it."


def test_chatgpt_saved_memory_was_concluded_by_a_model() -> None:
    saved = [one for one in parse(samples.chatgpt_conversation()) if isinstance(one, MemoryItem)]
    assert [(one.content, one.is_stated) for one in saved] == [("User moved to Lisbon.", False)]


def test_chatgpt_saved_context_is_read_line_by_line_with_dates() -> None:
    content = {
        "content_type": "model_editable_context",
        "model_set_context": "1. [2025-05-01]. Likes tea.\n\n2. Sails.",
    }
    node = samples.chatgpt_message("m", None, "assistant", "", content=content)
    found = [one for one in parse({"id": "c", "mapping": {"m": node}}) if isinstance(one, MemoryItem)]
    assert [(one.content, one.at and one.at.year) for one in found] == [
        ("Likes tea.", 2025),
        ("Sails.", 2026),
    ]


def test_chatgpt_conversation_without_times_parents_or_current_node_is_read() -> None:
    node = samples.chatgpt_message("q", "gone", "user", "Hello", create_time=None)
    found = thread(
        parse({"conversation_id": "c", "title": None, "create_time": None, "mapping": {"q": node}})
    )
    assert [(one.parent, one.at) for one in found.messages] == [("", None)]


def test_chatgpt_cycle_is_cut() -> None:
    nodes = {
        "a": samples.chatgpt_message("a", "b", "user", "one"),
        "b": samples.chatgpt_message("b", "a", "assistant", "two"),
    }
    found = thread(parse({"id": "c", "mapping": nodes}))
    assert sorted(one.parent for one in found.messages) in (["", "a"], ["", "b"])


def test_claude_leaves_out_thinking_and_tools_and_keeps_branches() -> None:
    found = thread(parse(samples.claude_conversation()))
    assert [(one.key, one.parent, one.content) for one in found.messages] == [
        ("m1", "", "I play the cello."),
        ("m2", "m1", "Lovely."),
        ("m4", "m1", "Since when?"),
    ]


def test_claude_memory_is_split_by_bullet_under_its_heading() -> None:
    found = [one for one in parse(samples.claude_memory()) if isinstance(one, MemoryItem)]
    assert [(one.content, one.category, one.is_stated) for one in found] == [
        ("Works as a beekeeper in Graz", "Work", False),
        ("Prefers short answers", "Work", False),
        ("Plans a new apiary", "project", False),
    ]


def test_mem0_is_read_as_an_object_and_as_a_list() -> None:
    rows = samples.mem0_rows()
    expected = ["Likes green tea", "Has a sister called Ana"]
    assert texts(parse(rows)) == texts(parse(*rows["results"])) == expected


def test_open_webui_chat_keeps_its_tree_and_head() -> None:
    found = thread(parse(samples.openwebui_chat()))
    assert ([one.key for one in found.messages], found.head) == (["u", "a", "b"], "a")


def test_open_webui_memories_are_read() -> None:
    row = {
        "id": "1",
        "user_id": "u",
        "content": "Sails",
        "created_at": 1_772_366_400,
        "updated_at": 1_772_366_400,
    }
    assert texts(parse(row)) == ["Sails"]


def test_librechat_tree_is_read() -> None:
    found = thread(parse(samples.librechat_conversation()))
    assert [(one.key, one.parent) for one in found.messages] == [("1", ""), ("2", "1")]


def test_gemini_prompts_without_half_an_hour_of_silence_are_one_conversation() -> None:
    entries = [
        samples.gemini_entry(50, "third"),
        samples.gemini_entry(10, "second"),
        samples.gemini_entry(0, "first", "an answer"),
    ]
    found = [one for one in parse(*entries) if isinstance(one, ThreadItem)]
    assert [[one.content for one in each.messages] for each in found] == [
        ["third"],
        ["first", "an answer", "second"],
    ]


def test_graph_lines_become_statements() -> None:
    entity = {"type": "entity", "name": "Ana", "entityType": "person", "observations": ["plays chess"]}
    relation = {"type": "relation", "from": "Ana", "to": "Graz", "relationType": "lives_in"}
    assert texts(parse(entity, relation)) == ["Ana: plays chess", "Ana lives in Graz"]


def test_pasted_lines_lose_bullets_numbers_and_dates() -> None:
    text = "# Facts\n- [2026-05-01] - likes tea\n2. sails\n\n```\n* 喜欢爬山\n```"
    found = [one for one in parse_lines([text]) if isinstance(one, MemoryItem)]
    assert [(one.content, one.category) for one in found] == [
        ("likes tea", "Facts"),
        ("sails", "Facts"),
        ("喜欢爬山", "Facts"),
    ]
    assert found[0].at is not None


def test_conversation_without_messages_is_reported() -> None:
    assert isinstance(parse({"uuid": "x", "name": "Empty", "chat_messages": []})[0], ProblemItem)


json_values = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=25)
@given(json_values)
@example([])
@example({})
def test_no_parser_raises_for_any_value_in_any_place(value: Any) -> None:
    wholes = [
        samples.chatgpt_conversation(),
        samples.claude_conversation(),
        samples.claude_memory(),
        samples.openwebui_chat(),
        samples.librechat_conversation(),
        samples.gemini_entry(1, "x"),
    ]
    for whole in wholes:
        shape = next(one for one in SHAPES if one.fits(whole))
        for changed in _replace_each(whole, value):
            list(shape.parse([changed]))


def _replace_each(whole: Any, value: Any) -> Iterator[Any]:
    """Yield a JSON value with each of its parts, at any depth, replaced in turn."""
    names = whole if isinstance(whole, dict) else range(len(whole)) if isinstance(whole, list) else ()
    for name in names:
        for part in (value, *_replace_each(whole[name], value)):
            changed = copy(whole)
            changed[name] = part
            yield changed


@given(st.dictionaries(st.sampled_from("abcdef"), st.sampled_from(["", *"abcdefg"])))
def test_arranged_messages_always_form_a_tree(parents: dict[str, str]) -> None:
    given_messages = [MessageItem(key, parent, MessageRole.USER, "x") for key, parent in parents.items()]
    by_key = {one.key: one for one in arrange_messages(given_messages)}
    for key in by_key:
        step, steps = key, 0
        while step:
            step, steps = by_key[step].parent, steps + 1
            assert steps <= len(by_key)


def test_time_is_read_from_seconds_milliseconds_and_text() -> None:
    moments = {read_time(one) for one in (samples.NOON, samples.NOON * 1000, "2026-03-01T12:00:00Z")}
    assert len(moments) == 1
    assert read_time(float("nan")) is read_time("soon") is read_time(-5) is None


def test_statements_have_no_rules_and_fences() -> None:
    assert [one.text for one in split_statements(["---\n~~~\n* one\n===\n"])] == ["one"]


def test_every_format_but_lines_has_a_shape() -> None:
    assert {one.format for one in SHAPES} == set(Format) - {Format.AUTO, Format.LINES}
