"""Reports over HTTP: made, listed, read, mended, by their owner alone."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

import pytest
from rest_framework.test import APIClient

from memories.maintenance.reports import report_requests
from memories.models import Report
from memsite import jobs
from memsite.accounts.models import User
from memsite.accounts.preferences import set_preferences
from memsite.jobs import run_due_jobs
from memsite.jobs.models import Job
from tests.api.asking import search
from tests.memories.reports.conftest import Keep, MakeReport

REPORTS = "/api/memories/reports"
BEES = "Alice keeps bees behind the barn."
NO_BEES = "Alice does not keep bees behind the barn."


@pytest.fixture
def worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever waits for a job finds it done."""

    def find(job_id: UUID, **options: Any) -> Job:
        run_due_jobs()
        return jobs.find_job(job_id, **options)

    monkeypatch.setattr(report_requests, "find_job", find)


def test_report_asked_for_is_queued(alice_api: APIClient) -> None:
    response = alice_api.post(REPORTS, {"kind": "quality"})
    assert response.status_code == 202
    assert Job.objects.filter(pk=response.json()["job"]).exists()


def test_report_waited_for_is_whole(alice: User, alice_api: APIClient, kept: Keep, worker: None) -> None:
    kept(alice, BEES, age=100)
    response = alice_api.post(REPORTS, {"kind": "quality", "wait": True})
    assert response.status_code == 200
    report = response.json()
    assert 0 <= report["score"] <= 100
    assert report["findings"][0]["memories"][0]["content"] == BEES
    assert report["findings"][0]["mends"] == ["forget", "pin"]
    assert [point["score"] for point in report["trend"]["points"]] == [report["score"]]
    assert {term["name"] for term in report["body"]["terms"]} >= {"conflicts", "duplicates"}


def test_conflicts_come_with_both_texts(alice: User, alice_api: APIClient, kept: Keep, worker: None) -> None:
    kept(alice, BEES)
    kept(alice, NO_BEES)
    report = alice_api.post(REPORTS, {"kind": "conflicts", "wait": True}).json()
    (finding,) = report["findings"]
    assert [memory["content"] for memory in finding["memories"]] == [BEES, NO_BEES]
    assert report["score"] is None


def test_report_that_takes_too_long_is_followed_by_its_job(alice_api: APIClient) -> None:
    assert alice_api.post(REPORTS, {"wait": 0.01}).status_code == 202


def test_job_that_failed_is_told(alice_api: APIClient, worker: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: object, **options: object) -> None:
        raise ValueError("no")

    monkeypatch.setattr("memories.maintenance.reports.report_making.make_reports", fail)
    monkeypatch.setattr("memsite.jobs.outcomes.MAX_ATTEMPTS", 1)
    response = alice_api.post(REPORTS, {"wait": 5})
    assert response.status_code == 503


def test_list_has_the_newest_first_by_kind_and_page(
    alice: User, alice_api: APIClient, kept: Keep, made: MakeReport
) -> None:
    kept(alice, BEES)
    made(alice)
    page = alice_api.get(f"{REPORTS}?kind=quality").json()
    assert [report["kind"] for report in page["results"]] == ["quality"]
    first = alice_api.get(f"{REPORTS}?page_size=1").json()
    second = alice_api.get(first["next"]).json()
    kinds = [report["kind"] for report in (*first["results"], *second["results"])]
    assert sorted(kinds) == ["conflicts", "quality"]
    assert second["next"] is None


def test_latest_is_found_by_kind_and_by_id(alice: User, alice_api: APIClient, made: MakeReport) -> None:
    report = made(alice)
    latest = alice_api.get(f"{REPORTS}/latest?kind=quality").json()
    assert latest["id"] == str(report.pk)
    assert alice_api.get(f"{REPORTS}/{report.pk}").json() == latest


