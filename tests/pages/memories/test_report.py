"""The page of the report: the score and its line, what was found, a mend and its undo, without scripts."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.messages import get_messages
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from memories.maintenance.reports import displayed_report, report_requests
from memories.maintenance.reports.report_making import make_reports
from memories.models import Memory, Report
from memories.models.report import ReportKind, today
from memories.storage.access import get_memory
from memsite.accounts.models import User
from memsite.accounts.preferences import set_preferences
from memsite.jobs import run_due_jobs
from memsite.jobs.models import Job
from memsite.web.requests import undo_url_of
from tests.pages.conftest import Remember
from tests.pages.memories.conftest import Dispute

PAGE = "/memories/report/"


@pytest.fixture
def unsure(alice: User, remembered: Remember) -> Memory:
    """A memory of Alice's that is not quite sure, in a report made just now."""
    memory = remembered(alice, "Plays the cello.", confidence=0.65)
    make_reports(today(), owner=alice.pk)
    return memory


def shown(client: Client) -> str:
    response = client.get(PAGE)
    assert response.status_code == 200
    return response.content.decode()


def mend(client: Client, choice: str) -> Any:
    report = displayed_report.get_latest_report(
        ReportKind.QUALITY, owner=Report.objects.earliest("id").owner_id
    )
    assert report is not None
    finding = report.body["findings"][0]["id"]
    return client.post(f"{PAGE}{report.pk}/mend/", {"finding": finding, "choice": choice})


def undo_address(response: Any) -> str:
    (message,) = get_messages(response.wsgi_request)
    return undo_url_of(message.extra_tags or "")


def test_without_a_report_the_page_offers_to_make_one(alice_browser: Client) -> None:
    page = shown(alice_browser)
    assert "No report yet" in page
    assert 'action="/memories/report/make/"' in page


def test_page_shows_score_texts_and_mends(alice_browser: Client, unsure: Memory) -> None:
    page = shown(alice_browser)
    assert "Plays the cello." in page
    assert "65% sure" in page
    assert 'name="choice" value="confirm"' in page
    assert re.search(r'class="score-number number">\d+\.\d', page)


def make_earlier(owner: User, *scores: float) -> list[Report]:
    """Store reports of the days before today, the latest first, with what today's holds, if there is one."""
    latest = displayed_report.get_latest_report(ReportKind.QUALITY, owner=owner.pk)
    return [
        Report.objects.create(
            owner_id=owner.pk,
            kind=ReportKind.QUALITY,
            day=today() - timedelta(days=days),
            score=score,
            body=latest.body if latest else {},
        )
        for days, score in enumerate(scores, 1)
    ]


def test_trend_is_a_line_with_a_point_a_day(alice: User, alice_browser: Client, unsure: Memory) -> None:
    make_earlier(alice, 80, 80)
    page = shown(alice_browser)
    assert len(re.findall(r'<circle class="chart-dot"', page)) == 3
    points = re.search(r'<polyline class="chart-line" points="([^"]*)"', page)
    assert points is not None
    assert len(points[1].split()) == 3


def test_one_report_has_a_dot_and_no_history(alice_browser: Client, unsure: Memory) -> None:
    page = shown(alice_browser)
    assert page.count('<circle class="chart-dot"') == 1
    assert "chart-line" not in page
    assert "Earlier reports" not in page


def test_few_memories_are_said_to_be_few(alice_browser: Client, unsure: Memory) -> None:
    assert "You have few memories yet." in shown(alice_browser)


def test_charts_have_their_numbers_as_text(alice_browser: Client, unsure: Memory) -> None:
    page = shown(alice_browser)
    assert re.search(
        r'<a href="/memories/\?layer=all&amp;kind=fact">Fact</a>.*?<td class="number">1</td>', page, re.DOTALL
    )
    assert "Learnt and forgotten by month" in page
    assert "Used lately, or new" in page


def test_page_says_what_a_mend_gains(alice_browser: Client, unsure: Memory) -> None:
    page = shown(alice_browser)
    (before, after) = re.findall(r"([\d.]+) → <strong>([\d.]+)</strong></span> <a href=\"#findings\"", page)[
        0
    ]
    assert float(after) > float(before)
    assert f"{before} → {after}" in page  # of the only group


def test_after_a_mend_the_page_says_what_it_gained(alice_browser: Client, unsure: Memory) -> None:
    promised = re.findall(r"→ <strong>([\d.]+)</strong></span> <a", shown(alice_browser))
    done = mend(alice_browser, "confirm")
    (message,) = get_messages(done.wsgi_request)
    assert f"→ {promised[0]}." in message.message
    page = shown(alice_browser)
    assert f"→ <strong>{promised[0]}</strong></span> with what you mended since" in page


def test_one_question_has_all_its_values_and_one_number(
    alice: User, alice_browser: Client, disputed: Dispute
) -> None:
    sides = disputed(alice, "Berlin", "Lisbon", "Rome", "Vienna", "Bonn", "Oslo")
    make_reports(today(), owner=alice.pk)
    page = shown(alice_browser)
    assert "Alice lives in …?" in page
    assert re.search(r'They cannot both be true</h2>.*?<span class="count">1</span>', page, re.DOTALL)
    assert all(side.content in page for side in sides)
    assert "1 older value" in page
    mend(alice_browser, "keep")
    assert [get_memory(one.pk, owner=alice.pk).status for one in sides] == ["deprecated"] * 5 + ["active"]
    assert "They cannot both be true" not in shown(alice_browser)


