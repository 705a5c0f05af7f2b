"""Learning from messages that no thread holds."""

from __future__ import annotations

import json
from typing import Any
from uuid import UUID

import pytest
from rest_framework.test import APIClient

from memories.api import extracting
from memories.models import GivenMessages, Memory
from memsite import jobs
from memsite.accounts.models import User
from memsite.accounts.preferences import set_preferences
from memsite.jobs import run_due_jobs
from memsite.jobs.models import Job
from tests.llm_server import LLMServer, answer
from threads.models import Thread

PATH = "/api/memories/extract"
SAID = [{"role": "user", "content": "I live in Berlin."}, {"role": "assistant", "content": "Nice."}]


@pytest.fixture(autouse=True)
def worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever waits for a job finds it done."""

    def find(job_id: UUID, **options: Any) -> Job:
        run_due_jobs()
        return jobs.find_job(job_id, **options)

    monkeypatch.setattr(extracting, "find_job", find)


def extract(client: APIClient, messages: list[dict[str, Any]] = SAID) -> dict[str, Any]:
    response = client.post(PATH, {"messages": messages, "wait": True})
    assert response.status_code == 200, response.json()
    return dict(response.json())


def test_given_messages_are_learnt_from_without_a_thread(alice_api: APIClient) -> None:
    answer = extract(alice_api)
    assert (answer["status"], answer["source"], answer["error"]) == ("done", "fallback", None)
    [learnt] = answer["memories"]
    assert (learnt["action"], learnt["memory"]["layer"]) == ("created", "semantic")
    assert "Berlin" in learnt["memory"]["content"]
    assert not Thread.objects.exists()


def test_given_text_is_not_kept(alice_api: APIClient) -> None:
    extract(alice_api)
    assert GivenMessages.objects.get().messages == []


def test_what_was_learnt_is_undone_by_its_batch(alice_api: APIClient) -> None:
    [learnt] = extract(alice_api)["memories"]
    assert alice_api.post("/api/memories/undo", {"batch_id": learnt["batch_id"]}).status_code == 200
    assert not Memory.objects.filter(status="active").exists()


def test_without_waiting_the_outcome_is_read_later(alice_api: APIClient) -> None:
    response = alice_api.post(PATH, {"messages": SAID})
    assert response.status_code == 202
    later = f"{PATH}/{response.json()['extraction']}"
    assert alice_api.get(later).json()["status"] == "waiting"
    run_due_jobs()
    assert alice_api.get(later).json()["status"] == "done"


def test_secret_is_stored_nowhere(alice_api: APIClient) -> None:
    secret = "sk-proj-Ab3dE6gH9jK2mN5pQ8sT1vW4xY7zA0cD3fG6hJ9k"
    alice_api.post(PATH, {"messages": [{"role": "user", "content": f"My key is {secret}"}]})
    assert secret not in str(GivenMessages.objects.get().messages)


def test_long_message_is_read_to_its_end(alice_api: APIClient) -> None:
    text = "The weather was fine. " * 60 + "I live in Berlin."
    answer = extract(alice_api, [{"role": "user", "content": text}])
    assert any("Berlin" in one["memory"]["content"] for one in answer["memories"])


def test_nothing_is_learnt_while_memory_is_off(alice: User, alice_api: APIClient) -> None:
    set_preferences(alice.pk, memory_on=False)
    assert alice_api.post(PATH, {"messages": SAID}).status_code == 400


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"messages": []},
        {"messages": [{"role": "tool", "content": "x"}]},
        {"messages": [{"role": "user", "content": ""}]},
        {"messages": [{"role": "user", "content": "x" * 100_000}] * 2},
        {"messages": SAID, "wish": 1},
    ],
)
def test_messages_that_cannot_be_learnt_from_are_refused(alice_api: APIClient, body: dict[str, Any]) -> None:
    assert alice_api.post(PATH, body).status_code == 400
    assert not GivenMessages.objects.exists()


def test_context_is_understood_and_not_learnt_from(alice_api: APIClient) -> None:
    context = [
        {"role": "user", "content": "My sister is called Lisa."},
        {"role": "assistant", "content": "A nice name."},
    ]
    said = [{"role": "user", "content": "I live in Berlin."}]
    response = alice_api.post(PATH, {"messages": said, "context": context, "wait": True})
    assert response.status_code == 200
    learnt = [one["memory"]["content"] for one in response.json()["memories"]]
    assert learnt == ["The user lives in Berlin."]


def test_model_is_shown_the_context_as_said_earlier(
    alice_api: APIClient, models_configured: LLMServer
) -> None:
    models_configured.always(answer('{"memories": []}'))
    context = [{"role": "user", "content": "My sister is called Lisa."}]
    said = [{"role": "user", "content": "She moved to a green house by the river with her two dogs."}]
    assert alice_api.post(PATH, {"messages": said, "context": context, "wait": True}).status_code == 200
    lines = [
        json.loads(line)
        for line in models_configured.chats[0].prompt.splitlines()
        if line.startswith('{"id": ')
    ]
    assert [(one["text"], bool(one.get("earlier"))) for one in lines] == [
        ("My sister is called Lisa.", True),
        (said[0]["content"], False),
    ]


def test_context_counts_in_the_length_of_all(alice_api: APIClient) -> None:
    context = [{"role": "user", "content": "x" * 99_999}]
    refused = alice_api.post(PATH, {"messages": SAID, "context": context})
    assert refused.status_code == 400
