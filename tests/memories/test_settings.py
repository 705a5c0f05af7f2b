"""Settings of long-term memory change what it does."""

from __future__ import annotations

from datetime import timedelta

import pytest
from rest_framework.test import APIClient

from memories.conf import EXTRACTION, FORGETTING, GC, RECALL, REFLECTION, REPORT, WRITING
from memories.maintenance.forgetting import nightly
from memories.maintenance.reports import figures
from memories.models import Memory
from memories.values import Candidate, Writer
from memories.writing.pipeline import write_candidates
from memsite.accounts.models import User
from tests.api.asking import add, search
from tests.conftest import Tune
from tests.memories.forgetting.rows import NOW, stored

pytestmark = pytest.mark.django_db
LEARNT = Candidate("Alice keeps bees.", written_by=Writer.RULES, confidence=0.7, importance=0.55)


def action(user: User) -> str:
    return write_candidates([LEARNT], owner=user.pk, actor="learning").outcomes[0].action


def test_higher_least_confidence_refuses_what_was_kept(alice: User, tune: Tune) -> None:
    tune(WRITING, semantic_confidence=0.75)
    assert action(alice) == "refused"
    tune(WRITING, semantic_confidence=0.65)
    assert action(alice) == "created"


def test_higher_least_importance_refuses_what_was_kept(alice: User, tune: Tune) -> None:
    tune(EXTRACTION, least_importance=0.6)
    assert action(alice) == "refused"


def test_extraction_that_is_off_learns_from_no_messages(alice_api: APIClient, tune: Tune) -> None:
    tune(EXTRACTION, enabled=False)
    body = {"messages": [{"role": "user", "content": "I keep bees."}]}
    assert alice_api.post("/api/memories/extract", body).status_code == 400


def test_lower_threshold_finds_more(alice_api: APIClient, tune: Tune) -> None:
    add(alice_api, "Alice lives in Berlin.")
    tune(RECALL, semantic_relevance=1.0)
    assert search(alice_api, "Which town?", min_similarity=None) == []
    tune(RECALL, semantic_relevance=0.0)
    assert search(alice_api, "Which town?", min_similarity=None) == ["Alice lives in Berlin."]


def test_faster_decay_forgets_sooner(alice: User, tune: Tune) -> None:
    memory = stored(alice, days=30)
    tune(FORGETTING, long_rate=0.1)
    assert nightly.run_nightly(NOW)["law"] == 1
    memory.refresh_from_db()
    assert memory.status == "forgotten"


def test_reflection_is_due_after_as_many_episodes_as_set(alice_api: APIClient, tune: Tune) -> None:
    add(alice_api, "It rains.", layer="episodic")
    assert alice_api.get("/api/memories/stats").json()["should_reflect"] is False
    tune(REFLECTION, episodes=1)
    assert alice_api.get("/api/memories/stats").json()["should_reflect"] is True


def test_report_lists_what_is_less_sure_than_set(alice: User, tune: Tune) -> None:
    memory = stored(alice, "The cellar may be damp.", confidence=0.8)
    day = NOW.date() + timedelta(days=1)
    assert "unsure" not in figures.list_by_finding(day, owner=alice.pk)
    tune(REPORT, unsure=0.85)
    assert figures.list_by_finding(day, owner=alice.pk)["unsure"] == [memory.pk]


def test_gc_spares_memories_younger_than_set(alice_api: APIClient, tune: Tune) -> None:
    add(alice_api, "It rains.", layer="episodic")
    assert alice_api.post("/api/memories/gc", {}).json()["count"] == 0
    tune(GC, safe_days=0)
    assert alice_api.post("/api/memories/gc", {}).json()["count"] == 1
    assert Memory.objects.get().status == "forgotten"
