"""Kinds that are never learnt: what learning finds of them is not written."""

from __future__ import annotations

import pytest
from rest_framework.test import APIClient

from memories.models import Memory
from memories.values import Candidate, Kind, Writer
from memories.writing.pipeline import write_candidates
from memsite.accounts.models import User
from memsite.accounts.preferences import set_preferences
from memsite.jobs import run_due_jobs


def actions(owner: User, *writers: str) -> list[str]:
    candidates = [
        Candidate(f"Wants to sail around island {number}.", kind=Kind.GOAL, written_by=Writer(writer))
        for number, writer in enumerate(writers)
    ]
    return [outcome.action for outcome in write_candidates(candidates, owner=owner.pk, actor="test").outcomes]


def test_derived_memories_of_a_refused_kind_are_not_written(alice: User) -> None:
    set_preferences(alice.pk, refused_kinds=["goal"])
    assert actions(alice, "rules", "model", "reflection") == ["refused"] * 3
    assert not Memory.objects.filter(owner=alice).exists()


def test_what_a_person_or_a_program_writes_is_not_refused(alice: User) -> None:
    set_preferences(alice.pk, refused_kinds=["goal"])
    assert actions(alice, "person", "program") == ["created", "created"]


def test_other_kinds_and_other_people_are_learnt_as_before(alice: User, bob: User) -> None:
    set_preferences(alice.pk, refused_kinds=["habit"])
    assert actions(alice, "rules") == actions(bob, "rules") == ["created"]


@pytest.mark.parametrize(("refused", "layers"), [([], {"episodic", "semantic"}), (["fact"], {"episodic"})])
def test_a_thread_teaches_nothing_of_a_refused_kind(
    alice: User, alice_api: APIClient, refused: list[str], layers: set[str]
) -> None:
    alice_api.patch("/api/preferences", {"refused_kinds": refused})
    thread = alice_api.post("/api/threads", {}).json()["id"]
    message = {"role": "user", "content": "I live in Berlin."}
    alice_api.post(f"/api/threads/{thread}/messages", message)
    run_due_jobs()
    assert set(Memory.objects.filter(owner=alice).values_list("layer", flat=True)) == layers


def test_api_returns_refused_kinds(alice_api: APIClient) -> None:
    assert alice_api.patch("/api/preferences", {"refused_kinds": ["goal"]}).status_code == 200
    assert alice_api.get("/api/preferences").json()["refused_kinds"] == ["goal"]
