"""Sentences into clauses with their frames."""

from __future__ import annotations

import pytest

from memories.extraction.prose.clauses import Clause, Frame
from memories.extraction.prose.prose import extract_own_prose
from memories.extraction.prose.sentences import is_chinese, split_sentences
from memories.extraction.rules.clause_reader import list_own_sentences


def clauses(text: str) -> list[Clause]:
    return [clause for own in list_own_sentences(extract_own_prose(text)) for clause in own.clauses]


@pytest.mark.parametrize(
    ("text", "frame"),
    [
        ("I live in Rome.", Frame.STATEMENT),
        ("I don't live in Rome.", Frame.STATEMENT),
        ("Do I live in Rome", Frame.QUESTION),
        ("If I live in Rome", Frame.HYPOTHETICAL),
        ("He says I live in Rome", Frame.REPORTED),
        ("Explain Rome to me", Frame.COMMAND),
        ("我住在罗马。", Frame.STATEMENT),
        ("我住在罗马吗", Frame.QUESTION),
        ("如果我住在罗马", Frame.HYPOTHETICAL),
        ("他说我住在罗马", Frame.REPORTED),
        ("帮我查一下罗马", Frame.COMMAND),
    ],
)
def test_frame_is_how_the_clause_is_meant(text: str, frame: Frame) -> None:
    assert [clause.frame for clause in clauses(text)] == [frame]


@pytest.mark.parametrize("text", ["Anna: I live in Rome", "小王：我住在罗马"])
def test_words_of_somebody_else_are_no_own_sentence(text: str) -> None:
    assert clauses(text) == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Good news: I live in Berlin now.", "I live in Berlin now."),
        ("Some big personal news - I live in Berlin now.", "I live in Berlin now."),
        ("Heads-up: I live in Berlin now.", "I live in Berlin now."),
        ("好消息：我住在柏林了。", "我住在柏林了。"),
        ("近况更新：我住在柏林了。", "我住在柏林了。"),
    ],
)
def test_announcement_is_no_part_of_what_it_announces(text: str, said: str) -> None:
    assert [clause.text for clause in clauses(text)] == [said]


def test_second_verb_takes_the_subject_of_the_first() -> None:
    assert [clause.text for clause in clauses("my sister lives in Bonn and works at Bayer")] == [
        "my sister lives in Bonn",
        "my sister works at Bayer",
    ]


def test_couple_is_not_split() -> None:
    assert [clause.text for clause in clauses("My wife and I live in Bonn")] == ["My wife and I live in Bonn"]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("I use 3.11.2 and 9.5% e.g. at St. Mary's, p.m. too.", 1),
        ("Hi! I'm Sam. You?", 3),
        ("我住在北京。我喜欢茶！你呢？", 3),
        ("See https://a.example/b.c?d=1! It works", 2),
        ("no end mark", 1),
        ("", 0),
    ],
)
def test_sentence_ends_only_at_its_end_mark(text: str, count: int) -> None:
    assert len(list(split_sentences(text))) == count


@pytest.mark.parametrize(
    ("text", "chinese"),
    [("我用 React", True), ("I prefer 乌龙茶 over coffee", False), ("hello", False), ("前端我只用 TS", True)],
)
def test_language_is_that_of_the_clause_not_of_its_names(text: str, chinese: bool) -> None:  # noqa: FBT001 - a case of the table
    assert is_chinese(text) is chinese


def test_quotation_is_masked_and_comes_back_verbatim() -> None:
    prose = extract_own_prose('I named it "I love Java" once')
    assert "Java" not in prose.lines[0]
    assert prose.unmask(prose.lines[0]) == 'I named it "I love Java" once'
    assert prose.unmask(prose.lines[0], bare=True) == "I named it I love Java once"
