from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest
from rest_framework.test import APIClient

from memories.maintenance import ReflectionKind
from memories.maintenance.reflection import outcome, runs, storage
from memories.maintenance.reflection.proposals.proposals import MovedMeanwhile, ReflectionRequest
from memories.models import Memory, Reflection
from memsite import jobs
from memsite.accounts.models import User
from memsite.jobs import LeaseBusy, hold_lease, run_due_jobs
from memsite.jobs.models import Job
from tests.memories.reflection.reflecting import listed, reflect, remember_all

pytestmark = pytest.mark.django_db
TABS = ("The user prefers tabs over spaces in Go.", "User prefers tabs in Makefiles.")


@pytest.fixture
def worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever waits for a job finds it done."""

    def find(job_id: UUID, **options: Any) -> Job:
        run_due_jobs()
        return jobs.find_job(job_id, **options)

    monkeypatch.setattr(outcome, "find_job", find)


@pytest.mark.usefixtures("worker")
def test_answer_that_waited_tells_what_was_written(alice_api: APIClient) -> None:
    remember_all(alice_api, TABS)
    response = alice_api.post("/api/memories/reflect", {"what": "patterns", "wait": True})
    assert response.status_code == 200
    answer = response.json()
    assert (answer["status"], answer["source"], answer["error"]) == ("done", "fallback", None)
    assert [one["memory"]["content"] for one in answer["results"]] == ["The user prefers tabs."]
    assert len(answer["batch_ids"]) == 1


@pytest.mark.usefixtures("worker")
def test_consolidate_does_all_four(alice_api: APIClient) -> None:
    remember_all(alice_api, TABS)
    remember_all(alice_api, ["I live in Berlin."], layer="episodic")
    answer = alice_api.post("/api/memories/reflect", {"wait": 10}).json()
    assert [part["what"] for part in answer["parts"]] == ["facts", "patterns", "compress", "infer"]
    assert len(answer["results"]) >= 2


def test_dry_run_tells_and_writes_nothing(alice_api: APIClient) -> None:
    remember_all(alice_api, TABS)
    before = listed(alice_api)
    answer = alice_api.post("/api/memories/reflect", {"what": "patterns", "dry_run": True}).json()
    assert [one["content"] for one in answer["proposed"]] == ["The user prefers tabs."]
    assert listed(alice_api) == before
    assert not Reflection.objects.exists()


@pytest.mark.parametrize(
    "body",
    [
        {"what": "everything"},
        {"source": "topic"},
        {"topic_query": "tabs"},
        {"ids": ["nonsense"]},
        {"wait": -1},
        {"delete": True},
    ],
)
def test_bad_request_is_refused(alice_api: APIClient, body: dict[str, Any]) -> None:
    assert alice_api.post("/api/memories/reflect", body).status_code == 400


def test_query_of_a_run_is_not_kept(alice_api: APIClient, alice: User) -> None:
    remember_all(alice_api, TABS)
    reflect(alice_api, "patterns", source="topic", topic_query="tabs of sk-test")
    assert Reflection.objects.get(owner=alice).request == {}


def test_another_sees_none_of_the_runs(alice_api: APIClient, bob_api: APIClient) -> None:
    reflect(alice_api, "patterns")
    assert bob_api.get("/api/memories/reflect").json()["results"] == []


def test_run_done_twice_does_its_work_once(alice_api: APIClient, alice: User) -> None:
    remember_all(alice_api, TABS)
    run, _ = runs.request_run([ReflectionRequest(ReflectionKind.PATTERNS)], owner=alice.pk, actor="test")
    runs.run_reflection(run, owner=alice.pk)
    before = listed(alice_api)
    runs.run_reflection(run, owner=alice.pk)
    assert listed(alice_api) == before


def test_run_that_broke_off_goes_on_with_what_is_left(
    alice_api: APIClient, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    remember_all(alice_api, TABS)
    parts = [ReflectionRequest(ReflectionKind.PATTERNS), ReflectionRequest(ReflectionKind.INFER)]
    run, _ = runs.request_run(parts, owner=alice.pk, actor="test")
    with monkeypatch.context() as broken:
        broken.setattr("memories.maintenance.reflection.inference.propose_inferences", _killed)
        with pytest.raises(KeyboardInterrupt):
            runs.run_reflection(run, owner=alice.pk)
    [pattern] = listed(alice_api, layer="procedural")
    runs.run_reflection(run, owner=alice.pk)
    assert listed(alice_api, layer="procedural") == [pattern]
    assert not Reflection.objects.filter(owner=alice, finished_at=None).exists()


def _killed(*_: object, **__: object) -> None:
    raise KeyboardInterrupt


def test_one_run_an_owner_at_a_time(alice: User) -> None:
    run, _ = runs.request_run([ReflectionRequest(ReflectionKind.PATTERNS)], owner=alice.pk, actor="test")
    with hold_lease(f"reflect:{alice.pk}", 60), pytest.raises(LeaseBusy):
        runs.run_reflection(run, owner=alice.pk)


def test_source_that_moved_meanwhile_writes_nothing(alice_api: APIClient, alice: User) -> None:
    first, _ = remember_all(alice_api, TABS)
    proposal = runs.preview_part(ReflectionRequest(ReflectionKind.PATTERNS), owner=alice.pk)
    alice_api.delete(f"/api/memories/{first}")
    row = Reflection(owner=alice, run=alice.pk, kind="patterns", actor="test")
    with hold_lease(f"reflect:{alice.pk}", 60) as token, pytest.raises(MovedMeanwhile):
        storage.store_findings(row, proposal, owner=alice.pk, token=token)
    assert not Memory.objects.filter(owner=alice, layer="procedural").exists()
