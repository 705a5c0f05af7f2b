"""The score that a report would have after mends: the one that the next report has, if nothing else moves."""

from __future__ import annotations

import pytest

from memories.maintenance.reports import apply_mend, displayed_report, project_score
from memories.maintenance.reports.figures import count_by_month
from memories.models import Memory, Report, ReportKind
from memories.models.report import today
from memsite.accounts.models import User
from tests.memories.reports.conftest import Keep, MakeReport

FACTS = (
    "Plays the cello in an orchestra.",
    "Owns a red bicycle from Italy.",
    "Drinks green tea each morning.",
    "Works as a bridge engineer.",
    "Reads crime novels on trains.",
    "Swims two kilometres on Mondays.",
)


@pytest.fixture
def others(alice: User, kept: Keep) -> list[Memory]:
    """Memories in which nothing is wrong."""
    return [kept(alice, content, used=1) for content in FACTS]


def projected(report: Report) -> tuple[float, float]:
    scores = project_score(displayed_report.read_report(report))
    assert scores is not None
    return scores.now, scores.all_mended


def mend_first(report: Report, owner: User, act: str = "") -> None:
    apply_mend(report.pk, report.body["findings"][0]["id"], owner=owner.pk, actor="test", act=act)


@pytest.mark.usefixtures("others")
@pytest.mark.parametrize(
    "fields",
    [
        {"confidence": 0.5},
        {"age": 100},
        {"age": 200, "used": 120},
        {"age": 100, "used": 95, "importance": 0.2},
        {"age": 20, "status": "pending"},
    ],
    ids=["unsure", "never_used", "stale", "low_value", "waiting"],
)
def test_a_promised_score_is_that_of_the_next_report(
    fields: dict[str, object], alice: User, kept: Keep, made: MakeReport
) -> None:
    kept(alice, "Keeps bees behind the barn.", **fields)
    report = made(alice)
    _now, promised = projected(report)
    mend_first(report, alice)
    assert projected(report)[0] == pytest.approx(promised)
    assert made(alice).score == pytest.approx(promised, abs=0.01)


@pytest.mark.usefixtures("others")
def test_pinning_is_projected_once_it_is_done(alice: User, kept: Keep, made: MakeReport) -> None:
    kept(alice, "Keeps bees behind the barn.", age=100)
    report = made(alice)
    mend_first(report, alice, "pin")
    assert projected(report)[0] == pytest.approx(made(alice).score, abs=0.01)


@pytest.mark.usefixtures("others")
@pytest.mark.parametrize("act", ["keep", "past", "both"])
def test_a_settled_conflict_is_projected(act: str, alice: User, kept: Keep, made: MakeReport) -> None:
    kept(alice, "Alice keeps bees behind the barn.", used=1)
    kept(alice, "Alice does not keep bees behind the barn.", used=1)
    report = made(alice)
    before, promised = projected(report)
    assert promised > before
    mend_first(report, alice, act)
    assert projected(report)[0] == pytest.approx(made(alice).score, abs=0.2)


@pytest.mark.usefixtures("others")
def test_merged_duplicates_are_projected(alice: User, kept: Keep, made: MakeReport) -> None:
    kept(alice, "Alice keeps bees behind the barn.", used=1)
    kept(alice, "The Alice keeps bees behind the barn!", used=1)
    report = made(alice)
    mend_first(report, alice, "merge")
    assert projected(report)[0] == pytest.approx(made(alice).score, abs=0.2)


@pytest.mark.usefixtures("others")
def test_without_mends_the_score_is_the_reports(alice: User, made: MakeReport) -> None:
    report = made(alice)
    assert projected(report) == pytest.approx((report.score, report.score))


def test_a_report_without_figures_is_not_projected(alice: User) -> None:
    report = Report.objects.create(owner_id=alice.pk, kind=ReportKind.QUALITY, score=80)
    assert project_score(displayed_report.read_report(report)) is None


def test_months_are_counted_up_to_the_day(alice: User, bob: User, kept: Keep) -> None:
    kept(alice, FACTS[0])
    kept(alice, FACTS[1], age=62, forgotten_at=None)
    kept(bob, FACTS[2])
    months = count_by_month(today(), owner=alice.pk)
    assert len(months) == 12
    assert months[-1].month == f"{today():%Y-%m}"
    assert (months[-1].gained, sum(month.gained for month in months)) == (1, 2)
