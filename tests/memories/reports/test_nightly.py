"""The night: a job for each owner, once a day however often it runs, and the site's sum of it all."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
import time_machine

from memories import tasks
from memories.maintenance.reports import displayed_report, report_making, site
from memories.models import Report, SiteReport
from memories.models.report import ReportKind, today
from memsite.accounts.models import User
from memsite.accounts.preferences import set_preferences
from memsite.jobs import run_due_jobs
from memsite.jobs.models import Job, Status
from tests.memories.reports.conftest import Keep, MakeReport

NIGHT = "2031-05-04T04:30:00Z"


def queued() -> list[Job]:
    return list(Job.objects.filter(task="memories.tasks.report"))


def test_every_owner_has_a_job_of_their_own(alice: User, bob: User, kept: Keep) -> None:
    kept(alice, "Alice keeps bees.")
    kept(bob, "Bob plays the oboe.")
    assert tasks.report_all() == tasks.report_all() == 2
    assert {job.owner_id for job in queued()} == {alice.pk, bob.pk}
    assert len(queued()) == 2
    run_due_jobs()
    assert {job.status for job in queued()} == {Status.DONE}
    assert Report.objects.count() == 4


def test_job_is_of_the_day_it_was_queued_on(alice: User, kept: Keep) -> None:
    kept(alice, "Alice keeps bees.")
    with time_machine.travel("2031-05-04T23:59:00Z"):
        tasks.report_all()
    with time_machine.travel("2031-05-05T00:10:00Z"):
        run_due_jobs()
    assert {report.day for report in Report.objects.filter(owner_id=alice.pk)} == {date(2031, 5, 4)}


def test_run_cut_off_before_the_write_leaves_nothing_and_is_run_again(
    alice: User, kept: Keep, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept(alice, "Alice keeps bees.")

    class Killed(BaseException):
        """What a SIGKILL looks like from within: nothing after it happens."""

    def killed(*args: object) -> Any:
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr(report_making, "build_quality_report", killed)
        with pytest.raises(Killed):
            report_making.make_reports(today(), owner=alice.pk)
    assert not Report.objects.filter(owner_id=alice.pk).exists()
    report_making.make_reports(today(), owner=alice.pk)
    assert Report.objects.filter(owner_id=alice.pk).count() == 2


def test_trend_tells_how_the_score_went(alice: User, kept: Keep) -> None:
    for day in range(3):
        with time_machine.travel(f"2031-05-0{day + 1}T04:30:00Z"):
            kept(alice, f"Shelf {day} holds box {day * 7}.", confidence=0.5)
            report_making.make_reports(today(), owner=alice.pk)
    report = displayed_report.get_latest_report(ReportKind.QUALITY, owner=alice.pk)
    assert report is not None
    trend = displayed_report.read_report(report).trend
    assert [point.day.day for point in trend.points] == [1, 2, 3]
    assert trend.change == trend.points[2].score - trend.points[1].score


def test_first_report_has_no_change(alice: User, made: MakeReport) -> None:
    assert displayed_report.read_report(made(alice)).trend.change is None


def test_site_report_adds_up_owners_and_names_nobody(
    alice: User, bob: User, kept: Keep, made: MakeReport
) -> None:
    memory = kept(alice, "Alice keeps bees.")
    kept(bob, "Bob plays the oboe.", confidence=0.5)
    scores = [made(person).score or 0 for person in (alice, bob)]
    assert tasks.report_site() == pytest.approx(sum(scores) / 2)
    report = SiteReport.objects.get()
    assert (report.body["owners"], report.body["memories"]) == (2, 2)
    assert report.body["figures"]["unsure"] == 1
    assert report.body["spread"] is None
    assert str(memory.pk) not in str(report.body)
    assert str(alice.pk) not in str(report.body)


def test_site_report_made_twice_is_one(alice: User, made: MakeReport) -> None:
    made(alice)
    first, second = site.make_site(today()), site.make_site(today())
    assert (first.pk, first.score, first.body) == (second.pk, second.score, second.body)


def test_site_without_owners_has_a_report(db: None) -> None:
    assert tasks.report_site() is None


def test_spread_is_told_of_five_people_or_more(made: MakeReport) -> None:
    for number in range(5):
        made(User.objects.create_user(username=f"person-{number}"))
    spread = site.make_site(today()).body["spread"]
    assert spread["lowest"] == spread["highest"] == pytest.approx(97.5)


def test_old_reports_go_and_older_ones_lose_their_findings(alice: User, kept: Keep, made: MakeReport) -> None:
    kept(alice, "Alice keeps bees.", age=100)
    report = made(alice)
    for days in (31, 401):
        Report.objects.create(
            owner_id=alice.pk, kind=ReportKind.QUALITY, day=today() - timedelta(days=days), body=report.body
        )
    assert site.prune(today()) == 1
    old = Report.objects.get(owner_id=alice.pk, day=today() - timedelta(days=31))
    assert "findings" not in old.body
    assert old.body["figures"] == report.body["figures"]
    assert displayed_report.read_report(old).findings == ()


def test_night_passes_over_whoever_switched_memory_off(alice: User, kept: Keep) -> None:
    kept(alice, "Alice keeps bees.")
    set_preferences(alice.pk, memory_on=False)
    tasks.report_all()
    run_due_jobs()
    assert not Report.objects.exists()


def test_account_that_goes_takes_its_reports_along(alice: User, made: MakeReport) -> None:
    made(alice)
    alice.delete()
    assert not Report.objects.exists()
