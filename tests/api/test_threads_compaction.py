"""Compaction over HTTP: settings, compact, restore, offloaded content whole, metrics."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from memories.models import Memory
from memsite.accounts.models import User
from memsite.jobs import run_due_jobs
from memsite.jobs.models import Job
from threads.messages.transcript import create_thread

BULK = "潮汐表没有说什么新的。The harbour is as it was.\r\n\tEnd 🌊. " * 60


@pytest.fixture
def thread(alice: User) -> str:
    """The address of an empty thread of Alice's."""
    return f"/api/threads/{create_thread(owner=alice.pk).pk}"


def call(call_id: str) -> dict[str, Any]:
    function = {"name": "look", "arguments": "{}"}
    return {"role": "assistant", "tool_calls": [{"id": call_id, "function": function}]}


def fill(client: APIClient, thread: str, results: int = 8, text: str = BULK) -> list[dict[str, Any]]:
    messages: list[dict[str, Any]] = [{"role": "user", "content": "go"}]
    for number in range(results):
        answer = {"role": "tool", "tool_call_id": f"c{number}", "content": f"{number} {text}"}
        messages += [call(f"c{number}"), answer]
    response = client.post(f"{thread}/messages", {"messages": messages})
    assert response.status_code == 201, response.json()
    return list(response.json()["results"])


def compacted(client: APIClient, thread: str) -> list[dict[str, Any]]:
    rows = client.get(f"{thread}/messages?page_size=200").json()["results"]
    return [row for row in rows if row["is_compacted"]]


def force(client: APIClient, thread: str) -> dict[str, Any]:
    assert client.post(f"{thread}/compact", {"force": True}).status_code == 202
    run_due_jobs()
    response = client.post(f"{thread}/compact", {"force": True})
    run_due_jobs()
    return dict(client.get(f"/api/jobs/{response.json()['job']}").json())


def test_settings_have_the_defaults_of_the_product(alice_api: APIClient, thread: str) -> None:
    assert alice_api.get(f"{thread}/settings").json() == {
        "is_on": True,
        "pre_rot": 150_000,
        "compaction_at": 0.8,
        "summarisation_at": 0.95,
        "keep_last": 10,
        "tool_result_tokens": 4_000,
        "summary_by_messages": True,
        "summary_by_tokens": True,
        "model": "",
    }


def test_changed_settings_stay_and_null_takes_one_back(alice_api: APIClient, thread: str) -> None:
    changed = alice_api.patch(f"{thread}/settings", {"pre_rot": 9_000, "keep_last": 3})
    assert (changed.status_code, changed.json()["pre_rot"]) == (200, 9_000)
    after = alice_api.patch(f"{thread}/settings", {"pre_rot": None}).json()
    assert (after["pre_rot"], after["keep_last"]) == (150_000, 3)


@pytest.mark.parametrize(
    "body",
    [
        {"pre_rot": 0},
        {"keep_last": 0},
        {"compaction_at": 1.5},
        {"compaction_at": 0.9, "summarisation_at": 0.5},
        {"unknown": 1},
        {"is_on": "perhaps"},
    ],
)
def test_settings_that_cannot_be_are_refused(alice_api: APIClient, thread: str, body: dict[str, Any]) -> None:
    assert alice_api.patch(f"{thread}/settings", body).status_code == 400
    assert alice_api.get(f"{thread}/settings").json()["pre_rot"] == 150_000


def test_compaction_is_queued_and_its_job_tells_what_it_did(alice_api: APIClient, thread: str) -> None:
    fill(alice_api, thread)
    response = alice_api.post(f"{thread}/compact", {"force": True})
    assert response.status_code == 202
    run_due_jobs()
    result = Job.objects.get(pk=response.json()["job"]).result or {}
    assert result["messages"] == 3
    assert len(compacted(alice_api, thread)) == 3


def test_compaction_of_a_temporary_thread_is_done_at_once(alice_api: APIClient, alice: User) -> None:
    thread = f"/api/threads/{create_thread(owner=alice.pk, is_temporary=True).pk}"
    fill(alice_api, thread)
    done = alice_api.post(f"{thread}/compact", {"force": True})
    assert done.status_code == 200
    body = done.json()
    assert (body["status"], body["error"], body["messages"]) == ("done", None, 3)
    assert body["tokens_before"] - body["tokens_after"] == body["tokens_saved"] > 0
    assert not Job.objects.exists()


def test_message_gives_its_pointer_and_with_full_its_whole_content(alice_api: APIClient, thread: str) -> None:
    said = fill(alice_api, thread)
    force(alice_api, thread)
    address = f"{thread}/messages/{said[2]['id']}"
    told = json.loads(alice_api.get(address).json()["content"])["_OFFLOADED_"]
    assert told["total_length"] == len(said[2]["content"])
    assert alice_api.get(f"{address}?full=true").json()["content"] == said[2]["content"]
    assert alice_api.get(f"{address}?full=perhaps").status_code == 400


