import pytest
from hypothesis import given
from hypothesis import strategies as st

from memsite.llm.tokens import count_message_tokens
from threads.prompt.trimming import Message, Strategy, split_into_units, trim_messages

STRATEGIES: list[Strategy] = ["newest_first", "oldest_first"]


def user(text: str) -> Message:
    return {"role": "user", "content": text}


def caller(*ids: str, text: str = "") -> Message:
    calls = [{"id": one, "type": "function", "function": {"name": "look", "arguments": "{}"}} for one in ids]
    return {"role": "assistant", "content": text, "tool_calls": calls}


def result(call: str, text: str = "found") -> Message:
    return {"role": "tool", "tool_call_id": call, "content": text}


def total(messages: list[Message]) -> int:
    return sum(map(count_message_tokens, messages))


def one_each(_: object) -> int:
    return 1


@st.composite
def conversations(draw: st.DrawFn) -> list[Message]:
    """Messages in any order that an API would accept: calls before their results, ids used again."""
    messages: list[Message] = []
    waiting: list[str] = []
    for kind in draw(st.lists(st.sampled_from(["user", "call", "result"]), max_size=12)):
        text = draw(st.text(alphabet="ab 中文…\n😀", max_size=40))
        if kind == "call":
            ids = draw(st.lists(st.sampled_from("xyz"), min_size=1, max_size=2, unique=True))
            messages.append(caller(*ids, text=text))
            waiting = sorted({*waiting, *ids})
        elif kind == "result" and waiting:
            messages.append(result(waiting.pop(), text))
        else:
            messages.append(user(text))
    return messages


budgets = st.integers(min_value=-5, max_value=200)


@given(conversations(), budgets, st.sampled_from(STRATEGIES))
def test_the_budget_is_never_exceeded(messages: list[Message], budget: int, strategy: Strategy) -> None:
    assert total(trim_messages(messages, budget, strategy)) <= max(budget, 0)


@given(conversations(), budgets, st.sampled_from(STRATEGIES))
def test_a_unit_is_kept_whole_or_not_at_all(messages: list[Message], budget: int, strategy: Strategy) -> None:
    kept = len(trim_messages(messages, budget, strategy))
    sizes = [len(unit) for unit in split_into_units(messages)]
    if strategy == "newest_first":
        sizes.reverse()
    assert kept in [sum(sizes[:count]) for count in range(len(sizes) + 1)]


@given(conversations())
def test_every_result_lies_in_the_unit_of_its_call(messages: list[Message]) -> None:
    for unit in split_into_units(messages):
        called: set[str] = set()
        for message in unit:
            called |= {call["id"] for call in message.get("tool_calls", [])}
            assert message["role"] != "tool" or message["tool_call_id"] in called


@given(conversations())
def test_units_joined_are_the_messages(messages: list[Message]) -> None:
    assert [message for unit in split_into_units(messages) for message in unit] == messages


@given(conversations(), budgets)
def test_newest_first_keeps_an_end_of_the_list(messages: list[Message], budget: int) -> None:
    kept = trim_messages(messages, budget, "newest_first")
    if total(kept) and len(kept) > len(split_into_units(messages)[-1]):
        assert kept == messages[-len(kept) :]


@given(conversations(), budgets)
def test_oldest_first_keeps_a_beginning_of_the_list(messages: list[Message], budget: int) -> None:
    kept = trim_messages(messages, budget, "oldest_first")
    if total(kept) and len(kept) > len(split_into_units(messages)[0]):
        assert kept == messages[: len(kept)]


@given(conversations(), budgets, st.sampled_from(STRATEGIES))
def test_one_more_unit_would_not_have_fitted(
    messages: list[Message], budget: int, strategy: Strategy
) -> None:
    kept = trim_messages(messages, budget, strategy)
    units = split_into_units(messages)
    if strategy == "newest_first":
        units.reverse()
    size = 0
    while units and size < len(kept):
        size += len(units.pop(0))
    if units and kept:
        assert total(kept) + total(units[0]) > budget


@given(conversations(), budgets, st.sampled_from(STRATEGIES))
def test_what_is_kept_is_in_its_order(messages: list[Message], budget: int, strategy: Strategy) -> None:
    numbered = [{**message, "name": str(place)} for place, message in enumerate(messages)]
    places = [int(message["name"]) for message in trim_messages(numbered, budget, strategy)]
    assert places == sorted(places)


@given(conversations(), budgets, st.sampled_from(STRATEGIES))
def test_whatever_is_kept_the_nearest_end_is(
    messages: list[Message], budget: int, strategy: Strategy
) -> None:
    numbered = [{**message, "name": str(place)} for place, message in enumerate(messages)]
    kept = trim_messages(numbered, budget, strategy)
    if kept:
        end = -1 if strategy == "newest_first" else 0
        assert kept[end]["name"] == numbered[end]["name"]


@given(conversations(), budgets, st.sampled_from(STRATEGIES))
def test_no_result_is_kept_without_its_call(messages: list[Message], budget: int, strategy: Strategy) -> None:
    called: set[str] = set()
    for message in trim_messages(messages, budget, strategy):
        called |= {call["id"] for call in message.get("tool_calls", [])}
        assert message["role"] != "tool" or message["tool_call_id"] in called


@given(st.text(alphabet="ab 中文\n😀", min_size=1, max_size=400), st.integers(6, 60))
def test_a_cut_text_is_a_beginning_and_an_ellipsis(text: str, budget: int) -> None:
    [kept] = trim_messages([user(text)], budget)
    assert kept["content"] == text or text.startswith(kept["content"].removesuffix("…"))


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_messages_that_fit_all_come_back_as_they_were(strategy: Strategy) -> None:
    messages = [user("one"), caller("a"), result("a"), user("two")]
    assert trim_messages(messages, 1000, strategy) == messages


def test_an_over_long_message_is_cut_with_an_ellipsis() -> None:
    [kept] = trim_messages([user("a long story about the sea " * 100)], 20)
    assert kept["content"].endswith("…")
    assert 15 < count_message_tokens(kept) <= 20


def test_an_over_long_tool_result_is_cut_and_stays_with_its_call() -> None:
    kept = trim_messages([caller("a"), result("a", "row of data " * 500)], 80)
    assert [message["role"] for message in kept] == ["assistant", "tool"]
    assert kept[1]["content"].endswith("…")


def test_a_long_message_behind_one_that_fits_is_left_out() -> None:
    assert trim_messages([user("word " * 500), user("short")], 20) == [user("short")]


def test_nothing_is_kept_where_the_overhead_alone_is_too_much() -> None:
    assert trim_messages([user("hello")], 4) == []


def test_a_result_is_bound_to_the_nearest_call_of_its_id() -> None:
    messages = [caller("a"), result("a"), caller("a"), result("a")]
    assert [len(unit) for unit in split_into_units(messages)] == [2, 2]


def test_messages_between_a_call_and_its_result_stay_with_them() -> None:
    messages = [caller("a"), user("are you there?"), result("a"), user("thanks")]
    assert trim_messages(messages, 3, count=one_each) == [user("thanks")]


def test_the_messages_given_are_not_changed() -> None:
    message = user("word " * 100)
    trim_messages([message], 10)
    assert message == user("word " * 100)


def test_an_unknown_strategy_is_an_error() -> None:
    with pytest.raises(ValueError, match="middle_out"):
        trim_messages([], 10, "middle_out")  # type: ignore[arg-type]  # wrong on purpose, or a stand-in