def test_an_earlier_report_is_opened_by_its_id(alice: User, alice_browser: Client, unsure: Memory) -> None:
    (earlier,) = make_earlier(alice, 71.3)
    assert f'href="{PAGE}{earlier.pk}/"' in shown(alice_browser)
    page = alice_browser.get(f"{PAGE}{earlier.pk}/").content.decode()
    assert "This is the report of" in page
    assert "71.3" in page
    assert 'name="choice"' not in page


def test_the_latest_report_has_one_address(alice: User, alice_browser: Client, unsure: Memory) -> None:
    latest = displayed_report.get_latest_report(ReportKind.QUALITY, owner=alice.pk)
    assert latest is not None
    assert alice_browser.get(f"{PAGE}{latest.pk}/")["Location"] == PAGE


def test_history_lists_all_reports_with_their_changes(
    alice: User, alice_browser: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memories.pages.report.report._PAGE", 2)
    make_earlier(alice, 80, 75.5, 70)
    page = alice_browser.get(f"{PAGE}history/").content.decode()
    assert "+4.5" in page
    assert "+5.5" in page
    until = re.search(r'href="(\?until=[^"]*)"', page)
    assert until is not None
    older = alice_browser.get(f"{PAGE}history/{until[1]}").content.decode()
    assert "70.0" in older
    assert "80.0" not in older


def test_history_without_reports_says_so(alice_browser: Client) -> None:
    assert "No report yet" in alice_browser.get(f"{PAGE}history/?until=x").content.decode()


def test_others_reports_are_not_found(alice: User, bob_browser: Client, unsure: Memory) -> None:
    report = Report.objects.get(owner_id=alice.pk, kind=ReportKind.QUALITY)
    assert bob_browser.get(f"{PAGE}{report.pk}/").status_code == 404
    assert "No report yet" in bob_browser.get(f"{PAGE}history/").content.decode()


def test_queries_do_not_depend_on_findings_and_reports(
    alice: User, alice_browser: Client, remembered: Remember
) -> None:
    counts = []
    for number in range(2):
        for text in (f"Plays instrument {number}.", f"Owns the boat called {number}."):
            remembered(alice, text, confidence=0.65)
        make_reports(today(), owner=alice.pk)
        if number:
            make_earlier(alice, 80, 70, 60)
        with CaptureQueriesContext(connection) as queries:
            shown(alice_browser)
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_one_click_mends_and_the_notice_undoes(alice_browser: Client, unsure: Memory) -> None:
    done = mend(alice_browser, "confirm")
    assert done["Location"] == PAGE
    assert get_memory(unsure.pk, owner=unsure.owner_id).confidence == 0.9
    assert "Nothing to mend" in shown(alice_browser)
    alice_browser.post(undo_address(done))
    assert get_memory(unsure.pk, owner=unsure.owner_id).confidence == 0.65
    assert 'value="confirm"' in shown(alice_browser)


def test_side_of_a_conflict_is_a_click(alice: User, alice_browser: Client, remembered: Remember) -> None:
    older = remembered(alice, "Alice keeps bees behind the barn.")
    newer = remembered(alice, "Alice does not keep bees behind the barn.")
    make_reports(today(), owner=alice.pk)
    assert f'value="keep:{older.pk}"' in shown(alice_browser)
    mend(alice_browser, f"keep:{older.pk}")
    assert get_memory(newer.pk, owner=alice.pk).status == "deprecated"


def test_report_is_made_on_demand(
    alice: User, alice_browser: Client, remembered: Remember, monkeypatch: pytest.MonkeyPatch
) -> None:
    remembered(alice, "Plays the cello.")

    def at_once(job_id: Any, **options: Any) -> Job:
        run_due_jobs()
        return Job.objects.get(pk=job_id)

    monkeypatch.setattr(report_requests, "find_job", at_once)
    page = alice_browser.get(alice_browser.post(f"{PAGE}make/")["Location"]).content.decode()
    assert "What the score is made of" in page
    assert "The report is new." in page


def test_report_not_ready_in_time_is_announced(
    alice_browser: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memories.pages.report.report._WAIT", 0.0)
    page = alice_browser.get(alice_browser.post(f"{PAGE}make/")["Location"]).content.decode()
    assert "being made" in page


def test_report_that_failed_is_announced(
    alice: User, alice_browser: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memories.pages.report.report._WAIT", 0.0)
    address = alice_browser.post(f"{PAGE}make/")["Location"]
    Job.objects.filter(owner_id=alice.pk).update(status="failed")
    assert "could not be made" in alice_browser.get(address).content.decode()


def test_job_of_somebody_else_is_not_announced(alice_browser: Client, bob_browser: Client) -> None:
    bob_browser.post(f"{PAGE}make/")
    job = Job.objects.get()
    assert "The report is" not in alice_browser.get(f"{PAGE}?job={job.pk}").content.decode()


def test_erased_text_is_on_no_report(alice_browser: Client, unsure: Memory) -> None:
    alice_browser.post(f"/memories/{unsure.pk}/erase/")
    assert "cello" not in shown(alice_browser)


def test_page_in_chinese_speaks_chinese(alice: User, alice_browser: Client, unsure: Memory) -> None:
    set_preferences(alice.pk, language="zh-hans")
    alice_browser.cookies["django_language"] = "zh-hans"
    assert "您的记忆状况" in shown(alice_browser)


def test_others_report_cannot_be_mended(bob_browser: Client, unsure: Memory) -> None:
    assert mend(bob_browser, "forget").status_code == 404
    assert get_memory(unsure.pk, owner=unsure.owner_id).status == "active"
