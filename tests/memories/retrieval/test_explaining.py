"""Why a memory was found, and what it contradicts, in plain words."""

from __future__ import annotations

import pytest

from memories.models import Memory
from memories.retrieval.explaining import reason_of, warning_of
from memories.retrieval.query.query import parse_query
from memories.values import Opponent
from memsite.values import new_id
from tests.memories.retrieval.memos import NOW

NONE = {"similarity": 0.0, "keyword": 0.0, "graph": 0.0, "structure": 0.0, "time": 0.0}


def _reason(question: str, content: str, *, speaker: str = "", **parts: float) -> str:
    memory = Memory(content=content, speaker=speaker)
    return reason_of(memory, parse_query(question, ["Ana"], NOW), NONE | parts)


def test_exact_identifier_is_the_reason() -> None:
    why = _reason("what was E-4711", "The router shows E-4711.", similarity=1.0, structure=3.0)
    assert why == 'contains exactly "E-4711"'


@pytest.mark.parametrize(
    ("question", "content", "why"),
    [
        ("Where do I keep my bees?", "Bees are kept in the barn.", 'shares "keep" and "bees"'),
        ("我住在哪里", "用户住在上海浦东。", 'shares "住在"'),
        ("What is my job?", "Works as a nurse.", 'has words related to "job"'),
        ("在哪里工作", "用户在腾讯做后端开发。", 'has words related to "工作"'),
        ("Which boat?", "The kettle is red.", "the nearest there is"),
    ],
)
def test_reason_quotes_the_words_that_matched(question: str, content: str, why: str) -> None:
    assert _reason(question, content) == why


def test_speaker_and_time_are_reasons() -> None:
    why = _reason("What did Ana say in May 2023?", "It rains.", speaker="Ana", time=4.0)
    assert why == "said by Ana; is of the time asked about"


def _disputed(content: str, *opponents: Opponent, **triple: str) -> Memory:
    memory = Memory(id=new_id(), content=content, **triple)
    memory.opponents = opponents
    return memory


def test_warning_names_subject_predicate_and_both_values() -> None:
    other = Opponent(new_id(), "Paris", "Lives in Paris.")
    memory = _disputed("Lives in Rome.", other, subject="user", predicate="lives_in", object="Rome")
    assert warning_of([memory]) == 'Two memories disagree on "user lives in": "Rome" or "Paris".'


def test_warning_about_plain_texts_quotes_both_once() -> None:
    first, second = _disputed("Likes tea."), _disputed("Hates tea.")
    first.opponents = (Opponent(second.pk, "", second.content),)
    second.opponents = (Opponent(first.pk, "", first.content),)
    assert warning_of([first, second]) == 'Two memories disagree: "Likes tea." and "Hates tea.".'


def test_memories_without_dispute_give_no_warning() -> None:
    assert warning_of([_disputed("Likes tea.")]) == ""
