from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID, uuid4

from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from memories.models import Memory
from memories.retrieval import Hit
from memories.retrieval.query import parse_query
from threads.conf import CONTEXT, NEARBY_SURE
from threads.context.recall.recall import RenderedMemory
from threads.context.selection import (
    Choice,
    add_nearby_episodes,
    choose_memories,
    drop_echoes,
    is_in_context,
    select_memories,
)

NEARBY = CONTEXT.relevance - 0.1


def line(relevance: float, tokens: int, *sources: UUID, **fields: Any) -> RenderedMemory:
    memory = Memory(**{"layer": "semantic", "kind": "fact", "content": "Alice sails."} | fields)
    hit = Hit(memory, relevance, relevance, {}, parse_query("", (), timezone.now()))
    return RenderedMemory(hit, f"line of {tokens}", tokens, frozenset(sources))


def turn(relevance: float, tokens: int, number: int, session: str = "one") -> RenderedMemory:
    return line(relevance, tokens, layer="episodic", kind="conversation", session=session, turn=number)


def tokens_of(choice: Choice) -> list[int]:
    return [one.tokens for one in choice.memories]


def reasons_of(choice: Choice) -> list[str]:
    return [reason for _, reason in choice.reasons]


def test_best_three_go_in_beyond_the_budget() -> None:
    lines = [line(0.9, 50), line(0.8, 50), line(0.75, 50), line(0.74, 1)]
    assert tokens_of(choose_memories(lines, room=1000, budget=100)) == [50, 50, 50]


def test_the_rest_goes_in_by_value_per_token_while_the_budget_lasts() -> None:
    lines = [line(0.9, 10), line(0.9, 10), line(0.9, 10), line(0.8, 40), line(0.75, 20), line(0.71, 15)]
    assert tokens_of(choose_memories(lines, room=1000, budget=65)) == [10, 10, 10, 20, 15]


def test_what_is_not_relevant_stays_out() -> None:
    assert choose_memories([line(NEARBY, 1)], room=1000, budget=1000) == Choice()


def test_what_finds_no_room_is_told() -> None:
    assert reasons_of(choose_memories([line(0.9, 10)], room=5, budget=100)) == ["relevant, but no room"]


@given(st.lists(st.tuples(st.floats(0.5, 1), st.integers(1, 90)), max_size=30), st.integers(0, 400))
def test_choice_never_exceeds_the_room(drawn: Sequence[tuple[float, int]], room: int) -> None:
    lines = sorted((line(*one) for one in drawn), key=lambda one: -one.hit.relevance)
    choice = choose_memories(lines, room=room, budget=room // 2)
    assert add_nearby_episodes(choice, lines, room=room).tokens <= room


def test_turns_beside_a_sure_one_go_in_while_room_lasts() -> None:
    lines = [turn(NEARBY_SURE, 10, 7), turn(NEARBY, 30, 8), turn(NEARBY, 20, 6)]
    choice = choose_memories(lines, room=50, budget=50)
    assert tokens_of(add_nearby_episodes(choice, lines, room=50)) == [10, 30]


def test_turns_far_off_or_of_another_session_stay_out() -> None:
    lines = [turn(NEARBY_SURE, 10, 7), turn(NEARBY, 1, 20), turn(NEARBY, 1, 8, "two")]
    assert tokens_of(add_nearby_episodes(choose_memories(lines, room=50, budget=50), lines, room=50)) == [10]


def test_nothing_goes_in_beside_a_doubtful_one() -> None:
    lines = [turn(NEARBY_SURE - 0.01, 10, 7), turn(NEARBY, 1, 8)]
    assert tokens_of(add_nearby_episodes(choose_memories(lines, room=50, budget=50), lines, room=50)) == [10]


def test_memory_is_said_when_all_its_messages_of_this_thread_are_in() -> None:
    here, elsewhere = uuid4(), uuid4()
    assert is_in_context(line(0.9, 1, here, elsewhere), {here}, {here})


def test_memory_of_two_messages_is_not_said_by_one() -> None:
    first, second = uuid4(), uuid4()
    assert not is_in_context(line(0.9, 1, first, second), {first}, {first, second})


def test_memory_without_messages_here_is_not_said() -> None:
    assert not is_in_context(line(0.9, 1), {uuid4()}, set())
    assert not is_in_context(line(0.9, 1, uuid4()), {uuid4()}, set())


def _said(content: str, role: str) -> RenderedMemory:
    return line(0.9, 5, layer="episodic", kind="conversation", content=content, metadata={"role": role})


def test_echo_and_question_stay_out_beside_the_fact() -> None:
    fact = line(0.8, 5, content="The user lives in Berlin.")
    candidates = [_said("You live in Berlin.", "assistant"), _said("Where do I live?", "user"), fact]
    kept, left = drop_echoes(candidates)
    assert (kept, [reason for _, reason in left]) == ([fact], ["repeats what is known", "only asks"])


def test_echo_of_what_the_messages_say_stays_out() -> None:
    fact = line(0.8, 5, content="The user lives in Berlin.")
    echo = _said("You live in Berlin.", "assistant")
    assert drop_echoes([echo], in_messages=[fact])[0] == []


def test_questions_and_replies_are_in_only_if_the_input_asks_for_them() -> None:
    said = [_said("Where do I live?", "user"), _said("Try the tram museum.", "assistant")]
    assert [reason for _, reason in drop_echoes(said)[1]] == ["only asks", "said by the assistant"]
    assert drop_echoes(said, talk=True) == (said, [])


def test_fact_is_told_if_the_message_that_says_more_has_no_room() -> None:
    source = uuid4()
    fact = line(0.8, 5, source, content="The user lives in Berlin.")
    said = "I live in Berlin, and on Saturdays I row on the Spree with two cousins from Peru."
    message = line(
        0.9, 90, source, layer="episodic", kind="conversation", content=said, metadata={"role": "user"}
    )
    assert select_memories([message, fact], room=100, budget=100)[0].memories == (message,)
    assert select_memories([message, fact], room=50, budget=50)[0].memories == (fact,)