def test_no_report_yet_is_not_found(alice_api: APIClient) -> None:
    assert alice_api.get(f"{REPORTS}/latest").status_code == 404
    assert alice_api.get(f"{REPORTS}/nonsense").status_code == 404


@pytest.mark.parametrize("query", ["kind=other", "what=1", "sort=score"])
def test_list_refuses_what_it_does_not_know(query: str, alice_api: APIClient) -> None:
    assert alice_api.get(f"{REPORTS}?{query}").status_code == 400


@pytest.mark.parametrize("body", [{"kind": "x"}, {"wait": -1}, {"more": 1}])
def test_request_refuses_what_it_does_not_know(body: dict[str, Any], alice_api: APIClient) -> None:
    assert alice_api.post(REPORTS, body).status_code == 400


def test_nothing_is_made_while_memory_is_off(alice: User, alice_api: APIClient) -> None:
    set_preferences(alice.pk, memory_on=False)
    assert alice_api.post(REPORTS, {}).status_code == 400


def test_mend_is_one_call_and_undone_by_its_batch(
    alice: User, alice_api: APIClient, kept: Keep, made: MakeReport
) -> None:
    kept(alice, BEES, age=100)
    report = made(alice)
    finding = report.body["findings"][0]["id"]
    mended = alice_api.post(f"{REPORTS}/{report.pk}/mend", {"finding": finding})
    assert mended.status_code == 200
    assert search(alice_api, "Who keeps bees?") == []
    assert not alice_api.get(f"{REPORTS}/{report.pk}").json()["findings"][0]["open"]
    assert alice_api.post("/api/memories/undo", {"batch_id": mended.json()["batch_id"]}).status_code == 200
    assert search(alice_api, "Who keeps bees?") == [BEES]
    assert alice_api.get(f"{REPORTS}/{report.pk}").json()["findings"][0]["open"]


def test_side_of_a_conflict_is_chosen(
    alice: User, alice_api: APIClient, kept: Keep, made: MakeReport
) -> None:
    older = kept(alice, BEES, age=5)
    kept(alice, NO_BEES)
    report = made(alice)
    body = {"finding": report.body["findings"][0]["id"], "act": "keep", "keep": str(older.pk)}
    assert alice_api.post(f"{REPORTS}/{report.pk}/mend", body).json()["memories"][0]["content"] == BEES
    assert search(alice_api, "Who keeps bees?") == [BEES]


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"finding": "0123456789abcdef"}, 404),
        ({"finding": ""}, 400),
        ({}, 400),
        ({"finding": "x", "act": "erase"}, 400),
    ],
)
def test_mend_that_cannot_be_is_refused(
    body: dict[str, str], status: int, alice: User, alice_api: APIClient, made: MakeReport
) -> None:
    assert alice_api.post(f"{REPORTS}/{made(alice).pk}/mend", body).status_code == status


def test_side_that_is_none_is_refused(
    alice: User, alice_api: APIClient, kept: Keep, made: MakeReport
) -> None:
    kept(alice, BEES)
    kept(alice, NO_BEES)
    report = made(alice)
    body = {"finding": report.body["findings"][0]["id"], "keep": str(uuid4())}
    assert alice_api.post(f"{REPORTS}/{report.pk}/mend", body).status_code == 400


def test_reports_of_others_are_not_listed(alice: User, bob_api: APIClient, made: MakeReport) -> None:
    made(alice)
    assert bob_api.get(REPORTS).json()["results"] == []
    assert Report.objects.filter(owner_id=alice.pk).count() == 2


def test_reader_may_not_make_or_mend(client_of: Any, alice: User, made: MakeReport) -> None:
    reader = client_of(alice, scopes=("read",))
    report = made(alice)
    assert reader.get(f"{REPORTS}/latest").status_code == 200
    assert reader.post(REPORTS, {}).status_code == 403
    assert reader.post(f"{REPORTS}/{report.pk}/mend", {"finding": "x"}).status_code == 403
