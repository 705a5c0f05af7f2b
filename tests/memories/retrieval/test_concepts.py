"""Words that mean alike or name a kind."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from memories.retrieval.query.concepts import find_related_words
from memories.retrieval.ranking import RankedMemories
from memories.text.analysis import hash_term, list_terms
from tests.memories.retrieval.conftest import Build


def reached(text: str) -> set[int]:
    return {int(term) for one in find_related_words(text, list_terms(text)) for term in one.hashes}


@pytest.mark.parametrize(
    ("query", "word"), [("my wife", "太太"), ("我老婆", "太太"), ("salary", "wage"), ("pets", "cat")]
)
def test_related_word_is_reached(query: str, word: str) -> None:
    assert hash_term(list_terms(word)[-1]) in reached(query)


def test_one_member_does_not_reach_another() -> None:
    assert hash_term("guitar") not in reached("piano")


@pytest.mark.parametrize(
    ("question", "answer"),
    [("What is my spouse's job?", "My husband drives a bus"), ("我有什么宠物", "家里有一只橘猫")],
)
def test_kind_finds_its_member(
    build: Build, ask: Callable[..., RankedMemories], question: str, answer: str
) -> None:
    others = ["the window is open", "rent is due on Friday", "今天下雨了", "桌子是木头的"]
    assert ask(build([*others, answer]), question).rows[0] == len(others)
