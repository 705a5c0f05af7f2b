from __future__ import annotations

from datetime import timedelta
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.utils import timezone
from pytest_django import Settings

from evaluation import measurement, owners
from evaluation.datasets.dataset import read_dataset
from evaluation.management.commands.evaluate import Bars
from evaluation.measurement import Measured, Plan, run_measurement
from evaluation.owners import PREFIX
from memories.models import Memory, MemoryAccess
from memsite.accounts.models import User
from threads.models import Citation

pytestmark = pytest.mark.django_db


def _evaluate(dataset: Path, *options: str) -> str:
    out = StringIO()
    call_command("evaluate", "--dataset", str(dataset), "--progress", "off", *options, stdout=out)
    return out.getvalue()


def _measured(dataset: Path, plan: Plan) -> Measured:
    measured = Measured()
    run_measurement(read_dataset(dataset), plan, measured, Bars(StringIO(), shown=False))
    return measured


def test_report_has_recall_in_all_and_by_category(dataset: Path) -> None:
    lines = _evaluate(dataset).splitlines()
    firsts = [line.split("  ")[0] for line in lines]
    assert {"all", "1 multi-hop", "2 temporal", "4 single-hop"} <= set(firsts)
    header = next(line.split() for line in lines if line.startswith("category"))
    assert header == ["category", "questions", "@3", "@5", "@10", "@20"]


def test_questions_without_evidence_and_unanswerable_ones_are_not_asked(dataset: Path) -> None:
    measured = _measured(dataset, Plan(dataset, budgets=()))
    assert [one.searched.question.category for one in measured.answered] == [4, 2, 1, 4, 2]
    assert measured.skipped == 1


def test_everything_is_found_when_as_many_come_back_as_there_are(dataset: Path) -> None:
    measured = _measured(dataset, Plan(dataset, top=(20,), budgets=()))
    assert all(one.searched.evidence <= set(one.searched.found) for one in measured.answered)


def test_turns_that_repeat_each_other_are_one_memory(dataset: Path) -> None:
    measured = _measured(dataset, Plan(dataset, budgets=()))
    assert (measured.turns, measured.memories) == (11, 10)


def test_turn_that_the_gate_refused_is_evidence_not_found(dataset: Path, settings: Settings) -> None:
    settings.MEMSITE_GATE = "refuse"
    text = dataset.read_text(encoding="utf-8")
    dataset.write_text(text.replace("forty tulips", "4111 1111 1111 1111"), encoding="utf-8")
    measured = _measured(dataset, Plan(dataset, budgets=()))
    assert measured.refused == 1
    assert measured.answered[0].searched.evidence == {"D1:1"}


def test_contexts_stay_within_their_budgets(dataset: Path) -> None:
    measured = _measured(dataset, Plan(dataset, budgets=(300, 2_000)))
    assert all(kept.total <= kept.budget for one in measured.answered for kept in one.contexts)


def test_no_context_is_counted_as_use(dataset: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    used: list[int] = []

    def look(owner: User) -> None:
        used.append(Citation.objects.count() + MemoryAccess.objects.count())
        owner.delete()

    monkeypatch.setattr(owners, "erase_owner", look)
    _measured(dataset, Plan(dataset, budgets=(2_000,)))
    assert used == [0, 0]


def test_text_alone_has_no_speaker_session_or_date(dataset: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written: set[tuple[str, str, object]] = set()

    def look(owner: User) -> None:
        written.update(Memory.objects.values_list("speaker", "session", "occurred_at"))
        owner.delete()

    monkeypatch.setattr(owners, "erase_owner", look)
    _measured(dataset, Plan(dataset, budgets=(), text_only=True))
    assert written == {("", "default", None)}


def test_nothing_is_left_behind(dataset: Path) -> None:
    _evaluate(dataset, "--limit", "1")
    assert not User.objects.filter(username__startswith=PREFIX).exists()
    assert not Memory.objects.exists()


def test_interruption_erases_and_reports_what_there_is(
    dataset: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(measurement, "count_history_tokens", interrupted)
    with pytest.raises(CommandError, match="stopped before the end") as stopped:
        _evaluate(dataset)
    assert stopped.value.returncode == 130
    assert not Memory.objects.exists()


def test_owner_of_a_run_that_was_killed_is_swept_away(dataset: Path) -> None:
    long_ago = timezone.now() - timedelta(days=1)
    User.objects.create(username=f"{PREFIX}killed", date_joined=long_ago)
    running = User.objects.create(username=f"{PREFIX}running")
    _evaluate(dataset, "--limit", "1", "--budgets", "off")
    assert list(User.objects.all()) == [running]


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--top", "0"], "at least 1"),
        (["--top", "five"], "at least 1"),
        (["--budgets", "10"], "at least 200"),
        (["--limit", "-1"], "at least 1"),
    ],
)
def test_options_out_of_range_are_refused(dataset: Path, options: list[str], complaint: str) -> None:
    with pytest.raises(CommandError, match=complaint):
        _evaluate(dataset, *options)


def test_file_of_another_shape_is_an_error_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "other.json"
    path.write_text('{"questions": []}', encoding="utf-8")
    with pytest.raises(CommandError, match="conversation 1: 'conversation' is missing"):
        _evaluate(path)
