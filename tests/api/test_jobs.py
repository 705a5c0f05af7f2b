"""Asking after a queued job."""

from __future__ import annotations

import uuid

import pytest
from rest_framework.test import APIClient

from memsite.accounts.models import User
from memsite.jobs import run_due_jobs
from threads.messages.transcript import create_thread


@pytest.fixture
def job(alice: User, alice_api: APIClient) -> str:
    """A queued job of Alice's."""
    thread = create_thread(owner=alice.pk)
    return f"/api/jobs/{alice_api.post(f'/api/threads/{thread.pk}/extract').json()['job']}"


def test_queued_job_says_so(alice_api: APIClient, job: str) -> None:
    standing = alice_api.get(job).json()
    assert (standing["status"], standing["attempts"], standing["error"]) == ("queued", 0, None)


def test_job_that_ended_says_so(alice_api: APIClient, job: str) -> None:
    run_due_jobs()
    standing = alice_api.get(job).json()
    assert (standing["status"], standing["attempts"]) == ("done", 1)
    assert standing["finished_at"]


def test_job_that_failed_says_why(alice_api: APIClient, job: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("threads.learning.learning.learn_from_thread", lambda *_, **__: 1 / 0)
    run_due_jobs()
    standing = alice_api.get(job).json()
    assert (standing["status"], standing["attempts"]) == ("queued", 1)
    assert "ZeroDivisionError" in standing["error"]


@pytest.mark.parametrize("job_id", [str(uuid.UUID(int=7)), "nonsense", "1"])
def test_job_that_is_none_is_not_found(alice_api: APIClient, job_id: str) -> None:
    assert alice_api.get(f"/api/jobs/{job_id}").status_code == 404


def test_job_of_another_is_not_found(bob_api: APIClient, charlie_api: APIClient, job: str) -> None:
    assert (bob_api.get(job).status_code, charlie_api.get(job).status_code) == (404, 404)
