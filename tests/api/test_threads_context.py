"""Contexts over HTTP, and learning on demand."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest
from rest_framework.test import APIClient

from memories.curation.erasing import erase_memory
from memories.models import Memory
from memsite import jobs
from memsite.accounts.models import User
from memsite.accounts.preferences import set_preferences
from memsite.jobs import run_due_jobs
from memsite.jobs.models import Job
from memsite.llm.tokens import count_message_tokens
from tests.api.asking import add
from threads.context.recall.timebox import TimeLimitExceeded
from threads.learning import outcomes
from threads.messages.transcript import create_thread
from threads.models import Thread

PORT = "The staging database listens on port 5433."
QUESTION = "Which port does the staging database listen on?"


@pytest.fixture
def path(alice: User) -> str:
    """The address of an empty thread of Alice's."""
    return f"/api/threads/{create_thread(owner=alice.pk, system_prompt='Be brief.').pk}"


@pytest.fixture
def worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever waits for a job finds it done."""

    def find(job_id: UUID, **options: Any) -> Job:
        run_due_jobs()
        return jobs.find_job(job_id, **options)

    monkeypatch.setattr(outcomes, "find_job", find)


def say(client: APIClient, path: str, *texts: str) -> None:
    batch = [{"role": "user", "content": text} for text in texts]
    assert client.post(f"{path}/messages", {"messages": batch}).status_code == 201


def ask(client: APIClient, path: str, text: str = QUESTION, **fields: Any) -> dict[str, Any]:
    response = client.post(f"{path}/context", {"input": text, **fields})
    assert response.status_code == 200, response.json()
    return dict(response.json())


def test_context_has_exactly_these_parts(alice_api: APIClient, path: str) -> None:
    say(alice_api, path, "Good morning.")
    context = ask(alice_api, path, max_tokens=1000)
    assert set(context) == {"messages", "token_stats", "metadata", "citations"}
    assert context["messages"][-1] == {"role": "user", "content": QUESTION}
    stats = context["token_stats"]
    total = stats.pop("total")
    assert sum(stats.values()) == total == sum(map(count_message_tokens, context["messages"])) <= 1000
    assert context["metadata"]["included_messages"] == 1
    assert context["metadata"]["degraded"] == []


def test_model_in_the_request_picks_the_encoding(alice_api: APIClient, path: str) -> None:
    assert ask(alice_api, path)["metadata"]["encoding"] == "o200k_base"
    assert ask(alice_api, path, model="gpt-4")["metadata"]["encoding"] == "cl100k_base"
    both = {"input": "hi", "model": "gpt-4", "encoding": "cl100k_base"}
    assert alice_api.post(f"{path}/context", both).status_code == 400


def test_context_cites_what_it_recalled(alice_api: APIClient, path: str) -> None:
    memory = alice_api.post("/api/memories", {"content": PORT}).json()["memory"]
    context = ask(alice_api, path)
    [citation] = context["citations"]
    assert (citation["memory_id"], citation["content"]) == (memory["id"], PORT)
    assert citation["relevance"] >= 0.7
    assert citation["why"]
    assert context["metadata"]["memories_retrieved"] == 1
    assert context["token_stats"]["retrieved"] > 0


def test_erased_memory_takes_its_citations_along(alice: User, alice_api: APIClient, path: str) -> None:
    memory = alice_api.post("/api/memories", {"content": PORT}).json()["memory"]
    ask(alice_api, path)
    assert erase_memory(memory["id"], owner=alice.pk, actor="person").erased["citations"] == 1


def test_anthropic_context_keeps_the_system_text_apart(alice_api: APIClient, path: str) -> None:
    context = ask(alice_api, path, "hello", format="anthropic")
    assert context["system"] == "Be brief."
    assert context["messages"] == [{"role": "user", "content": "hello"}]


def test_context_of_the_past_has_what_was_believed_then(alice_api: APIClient, path: str) -> None:
    alice_api.post("/api/memories", {"content": PORT})
    context = ask(alice_api, path, believed_at="2020-01-01T00:00:00Z")
    assert context["metadata"]["memories_retrieved"] == 0


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"input": ""},
        {"input": None},
        {"input": "a\x00"},
        {"input": "hello", "max_tokens": 0},
        {"input": "hello", "max_tokens": 10_000_001},
        {"input": "hello", "max_tokens": 4},
        {"input": "hello", "format": "gemini"},
        {"input": "hello", "wish": 1},
        {"input": "hello", "as_of": "yesterday"},
        {"input": "word " * 100, "max_tokens": 50},
    ],
)
def test_context_that_cannot_be_is_refused(alice_api: APIClient, path: str, body: dict[str, Any]) -> None:
    response = alice_api.post(f"{path}/context", body)
    assert response.status_code == 400
    assert response.json()["code"] == "invalid"


def test_learning_is_queued(alice_api: APIClient, path: str) -> None:
    response = alice_api.post(f"{path}/extract")
    assert response.status_code == 202
    assert Job.objects.get(pk=response.json()["job"]).task == "threads.tasks.extract"


def test_answer_that_waited_tells_what_was_learnt(alice_api: APIClient, path: str, worker: None) -> None:
    say(alice_api, path, "I live in Berlin.")
    response = alice_api.post(f"{path}/extract", {"wait": True})
    assert response.status_code == 200
    answer = response.json()
    assert (answer["status"], answer["source"], answer["error"]) == ("done", "fallback", None)
    assert {result["action"] for result in answer["memories"]} == {"created"}
    assert any("Berlin" in result["memory"]["content"] for result in answer["memories"])


def test_answer_is_the_same_when_an_earlier_job_did_it(alice_api: APIClient, path: str, worker: None) -> None:
    say(alice_api, path, "I live in Berlin.")
    run_due_jobs()
    first = alice_api.post(f"{path}/extract", {"wait": 5}).json()
    assert first["memories"]
    assert alice_api.post(f"{path}/extract", {"wait": 5}).json() == first


def test_answer_lists_only_what_new_messages_gave(alice_api: APIClient, path: str, worker: None) -> None:
    say(alice_api, path, "I live in Berlin.")
    alice_api.post(f"{path}/extract", {"wait": 5})
    say(alice_api, path, "My cat is called Momo.")
    answer = alice_api.post(f"{path}/extract", {"wait": 5}).json()
    contents = [result["memory"]["content"] for result in answer["memories"]]
    assert any("Momo" in content for content in contents)
    assert not any("Berlin" in content for content in contents)


def test_what_was_learnt_is_undone_by_its_batch(alice_api: APIClient, path: str, worker: None) -> None:
    say(alice_api, path, "I live in Berlin.")
    [batch] = {
        result["batch_id"] for result in alice_api.post(f"{path}/extract", {"wait": 5}).json()["memories"]
    }
    assert alice_api.post("/api/memories/undo", {"batch_id": batch}).status_code == 200
    assert alice_api.get("/api/memories?status=active").json()["results"] == []


def test_answer_leaves_out_what_was_erased_since(
    alice: User, alice_api: APIClient, path: str, worker: None
) -> None:
    say(alice_api, path, "I live in Berlin.")
    run_due_jobs()
    while (memory := Memory.objects.first()) is not None:
        erase_memory(memory.pk, owner=alice.pk, actor="person")
    answer = alice_api.post(f"{path}/extract", {"wait": 5}).json()
    assert {result["memory"] for result in answer["memories"]} == {None}


def test_answer_waits_no_longer_than_asked(alice_api: APIClient, path: str) -> None:
    say(alice_api, path, "I live in Berlin.")
    assert alice_api.post(f"{path}/extract", {"wait": 0.01}).status_code == 202


def test_answer_names_the_error_of_a_job_that_failed(
    alice_api: APIClient, path: str, worker: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    say(alice_api, path, "I live in Berlin.")
    monkeypatch.setattr("memsite.jobs.outcomes.MAX_ATTEMPTS", 1)
    monkeypatch.setattr("threads.learning.learning._candidates", lambda *_, **__: 1 / 0)
    answer = alice_api.post(f"{path}/extract", {"wait": 5}).json()
    assert answer["status"] == "failed"
    assert "ZeroDivisionError" in answer["error"]


def test_without_auto_extract_findings_are_pending(
    alice: User, alice_api: APIClient, path: str, worker: None
) -> None:
    set_preferences(alice.pk, auto_extract=False)
    say(alice_api, path, "I live in Berlin.")
    answer = alice_api.post(f"{path}/extract", {"wait": 5}).json()
    assert {result["action"] for result in answer["memories"]} == {"created", "pending"}


@pytest.mark.parametrize("body", [{"wait": -1}, {"wait": "long"}, {"wait": None}, {"wish": 1}])
def test_extract_refuses_what_it_does_not_know(alice_api: APIClient, path: str, body: dict[str, Any]) -> None:
    assert alice_api.post(f"{path}/extract", body).status_code == 400


def test_nothing_is_learnt_from_a_temporary_thread_on_demand(alice: User, alice_api: APIClient) -> None:
    thread = create_thread(owner=alice.pk, is_temporary=True)
    assert alice_api.post(f"/api/threads/{thread.pk}/extract").status_code == 400
    assert not Job.objects.exists()


def test_nothing_is_learnt_on_demand_while_memory_is_off(
    alice: User, alice_api: APIClient, path: str
) -> None:
    set_preferences(alice.pk, memory_on=False)
    assert alice_api.post(f"{path}/extract").status_code == 400
    assert Thread.objects.count() == 1


def test_context_as_of_a_day_has_what_held_then(alice_api: APIClient, path: str) -> None:
    alice_api.post("/api/memories", {"content": PORT, "valid_from": "2024-05-01T00:00:00Z"})
    before = ask(alice_api, path, as_of="2024-04-01T00:00:00Z")
    after = ask(alice_api, path, as_of="2024-06-01T00:00:00Z")
    assert [one["metadata"]["memories_retrieved"] for one in (before, after)] == [0, 1]


def test_late_recall_is_named_in_the_answer(
    alice_api: APIClient, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def late(*_: object) -> None:
        raise TimeLimitExceeded("it took longer than 500 ms")

    monkeypatch.setattr("threads.context.recall.recall.start_within", late)
    metadata = ask(alice_api, path)["metadata"]
    assert metadata["degraded"] == ["retrieved"]
    assert "longer than 500 ms" in metadata["notes"]["retrieved"]


def test_window_of_a_million_tokens_holds_all(alice_api: APIClient, path: str) -> None:
    say(alice_api, path, *[f"Entry number {number}." for number in range(150)])
    context = ask(alice_api, path, max_tokens=1_000_000)
    assert context["metadata"]["included_messages"] == 150
    assert context["metadata"]["budget"]["retrieved"] == 250_000


@pytest.mark.parametrize("shape", ["openai", "anthropic"])
def test_window_smaller_than_the_system_prompt_holds_the_input(
    alice: User, alice_api: APIClient, shape: str
) -> None:
    thread = create_thread(owner=alice.pk, system_prompt="Always answer in verse. " * 200)
    context = ask(alice_api, f"/api/threads/{thread.pk}", "hello", max_tokens=10, format=shape)
    assert context["token_stats"]["total"] <= 10
    assert context["messages"][-1] == {"role": "user", "content": "hello"}
    assert "system_prompt" in context["metadata"]["degraded"]


def test_vague_input_recalls_what_an_earlier_message_asks_about(
    alice_api: APIClient, alice: User, path: str
) -> None:
    add(alice_api, "The user's canary eats only millet.")
    add(alice_api, PORT)
    reply = "You could buy a bag of mixed seeds, or grow some greens on the balcony. Which do you prefer?"
    messages = [{"role": "user", "content": "food for my canary"}, {"role": "assistant", "content": reply}]
    assert alice_api.post(f"{path}/messages", {"messages": messages}).status_code == 201
    context = ask(alice_api, path, "OK, do it like the first option")
    assert [one["content"] for one in context["citations"]] == ["The user's canary eats only millet."]


def test_shares_of_one_context_take_the_place_of_the_sites(alice_api: APIClient) -> None:
    thread = alice_api.post("/api/threads", {}).json()["id"]
    body = {"input": "hello", "max_tokens": 1_000, "budget": {"retrieved": 0.6, "summary": 0}}
    budget = alice_api.post(f"/api/threads/{thread}/context", body).json()["metadata"]["budget"]
    assert budget["retrieved"] == 600
    assert budget["summary"] == 0
    assert budget["recent_messages"] == 1_000 - 600 - budget["system_prompt"] - budget["current_input"]


@pytest.mark.parametrize(
    "budget", [{"retrieved": 0.9}, {"retrieved": 1.5}, {"retrieved": "0.5"}, {"tools": 0.1}]
)
def test_shares_that_do_not_fit_are_refused(alice_api: APIClient, budget: dict[str, Any]) -> None:
    thread = alice_api.post("/api/threads", {}).json()["id"]
    refused = alice_api.post(f"/api/threads/{thread}/context", {"input": "hello", "budget": budget})
    assert refused.status_code == 400
