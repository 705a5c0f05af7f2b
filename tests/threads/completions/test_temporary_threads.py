"""A temporary thread recalls nothing, whatever else a request says."""

from __future__ import annotations

from typing import Any

import pytest

from memories.values import Candidate
from memories.writing import write_candidates
from memsite.accounts.models import User
from tests.llm_server import LLMServer
from tests.threads.completions.calling import Caller
from threads.completions import preparation
from threads.messages import create_thread
from threads.models import Thread

pytestmark = pytest.mark.django_db
QUESTION = "What is the name of my dog?"


@pytest.fixture
def thread(alice: User) -> str:
    """A temporary thread of a person of whom something is remembered."""
    write_candidates([Candidate("The user's dog is named Rex.")], owner=alice.pk, actor="person")
    return str(create_thread(owner=alice.pk, is_temporary=True).pk)


@pytest.mark.parametrize("headers", [{}, {"Memsite-Memory": "read"}])
def test_temporary_thread_is_answered_without_memories(
    headers: dict[str, str], thread: str, alice_v1: Caller, models_configured: LLMServer
) -> None:
    said = alice_v1.chat(QUESTION, headers={"Memsite-Thread": thread, **headers})
    assert said.memory == "skipped; reason=temporary"
    assert "Rex" not in str(models_configured.chats[0].messages)


def test_chat_that_is_temporary_in_its_program_leaves_nothing(
    alice: User, alice_v1: Caller, models_configured: LLMServer
) -> None:
    write_candidates([Candidate("The user's dog is named Rex.")], owner=alice.pk, actor="person")
    said = alice_v1.chat(QUESTION, headers={"Memsite-Thread": "temporary:4f1"})
    assert (said.memory, said.text) == ("skipped; reason=temporary", "ok")
    assert "Rex" not in str(models_configured.chats[0].messages)
    assert not Thread.objects.exists()


def test_conversation_that_is_temporary_is_answered_without_memories(
    thread: str, alice_v1: Caller, models_configured: LLMServer
) -> None:
    body = {"input": QUESTION, "conversation": f"conv_{thread.replace('-', '')}", "store": False}
    assert alice_v1.post("/v1/responses", body).memory == "skipped; reason=temporary"
    assert "Rex" not in str(models_configured.chats[0].messages)


def test_nothing_is_searched_for_a_temporary_thread(
    thread: str, alice_v1: Caller, models_configured: LLMServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    searched: list[Any] = []
    monkeypatch.setattr(preparation, "begin_search", lambda *given: searched.append(given))
    assert alice_v1.chat(QUESTION, headers={"Memsite-Thread": thread}).status == 200
    assert not searched
