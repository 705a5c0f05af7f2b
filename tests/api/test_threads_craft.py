"""Requirements for programming in contexts: found by meaning, or tagged by hand."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest
from pytest_django import Settings
from rest_framework.test import APIClient

from memories.maintenance import sentences
from memsite.accounts.models import User
from tests.api.asking import add
from tests.conftest import Tune
from threads.conf import CONTEXT
from threads.messages.transcript import create_thread

TESTS = "The user's tests are plain pytest functions, without classes."
LANGUAGE = "用户提交信息用英文写。"
BEES = "The user keeps bees behind the barn."
CODING = ("Add an endpoint for refunds to our API.", "帮我写一个导出订单的接口")
GENERAL = ("What is a decorator in Python?", "什么是死锁？", "How does garbage collection work?")


@pytest.fixture(autouse=True)
def patient(settings: Settings) -> None:
    """Compare by sentence vectors, however slow the machine is."""
    settings.MEMSITE_EMBEDDING, settings.MEMSITE_EMBEDDING_BUDGET_MS = "local", 10_000
    settings.MEMSITE_CONTEXT_RECALL_MS = 20_000


@pytest.fixture
def thread(alice: User) -> UUID:
    return create_thread(owner=alice.pk).pk


def remember(client: APIClient, owner: User, *texts: str, **fields: Any) -> list[str]:
    """Add memories, and fill in their vectors; return their ids."""
    ids = [str(add(client, text, **fields)["memory"]["id"]) for text in texts]
    for _ in sentences.fill_in_for(owner=owner.pk):
        pass
    return ids


def respect(client: APIClient, thread: UUID, text: str, **fields: Any) -> dict[str, str]:
    """Return the requirements of a context, each with the reason why it applies."""
    made = client.post(f"/api/threads/{thread}/context", {"input": text, **fields}).json()
    return {one["content"]: one["why"] for one in made["citations"] if one["role"] == "respected"}


@pytest.mark.parametrize("text", CODING)
def test_work_on_code_respects_what_is_too_irrelevant_to_be_recalled(
    alice: User, alice_api: APIClient, thread: UUID, tune: Tune, text: str
) -> None:
    remember(alice_api, alice, TESTS, LANGUAGE, BEES)
    tune(CONTEXT, relevance=1.0)
    assert respect(alice_api, thread, text) == dict.fromkeys((TESTS, LANGUAGE), "applies to programming")


@pytest.mark.parametrize("text", ["Give me a recipe for a cake.", "Where do I live?", "thanks!", *GENERAL])
def test_other_inputs_respect_nothing_of_it(
    alice: User, alice_api: APIClient, thread: UUID, text: str
) -> None:
    remember(alice_api, alice, TESTS, LANGUAGE)
    assert respect(alice_api, thread, text) == {}


def test_requirement_is_told_once(alice: User, alice_api: APIClient, thread: UUID) -> None:
    remember(alice_api, alice, TESTS)
    made = alice_api.post(f"/api/threads/{thread}/context", {"input": "Which tests do I write?"}).json()
    assert str(made["messages"]).count("pytest") == 1
    made = alice_api.post(f"/api/threads/{thread}/context", {"input": CODING[0]}).json()
    assert str(made["messages"]).count("pytest") == 1
    assert made["token_stats"]["retrieved"] == 0


def test_memory_tagged_by_hand_is_respected_whatever_it_says(
    alice: User, alice_api: APIClient, thread: UUID
) -> None:
    remember(alice_api, alice, BEES, tags=["craft"])
    assert respect(alice_api, thread, CODING[0]) == {BEES: "applies to programming"}
    assert respect(alice_api, thread, GENERAL[0]) == {}


def test_tag_works_without_vectors(
    alice: User, alice_api: APIClient, thread: UUID, settings: Settings
) -> None:
    settings.MEMSITE_EMBEDDING = "tokens"
    add(alice_api, BEES, tags=["craft"])
    add(alice_api, TESTS)
    assert respect(alice_api, thread, "Refactor this function: def f(x): return x") == {
        BEES: "applies to programming"
    }
    assert respect(alice_api, thread, "Give me a recipe for a cake.") == {}


def test_requirements_keep_within_their_budget(
    alice: User, alice_api: APIClient, thread: UUID, tune: Tune
) -> None:
    rules = (TESTS, LANGUAGE, "The user's errors are wrapped with %w, and nothing panics.")
    remember(alice_api, alice, *rules)
    assert respect(alice_api, thread, CODING[0]).keys() == set(rules)
    tune(CONTEXT, craft_tokens=35)
    assert len(respect(alice_api, thread, CODING[0])) == 2
    tune(CONTEXT, craft_tokens=0)
    assert respect(alice_api, thread, CODING[0]) == {}


def test_memories_of_another_person_are_not_respected(
    bob: User, alice: User, bob_api: APIClient, alice_api: APIClient, thread: UUID
) -> None:
    remember(bob_api, bob, TESTS)
    remember(bob_api, bob, BEES, tags=["craft"])
    remember(alice_api, alice, LANGUAGE)
    assert respect(alice_api, thread, CODING[0]).keys() == {LANGUAGE}


def test_forgotten_disputed_or_ended_memory_is_not_respected(
    alice: User, alice_api: APIClient, thread: UUID
) -> None:
    (forgotten,) = remember(alice_api, alice, TESTS)
    alice_api.delete(f"/api/memories/{forgotten}")
    remember(alice_api, alice, LANGUAGE, valid_until="2020-01-01T00:00:00Z")
    assert respect(alice_api, thread, CODING[0]) == {}


def test_context_of_the_past_respects_nothing(alice: User, alice_api: APIClient, thread: UUID) -> None:
    remember(alice_api, alice, TESTS)
    assert respect(alice_api, thread, CODING[0], as_of="2031-01-01T00:00:00Z") == {}


def test_beginning_of_two_contexts_about_code_is_the_same(
    alice: User, alice_api: APIClient, thread: UUID
) -> None:
    remember(alice_api, alice, TESTS, LANGUAGE)
    system = [
        alice_api.post(f"/api/threads/{thread}/context", {"input": text}).json()["messages"][0]["content"]
        for text in CODING
    ]
    assert system[0] == system[1]
