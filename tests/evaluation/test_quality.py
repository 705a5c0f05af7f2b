"""`manage.py evaluate --everyday` and `--truth`, on tiny sets, and their scoring."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from evaluation.management.commands.evaluate import Bars
from evaluation.owners import PREFIX
from evaluation.quality import (
    EverydayPlan,
    MeasuredEveryday,
    MeasuredTruth,
    TruthPlan,
    WrittenAs,
    everyday,
    format_everyday_report,
    format_truth_report,
    measure_everyday,
    measure_truth,
    read_everyday_set,
    read_truth_set,
)
from evaluation.quality.everyday import AnsweredInput, EverydayContext
from evaluation.quality.everyday_report import list_precisions
from evaluation.quality.everyday_set import EverydayInput
from evaluation.quality.truth import judge_answer
from evaluation.quality.truth_set import Scenario, TruthQuestion
from memories.models import Memory
from memsite.accounts.models import User
from threads.models import Citation

OLD, NEW = uuid4(), uuid4()
QUESTION = TruthQuestion("Where do I live?", None, right=("b",), stale=("a",), needs_all=True)


def _line(kind: str, name: str, text: str, **more: Any) -> dict[str, Any]:
    return {"type": kind, "id": name, "language": "en", "text": text, **more}


@pytest.fixture
def diary(tmp_path: Path) -> Path:
    """One person with three memories, two questions and two inputs."""
    lines = [
        {"type": "person", "id": "irma", "language": "en"},
        _line("memory", "m1", "My sister Oda keeps goats near Bern.", at="2024-03-01"),
        _line("memory", "m2", "I am allergic to walnuts.", at="2024-04-01"),
        _line("memory", "m3", "The rent is 900 euros.", at="2024-05-01"),
        _line("question", "q1", "Where does my sister Oda keep goats?", memories=["m1"]),
        _line("question", "q2", "What is the rent?", memories=["m3"]),
        _line("input", "i1", "What is 2 + 2?", category="arithmetic", memories=[]),
        _line("input", "i2", "Can I eat a walnut cake?", category="needs", memories=["m2"]),
    ]
    path = tmp_path / "irma.jsonl"
    path.write_text("\n".join(json.dumps(one) for one in lines), encoding="utf-8")
    return path


@pytest.fixture
def changes(tmp_path: Path) -> Path:
    """One scenario, of a move, with a question about now and one about a day before it."""
    scenario = {
        "type": "scenario",
        "id": "home-1",
        "kind": "home",
        "language": "en",
        "statements": [
            {"id": "a", "at": "2024-01-10", "text": "I live in Vaduz."},
            {"id": "b", "at": "2024-09-10", "text": "I moved to Chur."},
        ],
        "questions": [
            {"text": "Where do I live?", "as_of": None, "right": ["b"], "stale": ["a"]},
            {"text": "Where did I live?", "as_of": "2024-03-10", "right": ["a"], "stale": ["b"]},
        ],
    }
    path = tmp_path / "changes.jsonl"
    path.write_text(json.dumps(scenario), encoding="utf-8")
    return path


def _evaluate(*options: str) -> str:
    out = StringIO()
    call_command("evaluate", *options, "--progress", "off", stdout=out)
    return out.getvalue()


def _measure(diary: Path, plan: EverydayPlan) -> MeasuredEveryday:
    measured = MeasuredEveryday()
    measure_everyday(read_everyday_set(diary), plan, measured, Bars(StringIO(), shown=False))
    return measured


def _judge(
    found: list[UUID], memories: dict[str, frozenset[UUID]], question: TruthQuestion
) -> tuple[bool, bool]:
    scenario = Scenario("one", "home", "en", (), (question,))
    answer = judge_answer(scenario, question, memories, found)
    return answer.is_right, answer.is_stale


@pytest.mark.parametrize(
    ("found", "expected"),
    [([NEW], (True, False)), ([NEW, OLD], (False, True)), ([OLD], (False, True)), ([], (False, False))],
)
def test_answer_is_right_with_the_right_memory_and_no_stale_one(
    found: list[UUID], expected: tuple[bool, bool]
) -> None:
    memories = {"a": frozenset({OLD}), "b": frozenset({NEW})}
    assert _judge(found, memories, QUESTION) == expected


def test_memory_that_took_in_the_new_statement_is_still_stale() -> None:
    one = frozenset({OLD})
    assert _judge([OLD], {"a": one, "b": one}, QUESTION) == (False, True)


@pytest.mark.parametrize(("found", "expected"), [([NEW, OLD], True), ([OLD, NEW], False), ([OLD], False)])
def test_right_memory_is_first_only_before_stale_ones(found: list[UUID], *, expected: bool) -> None:
    memories = {"a": frozenset({OLD}), "b": frozenset({NEW})}
    scenario = Scenario("one", "home", "en", (), (QUESTION,))
    assert judge_answer(scenario, QUESTION, memories, found).is_first is expected


def test_nothing_found_is_right_where_nothing_is_true() -> None:
    question = TruthQuestion("Am I ill?", None, right=(), stale=("a",), needs_all=True)
    assert _judge([], {"a": frozenset({OLD})}, question) == (True, False)


@pytest.mark.parametrize(("needs_all", "expected"), [(True, False), (False, True)])
def test_one_of_two_right_memories_is_enough_only_where_any_is(*, needs_all: bool, expected: bool) -> None:
    question = TruthQuestion("What?", None, right=("a", "b"), stale=(), needs_all=needs_all)
    right, _ = _judge([OLD], {"a": frozenset({OLD}), "b": frozenset({NEW})}, question)
    assert right is expected


def test_precision_counts_only_contexts_to_which_something_was_added() -> None:
    one = EverydayInput("q", "en", "question", "?", ("m",))
    contexts = [EverydayContext(4, 1, 80), EverydayContext(0, 0, 0), EverydayContext(2, 2, 40)]
    assert list_precisions([AnsweredInput("irma", one, None, context) for context in contexts]) == [0.25, 1.0]


@pytest.mark.django_db
def test_everyday_questions_are_ranked_and_contexts_counted(diary: Path) -> None:
    measured = _measure(diary, EverydayPlan(distractors=20))
    assert (measured.people, measured.texts, measured.refused) == (1, 23, 0)
    assert [one.rank for one in measured.answered] == [1, 1, None, None]
    assert all(one.context.right <= one.context.added for one in measured.answered)
    assert not Citation.objects.exists()


def test_contexts_without_memories_for_lack_of_time_are_reported() -> None:
    one = EverydayInput("q", "en", "question", "?", ("m",))
    late = AnsweredInput("irma", one, 1, EverydayContext(0, 0, 0, is_late=True))
    report = format_everyday_report(EverydayPlan(), MeasuredEveryday(people=1, texts=1, answered=[late]))
    assert "1 contexts have no memories because recall was too slow" in report
    assert "nan" not in report


@pytest.mark.django_db
def test_everyday_report_names_every_group(diary: Path) -> None:
    report = _evaluate("--everyday", str(diary), "--distractors", "0", "--misses")
    firsts = {line.split("  ")[0] for line in report.splitlines()}
    assert {"all", "asked in en", "irma", "all, by person", "inputs that need one"} <= firsts
    assert "across languages" not in firsts
    assert not User.objects.filter(username__startswith=PREFIX).exists()
    assert not Memory.objects.exists()


@pytest.mark.django_db
def test_unknown_person_is_an_error(diary: Path) -> None:
    with pytest.raises(CommandError, match="no person 'oskar'"):
        _evaluate("--everyday", str(diary), "--person", "oskar")


@pytest.mark.parametrize("count", ["-1", "some", "5001"])
def test_number_of_distractors_out_of_range_is_an_error(count: str) -> None:
    with pytest.raises(CommandError, match="is not a number from 0 to 5,000"):
        _evaluate("--everyday", "--distractors", count)


@pytest.mark.django_db
def test_interrupted_everyday_run_reports_what_it_measured(
    diary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(everyday, "make_distractors", interrupt)
    with pytest.raises(CommandError, match="stopped before the end") as stopped:
        _evaluate("--everyday", str(diary))
    assert stopped.value.returncode == 130


@pytest.mark.django_db
@pytest.mark.parametrize("written_as", list(WrittenAs))
def test_truth_about_now_and_then_is_told_apart(changes: Path, written_as: WrittenAs) -> None:
    measured = MeasuredTruth()
    scenarios = read_truth_set(changes)
    measure_truth(scenarios, TruthPlan(written_as), measured, Bars(StringIO(), shown=False))
    assert [one.question.as_of for one in measured.answers] == [None, datetime(2024, 3, 10, 12, tzinfo=UTC)]
    assert measured.unlearnt == 0
    assert measured.answers[1].is_right


@pytest.mark.django_db
def test_truth_report_has_both_times_and_every_kind(changes: Path) -> None:
    report = _evaluate("--truth", str(changes), "--misses")
    assert "1 scenarios, 2 statements written as messages; 0 of them led to no memory" in report
    assert [line.split()[0] for line in report.splitlines() if line.startswith("  home")] == ["home", "home"]
    assert "True as of a day" in report
    assert not Memory.objects.exists()


def test_reports_of_nothing_say_so() -> None:
    reports = {
        format_everyday_report(EverydayPlan(), MeasuredEveryday()),
        format_truth_report(TruthPlan(), MeasuredTruth()),
    }
    assert reports == {"Nothing was measured."}
