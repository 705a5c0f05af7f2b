"""A reply that repeats a fact adds nothing to it, nor does its message, and a question tells nothing."""

from __future__ import annotations

import pytest

from memories.models import Memory
from memories.retrieval.search.echoes import adds_nothing, is_only_question, move_behind_facts, repeats_fact

FACT = Memory(layer="semantic", kind="fact", content="The user lives in Berlin.")


def _turn(content: str, role: str = "assistant") -> Memory:
    return Memory(layer="episodic", kind="conversation", content=content, metadata={"role": role})


@pytest.mark.parametrize("reply", ["You live in Berlin.", "As you told me, you are living in Berlin, Alice."])
def test_reply_that_repeats_a_fact_stands_behind_it(reply: str) -> None:
    assert move_behind_facts([_turn(reply), _turn("Nice weather."), FACT]) == [1, 2, 0]


def test_chinese_reply_repeats_a_fact_in_either_script() -> None:
    fact = Memory(layer="semantic", kind="fact", content="用户住在台北")
    assert repeats_fact(_turn("你住在臺北。"), fact)


def test_what_the_user_said_and_other_replies_keep_their_place() -> None:
    turns = [_turn("I live in Berlin.", "user"), _turn("Berlin is large.")]
    assert move_behind_facts([*turns, FACT]) == [0, 1, 2]


def test_question_stands_behind_the_best_fact() -> None:
    other = Memory(layer="semantic", kind="fact", content="The user likes jazz.")
    assert move_behind_facts([_turn("Where do I live?", "user"), FACT, other]) == [1, 0, 2]


@pytest.mark.parametrize(
    ("message", "fact"), [("I live in Berlin!", FACT.content), ("我住在台北。", "用户住在台北")]
)
def test_message_adds_nothing_to_what_was_learnt_from_it(message: str, fact: str) -> None:
    learnt = Memory(layer="semantic", kind="fact", content=fact)
    assert adds_nothing(_turn(message, "user"), [learnt])
    assert not adds_nothing(_turn(f"{message} 2 dogs", "user"), [learnt])


@pytest.mark.parametrize(
    "text", ["Where do I live?", "Hm? Do you know where I live?", "我住在哪里？", "我住在哪里呢"]
)
def test_question_alone_only_asks(text: str) -> None:
    assert is_only_question(_turn(text, "user"))


@pytest.mark.parametrize(
    "text", ["I moved to Paris. Do you know a bar?", "I live in Berlin.", "我搬家了。你知道吗？"]
)
def test_statement_with_a_question_tells_something(text: str) -> None:
    assert not is_only_question(_turn(text, "user"))