def test_full_content_of_a_message_that_stands_whole_is_its_content(
    alice_api: APIClient, thread: str
) -> None:
    said = fill(alice_api, thread, 1)
    row = alice_api.get(f"{thread}/messages/{said[2]['id']}?full=true").json()
    assert row == said[2]


def test_many_wholes_are_read_by_message_and_by_memory_id(alice_api: APIClient, thread: str) -> None:
    said = fill(alice_api, thread)
    force(alice_api, thread)
    away = compacted(alice_api, thread)
    by_pointer = json.loads(away[1]["content"])["_OFFLOADED_"]["memory_id"]
    asked = {"messages": [away[0]["id"], said[0]["id"]], "memory_ids": [by_pointer]}
    response = alice_api.post(f"{thread}/offloaded", asked)
    assert response.status_code == 200
    found = {one["message"]: one["content"] for one in response.json()["results"]}
    assert found == {row["id"]: row["content"] for row in (said[0], said[2], said[4])}


def test_restored_messages_are_as_they_were(alice_api: APIClient, thread: str) -> None:
    said = fill(alice_api, thread)
    force(alice_api, thread)
    away = [row["id"] for row in compacted(alice_api, thread)]
    response = alice_api.post(f"{thread}/restore", {"messages": away})
    assert response.status_code == 200
    assert response.json()["results"] == [row for row in said if row["id"] in away]
    assert not compacted(alice_api, thread)


def test_metrics_add_up(alice_api: APIClient, thread: str) -> None:
    before = sum(row["token_count"] for row in fill(alice_api, thread))
    assert alice_api.get(f"{thread}/metrics").json()["live_tokens"] == before
    force(alice_api, thread)
    metrics = alice_api.get(f"{thread}/metrics").json()
    assert (metrics["compactions"], metrics["offloaded"], metrics["tokens_before"]) == (1, 3, before)
    assert metrics["live_tokens"] == metrics["tokens_after"] == before - metrics["tokens_saved"]
    away = [row["id"] for row in compacted(alice_api, thread)]
    alice_api.post(f"{thread}/restore", {"messages": away})
    after = alice_api.get(f"{thread}/metrics").json()
    assert (after["restored"], after["tokens_saved"], after["live_tokens"]) == (3, 0, before)


def test_context_shows_the_pointer_with_its_call(alice_api: APIClient, thread: str) -> None:
    fill(alice_api, thread)
    force(alice_api, thread)
    context = alice_api.post(f"{thread}/context", {"input": "so?", "max_tokens": 50_000}).json()
    results = [one for one in context["messages"] if one["role"] == "tool"]
    assert [("_OFFLOADED_" in one["content"]) for one in results] == [True] * 3 + [False] * 5
    assert context["messages"][-1]["content"] == "so?"


def test_others_reach_nothing_of_it(alice_api: APIClient, bob_api: APIClient, bob: User, thread: str) -> None:
    said = fill(alice_api, thread)
    force(alice_api, thread)
    pointer = json.loads(compacted(alice_api, thread)[0]["content"])["_OFFLOADED_"]["memory_id"]
    own = f"/api/threads/{create_thread(owner=bob.pk).pk}"
    for address in (thread, own):
        assert bob_api.post(f"{address}/offloaded", {"messages": [said[2]["id"]]}).status_code == 404
        assert bob_api.post(f"{address}/offloaded", {"memory_ids": [pointer]}).status_code == 404
        assert bob_api.post(f"{address}/restore", {"messages": [said[2]["id"]]}).status_code == 404
        assert bob_api.get(f"{address}/messages/{said[2]['id']}?full=true").status_code == 404
    assert bob_api.get(f"{thread}/metrics").status_code == 404


def test_learning_hears_the_whole_of_what_was_put_away(alice_api: APIClient, thread: str) -> None:
    ending = "And at the very end: I live in Rotterdam."
    said = alice_api.post(
        f"{thread}/messages", {"role": "user", "content": "The sea is wide. " * 60 + ending}
    )
    alice_api.post(f"{thread}/messages", {"messages": [{"role": "user", "content": "hm"}] * 10})
    Job.objects.filter(task="threads.tasks.learn").delete()
    force(alice_api, thread)
    assert [row["id"] for row in compacted(alice_api, thread)] == [said.json()["id"]]
    alice_api.post(f"{thread}/extract", {})
    run_due_jobs()
    assert Memory.objects.filter(layer="episodic", content__contains="Rotterdam").exists()
    assert not Memory.objects.filter(content__contains="_OFFLOADED_").exists()


def test_append_far_from_due_asks_nothing_more(alice_api: APIClient, thread: str) -> None:
    alice_api.post(f"{thread}/messages", {"role": "user", "content": "one"})
    with CaptureQueriesContext(connection) as queries:
        alice_api.post(f"{thread}/messages", {"role": "user", "content": "two"})
    assert not [one for one in queries if "SUM(" in one["sql"]]
