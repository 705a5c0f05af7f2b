"""A question read."""

from __future__ import annotations

import pytest

from memories.retrieval.query.query import parse_query
from memories.text.analysis import hash_term
from tests.memories.retrieval.memos import NOW

SPEAKERS = ("Ana Lopez", "Ben", "user", "小明")


def test_known_speaker_is_named_and_left_out_of_the_meaning() -> None:
    query = parse_query("What does Ben's sister like?", SPEAKERS, NOW)
    assert query.speaker == "Ben"
    assert query.meaning == "What does sister like?"


def test_first_name_is_enough_when_it_is_no_one_elses() -> None:
    assert parse_query("Where does Ana live?", SPEAKERS, NOW).speaker == "Ana Lopez"


def test_speaker_is_found_in_chinese() -> None:
    assert parse_query("小明住在哪里", SPEAKERS, NOW).speaker == "小明"


def test_of_two_speakers_the_first_named_is_the_subject() -> None:
    query = parse_query("What did Ben give to Ana?", SPEAKERS, NOW)
    assert query.speaker is None
    assert query.subject == "Ben"


def test_role_is_not_a_name() -> None:
    assert parse_query("What does the user like?", SPEAKERS, NOW).speaker is None


def test_name_within_a_word_is_not_named() -> None:
    assert parse_query("the benefits of tea", SPEAKERS, NOW).speaker is None


def test_query_of_a_name_alone_keeps_it() -> None:
    assert parse_query("Ben", SPEAKERS, NOW).meaning == "Ben"


@pytest.mark.parametrize("text", ["When did we meet?", "what year was it", "什么时候搬家的", "几月去的"])
def test_question_for_a_time_is_seen(text: str) -> None:
    assert parse_query(text, (), NOW).asks_when


def test_identifier_is_kept_exactly() -> None:
    query = parse_query("what is ERR_42?", (), NOW)
    assert query.identifiers.tolist() == [hash_term("err_42")]


@pytest.mark.parametrize("text", ["", "   ", "?", "the", "。。。"])
def test_empty_query_is_read_without_terms(text: str) -> None:
    assert parse_query(text, SPEAKERS, NOW).terms == ()


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("What do you know about my dentist?", "my dentist?"),
        ("Do you remember where I live?", "where I live?"),
        ("Please tell me what my cat is called", "what my cat is called"),
        ("Did I tell you about Porto?", "Porto?"),
        ("你还记得我的牙医吗", "我的牙医吗"),
        ("我跟你说过我的膝盖吗", "我的膝盖吗"),
    ],
)
def test_words_that_ask_for_memories_are_left_out_of_the_meaning(text: str, meaning: str) -> None:
    assert parse_query(text, SPEAKERS, NOW).meaning == meaning


@pytest.mark.parametrize("text", ["What do you remember?", "What do I know about tea?", "Tell me a joke"])
def test_words_that_ask_for_something_else_stay(text: str) -> None:
    assert parse_query(text, SPEAKERS, NOW).meaning == text
