"""Requirements for programming under `/v1`."""

from __future__ import annotations

import pytest
from pytest_django import Settings

from memories.maintenance import sentences
from memories.values import Candidate
from memories.writing import write_candidates
from memsite.accounts.models import User
from tests.llm_server import LLMServer
from tests.threads.completions.calling import Caller
from threads.context import load_sent_context
from threads.models import Citation, Message

pytestmark = pytest.mark.django_db
RULE = "The user's tests are plain pytest functions, without classes."
CODING = "Add an endpoint for refunds to our API."


@pytest.fixture(autouse=True)
def _rule(alice: User, settings: Settings) -> None:
    settings.MEMSITE_EMBEDDING, settings.MEMSITE_EMBEDDING_BUDGET_MS = "local", 10_000
    settings.MEMSITE_CONTEXT_RECALL_MS = 20_000
    write_candidates([Candidate(content=RULE)], owner=alice.pk, actor="test")
    for _ in sentences.fill_in_for(owner=alice.pk):
        pass


def test_work_on_code_cites_the_rule_as_respected(alice_v1: Caller, models_configured: LLMServer) -> None:
    said = alice_v1.chat(CODING)
    system = str(models_configured.chats[-1].messages[0]["content"])
    assert system.index("<requirements ") < system.index(RULE)
    assert said.memory.endswith("; respected=1")
    row = Citation.objects.get()
    assert (row.role, row.why, row.relevance) == ("respected", "applies to programming", None)


def test_other_inputs_do_not_get_the_rule(alice_v1: Caller, models_configured: LLMServer) -> None:
    alice_v1.chat("Give me a recipe for a cake.")
    assert RULE not in str(models_configured.chats[-1].messages)


def test_page_says_why_the_rule_was_sent(alice_v1: Caller, models_configured: LLMServer) -> None:
    alice_v1.chat(CODING)
    shown = load_sent_context(Message.objects.get(role="user"))
    assert shown.is_exact
    assert [one.reason for one in shown.required] == ["applies to programming"]
