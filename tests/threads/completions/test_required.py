"""Requirements under `/v1`: they reach the model with every request, and are shown as they were sent."""

from __future__ import annotations

from uuid import UUID

import pytest
from django.test import Client

from memories.values import Candidate, Kind
from memories.writing import write_candidates
from memsite.accounts.models import User
from tests.llm_server import LLMServer, answer
from tests.threads.completions.calling import Caller
from threads.context import load_sent_context
from threads.models import Citation, Message
from threads.prompt import remove_fenced

pytestmark = pytest.mark.django_db
WELSH = "Please answer me in Welsh."
BEES = "The user keeps bees behind the barn."


@pytest.fixture(autouse=True)
def _wish(alice: User) -> None:
    wishes = [Candidate(content=WELSH, kind=Kind.PREFERENCE), Candidate(content=BEES)]
    write_candidates(wishes, owner=alice.pk, actor="test")


def system_text(server: LLMServer, chat: int = -1) -> str:
    return str(server.chats[chat].messages[0]["content"])


def test_requirement_reaches_the_model_without_a_memory(
    alice_v1: Caller, models_configured: LLMServer
) -> None:
    said = alice_v1.chat("What is 2 + 2?")
    assert WELSH in system_text(models_configured)
    assert said.memory.startswith("used=0; tokens=")
    assert said.memory.endswith("; respected=1")


def test_answer_cites_the_requirement(alice_v1: Caller, models_configured: LLMServer) -> None:
    said = alice_v1.chat("What is 2 + 2?")
    row = Citation.objects.get()
    assert (row.role, row.why) == ("respected", "applies to every answer")
    assert said.headers["memsite-citations"] == str(row.pk)
    assert said.json["memsite"]["respected"] == said.json["memsite"]["citations"] == [str(row.pk)]


def test_recalled_memories_are_cited_before_requirements(
    alice_v1: Caller, models_configured: LLMServer
) -> None:
    cited = alice_v1.chat("Where do I keep my bees?").json["memsite"]
    roles = dict(Citation.objects.values_list("pk", "role"))
    assert [roles[UUID(one)] for one in cited["citations"]] == ["recalled", "respected"]
    assert cited["respected"] == cited["citations"][1:]


def test_requirements_and_memories_are_fenced_each(alice_v1: Caller, models_configured: LLMServer) -> None:
    said = alice_v1.chat("Where do I keep my bees?")
    text = system_text(models_configured)
    assert text.index("<requirements ") < text.index(WELSH) < text.index("<memories ") < text.index(BEES)
    assert said.memory.startswith("used=1; ")
    assert remove_fenced(text) == ""


def test_steps_of_a_tool_loop_repeat_the_requirements(alice_v1: Caller, models_configured: LLMServer) -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "add", "arguments": "{}"}}
    models_configured.script(answer("", tool_calls=[call]), answer("Four."))
    asked = {"role": "user", "content": "What is 2 + 2?"}
    alice_v1.chat(asked)
    step = {"role": "assistant", "content": None, "tool_calls": [call]}
    said = alice_v1.chat(asked, step, {"role": "tool", "tool_call_id": "c1", "content": "4"})
    assert said.json["memsite"]["respected"] == [str(Citation.objects.get().pk)], "cited once"
    assert system_text(models_configured, 0) == system_text(models_configured, 1)


def test_small_budget_leaves_requirements_out(alice_v1: Caller, models_configured: LLMServer) -> None:
    alice_v1.chat("What is 2 + 2?", headers={"Memsite-Budget": "200"})
    assert WELSH not in str(models_configured.chats[0].messages)


def test_memory_switched_off_sends_no_requirement(alice_v1: Caller, models_configured: LLMServer) -> None:
    alice_v1.chat("What is 2 + 2?", headers={"Memsite-Memory": "off"})
    assert WELSH not in str(models_configured.chats[0].messages)


def test_page_shows_the_requirement_that_was_sent(
    alice_v1: Caller, models_configured: LLMServer, alice_browser: Client
) -> None:
    alice_v1.chat("What is 2 + 2?")
    question = Message.objects.get(role="user")
    shown = load_sent_context(question)
    assert shown.is_exact
    assert shown.requirements == system_text(models_configured)
    page = alice_browser.get(f"/threads/{question.thread_id}/context/{question.pk}/").content.decode()
    assert page.count(WELSH) == 2, "the text as it was sent, and the memory it came from"
