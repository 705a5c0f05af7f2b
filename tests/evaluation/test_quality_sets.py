"""The sets of `evaluation.quality` and of unseen talk: their format, and that questions use other words."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from evaluation.datasets import DatasetError, load_exchanges
from evaluation.quality import EVERYDAY_SET, TRUTH_SET, read_everyday_set, read_truth_set
from evaluation.quality.distractors import make_distractors
from evaluation.quality.everyday_set import EverydayPerson, is_across
from memories.values import Kind
from tests.policy.sources import ROOT

TALK = ROOT / "bench" / "extraction" / "unseen_talk.jsonl"
#: Most of a question's words that may be in its memory: names, and words that have no other.
MOST_SHARED = 0.34
COMMON = re.compile(
    r"\b(?:the|my|me|we|our|us|is|are|was|were|be|do|does|did|have|has|had|to|of|in|on|at|for|with|and|or|but"
    r"|what|which|who|when|where|why|how|that|this|it|he|she|her|his|they|am|any|get|got|go|one|from|by)\b"
)
PEOPLE = read_everyday_set(EVERYDAY_SET)
SCENARIOS = read_truth_set(TRUTH_SET)


def split_words(text: str) -> set[str]:
    """Return the stems of the content words, and the pairs of Chinese characters."""
    content = COMMON.sub(" ", text.lower())
    words = {re.sub(r"(ing|ed|es|s)$", "", one) for one in re.findall(r"[a-z]{2,}", content)}
    chinese = "".join(re.findall(r"[\u4e00-\u9fff]", text))
    return words | {chinese[place : place + 2] for place in range(len(chinese) - 1)}


def find_leaks(person: EverydayPerson) -> list[str]:
    texts = {one.id: one.text for one in person.memories}
    leaks = []
    for question in person.questions:
        words = split_words(question.text)
        shared = words & set().union(*(split_words(texts[one]) for one in question.memories))
        if len(shared) > MOST_SHARED * len(words):
            leaks.append(f"{question.text}: {sorted(shared)}")
    return leaks


@pytest.mark.parametrize("person", PEOPLE, ids=lambda one: one.name)
def test_questions_do_not_repeat_their_memories(person: EverydayPerson) -> None:
    assert find_leaks(person) == []


def test_everyday_set_has_enough_questions_of_each_kind() -> None:
    questions = [one for person in PEOPLE for one in person.questions]
    inputs = Counter(bool(one.memories) for person in PEOPLE for one in person.inputs)
    assert sum(one.across for one in questions) >= len(questions) / 4
    assert min(len(person.questions) for person in PEOPLE) >= 60
    assert inputs[False] >= 120
    assert inputs[True] >= 40


def test_ids_of_the_everyday_set_are_unique() -> None:
    ids: Counter[str] = Counter()
    for person in PEOPLE:
        ids.update(memory.id for memory in person.memories)
        ids.update(question.id for question in person.questions)
        ids.update(one.id for one in person.inputs)
    assert [name for name, count in ids.items() if count > 1] == []


def test_distractors_are_distinct_and_always_the_same() -> None:
    for language in ("en", "zh", "mixed"):
        lines = make_distractors(language, 400, seed="moira")
        assert len({one.text for one in lines}) == 400
        assert lines == make_distractors(language, 400, seed="moira")
        assert not any("{" in one.text for one in lines)


@pytest.mark.parametrize(
    ("language", "languages", "expected"),
    [("en", ["zh"], True), ("en", ["mixed"], False), ("zh", ["en", "zh"], False), ("en", [], False)],
)
def test_question_is_across_languages_if_no_memory_has_its_language(
    *, language: str, languages: list[str], expected: bool
) -> None:
    assert is_across(language, languages) is expected


def test_truth_set_has_scenarios_of_every_kind_in_both_languages() -> None:
    kinds = Counter((one.kind, one.language) for one in SCENARIOS)
    assert len(SCENARIOS) >= 60
    assert min(kinds.values()) >= 3
    assert {kind for kind, _ in kinds} == {
        *("preference", "tool", "home", "job", "partner", "habit"),
        *("ended", "correction", "temporary", "restated", "both"),
    }


def test_days_of_truth_questions_lie_after_the_first_statement() -> None:
    early = [
        question.text
        for one in SCENARIOS
        for question in one.questions
        if question.as_of is not None and question.as_of < one.statements[0].at
    ]
    assert early == []


def test_labels_of_talk_stand_in_their_messages() -> None:
    for item in load_exchanges(TALK):
        said = item["exchange"][-1]["content"].casefold()
        for label in item["expected"]:
            assert all(one.casefold() in said for one in (*label["key"], *label.get("details", []))), item
            assert set(label["kind"]) <= set(Kind), item


def test_talk_has_halves_with_and_without_memories() -> None:
    items = load_exchanges(TALK)
    count = Counter((item["split"], bool(item["expected"])) for item in items)
    assert len({item["exchange"][0]["content"] for item in items}) == len(items)
    assert count["talk_held_out", True] + count["talk_development", True] >= 200
    assert min(count["talk_held_out", False], count["talk_development", False]) >= 40


@pytest.mark.parametrize(
    ("lines", "complaint"),
    [
        ([{"type": "poem"}], "line 1: type is 'poem'"),
        ([{"type": "person", "id": "a", "language": "en"}], "should have a person and memories"),
        ([{"type": "memory", "id": "m", "at": "May", "language": "en", "text": "x"}], "'May' is not a date"),
    ],
)
def test_everyday_file_of_another_shape_is_an_error(
    tmp_path: Path, lines: list[object], complaint: str
) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text("\n".join(json.dumps(one) for one in lines), encoding="utf-8")
    with pytest.raises(DatasetError, match=complaint):
        read_everyday_set(path)


def test_question_about_an_unknown_statement_is_an_error(tmp_path: Path) -> None:
    scenario = {
        "type": "scenario",
        "id": "one",
        "kind": "home",
        "language": "en",
        "statements": [{"id": "a", "at": "2024-01-02", "text": "I live in Vaduz."}],
        "questions": [{"text": "Where?", "as_of": None, "right": ["b"], "stale": []}],
    }
    path = tmp_path / "truth.jsonl"
    path.write_text(json.dumps(scenario), encoding="utf-8")
    with pytest.raises(DatasetError, match="there is no statement 'b'"):
        read_truth_set(path)
