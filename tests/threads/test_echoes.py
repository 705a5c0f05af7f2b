"""Beside a fact stand neither its echoes nor earlier questions nor the message that it was learnt from."""

from __future__ import annotations

import pytest
from pytest_django import Settings

from memories.retrieval import SearchQuery, search_memories
from memories.tasks import fill_in_sentences
from memsite.accounts.models import User
from memsite.jobs import run_due_jobs
from tests.threads.saying import Talk, assistant_says, user_says
from threads.context.context import Context, assemble_context
from threads.messages.transcript import append_messages, create_thread
from threads.models import Thread

FACT = "The user lives in Berlin."
QUESTION = "In which city do I live?"


@pytest.fixture
def conversation(thread: Thread, talk: Talk) -> Thread:
    """A short conversation that tells one fact, asks for it and repeats it."""
    for turns in (("I live in Berlin.", "Noted."), ("Where do I live?", "You live in Berlin.")):
        talk(*turns)
        run_due_jobs()
    return thread


@pytest.fixture(params=["tokens", "local"])
def embedding(request: pytest.FixtureRequest, conversation: Thread, settings: Settings) -> None:
    """Compare meanings without sentence vectors, and with them."""
    settings.MEMSITE_EMBEDDING = request.param
    settings.MEMSITE_EMBEDDING_BUDGET_MS = 10_000
    fill_in_sentences()


def ask_elsewhere(owner: User, question: str, *messages: str) -> Context:
    """Ask in a new thread that begins with these messages of the user."""
    thread = create_thread(owner=owner.pk)
    for message in messages:
        append_messages(thread.pk, [user_says(message), assistant_says("OK.")], owner=owner.pk)
        run_due_jobs()
    return assemble_context(thread.pk, question, owner=owner.pk)


def contents(context: Context) -> list[str]:
    return [one.hit.memory.content for one in context.choice.memories]


@pytest.mark.usefixtures("embedding")
@pytest.mark.parametrize("question", [QUESTION, "Where do I live?"])
def test_fact_stands_alone_in_the_context_of_another_thread(alice: User, question: str) -> None:
    assert contents(ask_elsewhere(alice, question)) == [FACT]


@pytest.mark.usefixtures("embedding")
@pytest.mark.parametrize("question", [QUESTION, "Where do I live?"])
def test_search_shows_neither_echo_nor_question_before_the_fact(alice: User, question: str) -> None:
    found = [hit.memory.content for hit in search_memories(SearchQuery(question), owner=alice.pk).hits]
    assert found.index(FACT) < min(found.index("You live in Berlin."), found.index("Where do I live?"))


def test_what_repeats_the_messages_of_the_context_stays_out(alice: User, conversation: Thread) -> None:
    context = ask_elsewhere(alice, QUESTION, "I live in Berlin.")
    assert contents(context) == []
    assert context.included_messages == 2


def test_message_that_says_more_than_was_learnt_stands_beside_the_fact(alice: User, talk: Talk) -> None:
    message = "I live in Berlin. What a city: the rent went up by ten percent!"
    talk(message, "Noted.")
    run_due_jobs()
    assert message in contents(ask_elsewhere(alice, QUESTION))
