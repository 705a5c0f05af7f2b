"""Summaries and task states over HTTP."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest
from rest_framework.test import APIClient

from memsite import jobs
from memsite.accounts.models import User
from memsite.jobs import run_due_jobs
from memsite.jobs.models import Job
from tests.llm_server import LLMServer, html, json_answer
from threads.messages.transcript import create_thread
from threads.summarization import requests

TEXT = "The user plants lavender."


@pytest.fixture
def path(alice: User) -> str:
    """The address of an empty thread of Alice's."""
    return f"/api/threads/{create_thread(owner=alice.pk).pk}"


@pytest.fixture
def worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever waits for a job finds it done."""

    def find(job_id: UUID, **options: Any) -> Job:
        run_due_jobs()
        return jobs.find_job(job_id, **options)

    monkeypatch.setattr(requests, "find_job", find)


def say(client: APIClient, path: str, count: int = 10) -> None:
    batch = [{"role": "user", "content": f"I plant lavender number {number}."} for number in range(count)]
    assert client.post(f"{path}/messages", {"messages": batch}).status_code == 201


def test_summarising_is_queued(alice_api: APIClient, path: str) -> None:
    say(alice_api, path)
    response = alice_api.post(f"{path}/summarise")
    assert response.status_code == 202
    job = response.json()["job"]
    assert alice_api.get(f"/api/jobs/{job}").json()["status"] == "queued"


@pytest.mark.usefixtures("worker")
def test_waiting_answers_the_summary(alice_api: APIClient, path: str, models_configured: LLMServer) -> None:
    models_configured.always(json_answer({"summary": TEXT, "user_goal": "plant lavender"}))
    say(alice_api, path)
    response = alice_api.post(f"{path}/summarise", {"wait": True})
    assert response.status_code == 200
    body = response.json()
    assert (body["status"], body["source"], body["error"]) == ("done", "llm", None)
    assert body["summary"]["content"] == TEXT
    structured = body["summary"]["structured"]
    assert structured["user_goal"] == "plant lavender"
    assert set(structured) == {
        "user_goal", "last_step", "key_decisions", "modified_files", "critical_context", "timestamp", "dump",
    }  # fmt: skip


@pytest.mark.usefixtures("worker")
def test_failing_model_is_told(alice_api: APIClient, path: str, models_configured: LLMServer) -> None:
    models_configured.always(html())
    say(alice_api, path)
    body = alice_api.post(f"{path}/summarise", {"wait": True}).json()
    assert body["source"] == "fallback"
    assert body["error"]
    assert body["summary"]["content"]


@pytest.mark.usefixtures("worker")
def test_few_messages_are_summarised_by_force_alone(alice_api: APIClient, path: str) -> None:
    say(alice_api, path, 2)
    plain = alice_api.post(f"{path}/summarise", {"wait": True}).json()
    assert plain == {"status": "done", "source": "", "error": None, "summary": None}
    forced = alice_api.post(f"{path}/summarise", {"wait": 5, "force": True}).json()
    assert forced["summary"]["content"]
    assert forced["source"] == "fallback"


@pytest.mark.usefixtures("worker")
def test_summary_is_shown_with_what_is_new(alice_api: APIClient, path: str) -> None:
    say(alice_api, path)
    assert alice_api.get(f"{path}/summary").json()["is_due"]
    summary = alice_api.post(f"{path}/summarise", {"wait": True}).json()["summary"]
    say(alice_api, path, 2)
    standing = alice_api.get(f"{path}/summary?branch=main").json()
    assert standing["summary"] == summary
    assert (standing["new_messages"], standing["is_due"]) == (2, False)


def test_temporary_thread_is_summarised_at_once_without_a_job(alice: User, alice_api: APIClient) -> None:
    path = f"/api/threads/{create_thread(owner=alice.pk, is_temporary=True).pk}"
    say(alice_api, path)
    response = alice_api.post(f"{path}/summarise")
    assert response.status_code == 200
    assert response.json()["summary"]["content"]
    assert not Job.objects.exists()


@pytest.mark.usefixtures("worker")
def test_summary_is_undone(alice_api: APIClient, path: str) -> None:
    say(alice_api, path)
    summary = alice_api.post(f"{path}/summarise", {"wait": True}).json()["summary"]
    response = alice_api.post(f"{path}/summary/{summary['id']}/restore")
    assert response.status_code == 200
    assert response.json()["summary"] is None
    assert len(response.json()["messages"]) == 10
    assert alice_api.post(f"{path}/summary/{summary['id']}/restore").status_code == 409


@pytest.mark.parametrize("body", [{"wait": "soon"}, {"force": "maybe?"}, {"now": True}, {"wait": -1}])
def test_bad_wish_is_refused(body: dict[str, Any], alice_api: APIClient, path: str) -> None:
    assert alice_api.post(f"{path}/summarise", body).status_code == 400


def test_task_state_is_empty_at_first(alice_api: APIClient, path: str) -> None:
    state = alice_api.get(f"{path}/task-state").json()
    assert state == {
        "current_goal": "", "completed_steps": [], "pending_steps": [], "key_findings": [],
        "written_by": None, "updated_at": None,
    }  # fmt: skip


def test_put_replaces_the_task_state(alice_api: APIClient, path: str) -> None:
    alice_api.put(f"{path}/task-state", {"current_goal": "plant", "pending_steps": ["dig"]})
    state = alice_api.put(f"{path}/task-state", {"key_findings": ["clay soil"]}).json()
    assert (state["current_goal"], state["pending_steps"], state["key_findings"]) == ("", [], ["clay soil"])
    assert state["written_by"] == "client"
    assert alice_api.get(f"{path}/task-state").json() == state


def test_patch_keeps_what_is_not_given(alice_api: APIClient, path: str) -> None:
    alice_api.put(f"{path}/task-state", {"current_goal": "plant", "pending_steps": ["dig"]})
    state = alice_api.patch(f"{path}/task-state", {"completed_steps": ["dig"], "pending_steps": []}).json()
    assert (state["current_goal"], state["completed_steps"], state["pending_steps"]) == ("plant", ["dig"], [])


@pytest.mark.parametrize(
    "body",
    [
        {"goal": "x"},
        {"current_goal": None},
        {"pending_steps": "dig"},
        {"pending_steps": [1]},
        {"key_findings": [""]},
        {"completed_steps": ["x"] * 101},
        {"current_goal": "a\x00"},
    ],
)
def test_bad_task_state_is_refused(body: dict[str, Any], alice_api: APIClient, path: str) -> None:
    assert alice_api.put(f"{path}/task-state", body).status_code == 400


def test_task_state_of_another_is_not_found(bob_api: APIClient, path: str) -> None:
    assert bob_api.put(f"{path}/task-state", {"current_goal": "mine"}).status_code == 404
    assert bob_api.get(f"{path}/task-state").status_code == 404
