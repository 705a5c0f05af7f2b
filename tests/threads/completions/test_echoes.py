"""Under `/v1`, what repeats a fact is not sent beside it."""

from __future__ import annotations

import pytest

from memsite.jobs import run_due_jobs
from tests.llm_server import LLMServer, answer
from tests.threads.completions.calling import Caller

pytestmark = pytest.mark.django_db
STATED = ["I live in Berlin.", "Noted."]


@pytest.fixture(autouse=True)
def _conversation(alice_v1: Caller, models_configured: LLMServer) -> None:
    models_configured.script(answer("Noted."), answer("You live in Berlin."))
    alice_v1.chat("I live in Berlin.")
    run_due_jobs()
    alice_v1.chat(*STATED, "Where do I live?")
    run_due_jobs()


def test_fact_stands_alone_in_the_block(alice_v1: Caller, models_configured: LLMServer) -> None:
    said = alice_v1.chat("In which city do I live?")
    assert said.memory.startswith("used=1;")
    assert "The user lives in Berlin." in str(models_configured.chats[-1].messages[0]["content"])


def test_what_the_client_sends_anyway_brings_no_echo(alice_v1: Caller, models_configured: LLMServer) -> None:
    models_configured.script(answer("OK."))
    stated = "Good morning. I live in Berlin."
    alice_v1.chat(stated)
    run_due_jobs()
    said = alice_v1.chat(stated, "OK.", "In which city do I live?")
    assert said.memory.startswith("used=0;")
