"""Fixtures of stories: a person tells things in chats months apart, and opens a new chat."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine

from memories.maintenance import sentences
from memsite.accounts.keys import issue_key
from memsite.accounts.models import User
from memsite.jobs import run_due_jobs
from memsite.llm.chat import close_clients
from memsite.serving.streaming import OwnLoop
from tests.llm_server import LLMServer
from tests.stories.scripted_model import Proposal, StoryModel
from tests.threads.completions.calling import Caller
from tests.threads.saying import assistant_says, user_says
from threads.context import assemble_context
from threads.messages.transcript import append_messages, create_thread
from threads.models import Thread

Tell = Callable[..., Thread]
Look = Callable[..., str]
Chat = Callable[..., None]


@pytest.fixture(autouse=True)
def patient(settings: Any) -> None:
    """Compare by sentence vectors, however slow the machine is."""
    settings.MEMSITE_EMBEDDING, settings.MEMSITE_EMBEDDING_BUDGET_MS = "local", 10_000
    settings.MEMSITE_CONTEXT_RECALL_MS = 20_000


@pytest.fixture
def tell(alice: User) -> Tell:
    """Say something in a new chat of Alice's on a day, and learn from it."""

    def say(day: str, *texts: str, thread: Thread | None = None, reply: str = "") -> Thread:
        at = datetime.fromisoformat(day).replace(hour=12, tzinfo=UTC)
        chat = thread or create_thread(owner=alice.pk)
        messages = [user_says(text, created_at=at) for text in texts]
        if reply:
            messages.append(assistant_says(reply, created_at=at))
        append_messages(chat.pk, messages, owner=alice.pk)
        run_due_jobs()
        return chat

    return say


@pytest.fixture
def look(alice: User) -> Look:
    """Return what the prompt of a new chat says beside an input."""

    def prompt(text: str) -> str:
        for _ in sentences.fill_in_for(owner=alice.pk):
            pass
        chat = create_thread(owner=alice.pk)
        context = assemble_context(chat.pk, text, owner=alice.pk, max_tokens=4_000, preview=True)
        return "\n".join(str(one["content"]) for one in context.messages[:-1])

    return prompt


@pytest.fixture
def model(models_configured: LLMServer) -> StoryModel:
    """The models of the site; at first, one extracts nothing and the other answers "OK."."""
    return StoryModel(models_configured)


@pytest.fixture
def chat(alice: User, model: StoryModel) -> Iterator[Chat]:
    """Send a chat of Alice's under `/v1` on a day, and learn from it.

    The texts are the whole conversation, the user's and the assistant's by turns. `extracts` is what the
    model extracts from the last.
    """
    with OwnLoop() as loop:
        caller = Caller(loop, issue_key(alice, name="stories")[1])

        def send(day: str, *texts: str, extracts: Sequence[Proposal] = ()) -> None:
            model.memories[texts[-1]] = extracts
            noon = datetime.fromisoformat(day).replace(hour=12, tzinfo=UTC)
            with time_machine.travel(noon + timedelta(minutes=len(model.memories))):  # a day's chats in order
                assert caller.chat(*texts).status == 200
                run_due_jobs()

        yield send
        loop.run(close_clients())


@pytest.fixture
def look_upstream(alice: User, chat: Chat, model: StoryModel) -> Look:
    """Return what the model server received beside an input that opens a new chat under `/v1`."""

    def prompt(text: str) -> str:
        for _ in sentences.fill_in_for(owner=alice.pk):
            pass
        chat("2026-10-01", text)
        return model.prompt

    return prompt
