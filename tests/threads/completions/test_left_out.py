"""Under `/v1`, what is left out as outdated is named in what was sent."""

from __future__ import annotations

import pytest
from pytest_django.fixtures import Settings

from memsite.accounts.models import User
from tests.llm_server import LLMServer
from tests.memories.sentences.outdating import BESIDE, remember
from tests.threads.completions.calling import Caller
from threads.context import load_sent_context
from threads.models import Message

pytestmark = pytest.mark.django_db
BEFORE, NOW = "My desk phone is extension 21.", "My desk phone is extension 90 now."


def test_outdated_memory_is_named_as_left_out(
    alice: User, alice_v1: Caller, models_configured: LLMServer, settings: Settings
) -> None:
    settings.MEMSITE_EMBEDDING = "local"
    settings.MEMSITE_EMBEDDING_BUDGET_MS = 10_000  # however busy the machine is
    remember(alice, [BEFORE, *BESIDE, NOW])
    alice_v1.chat("What is my desk phone?")
    shown = load_sent_context(Message.objects.get(role="user"))
    assert [one.memory.content for one in shown.memories if one.memory] == [NOW]
    assert [one.memory.content for one in shown.left_out if one.memory and one.is_outdated] == [BEFORE]
