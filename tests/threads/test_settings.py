"""Settings of threads change what they do."""

from __future__ import annotations

import pytest

from memories.conf import EXTRACTION
from memories.models import Memory
from memsite.jobs import run_due_jobs
from memsite.jobs.models import Job
from tests.conftest import Tune
from tests.llm_server import LLMServer
from tests.threads.saying import Talk
from threads.conf import CONTEXT, SUMMARY, ContextSettings
from threads.context.budget import ContextBudget
from threads.context.context import assemble_context
from threads.learning.learning import learn_from_thread
from threads.models import Thread
from threads.storage.jobs import SUMMARISE_TASK

pytestmark = pytest.mark.django_db


def test_summary_is_due_after_as_many_messages_as_set(talk: Talk, tune: Tune) -> None:
    talk("one", "two")
    assert not Job.objects.filter(task=SUMMARISE_TASK).exists()
    tune(SUMMARY, messages=3)
    talk("three")
    assert Job.objects.filter(task=SUMMARISE_TASK).exists()


def test_share_of_memories_changes_the_budget(thread: Thread, tune: Tune) -> None:
    tune(CONTEXT, retrieved_share=0.5, summary_share=0.0)
    budget = assemble_context(thread.pk, "hello", owner=thread.owner_id, max_tokens=1000).budget
    assert (budget.retrieved, budget.summary, budget.recent_messages) == (500, 0, 250)


def test_reserve_is_limited_as_set(tune: Tune) -> None:
    tune(CONTEXT, reserved_tokens=100)
    assert ContextBudget.of_window(10_000).reserved == 100


def test_while_extraction_is_off_messages_are_episodes_only(talk: Talk, tune: Tune) -> None:
    tune(EXTRACTION, enabled=False)
    talk("I live in Berlin.")
    run_due_jobs()
    assert list(Memory.objects.values_list("layer", flat=True)) == ["episodic"]


def test_messages_that_wait_are_not_read_once_extraction_is_off(
    thread: Thread, talk: Talk, tune: Tune, models_configured: LLMServer
) -> None:
    talk("I live in a green house.")
    run_due_jobs()
    tune(EXTRACTION, enabled=False)
    learn_from_thread(thread.pk, owner=thread.owner_id, whole=True)
    assert models_configured.chats == []
    assert list(Memory.objects.values_list("layer", flat=True)) == ["episodic"]


def test_window_is_read_after_as_many_messages_as_set(
    talk: Talk, tune: Tune, models_configured: LLMServer
) -> None:
    tune(EXTRACTION, window_messages=2)
    talk("I live in a green house.", "That sounds very nice, and rather unusual for a town.")
    run_due_jobs()
    assert models_configured.chats


def test_more_best_memories_than_memories_are_refused() -> None:
    with pytest.raises(ValueError, match="BEST_MEMORIES ≤ MOST_MEMORIES"):
        ContextSettings(best_memories=9, most_memories=8)


def test_sure_relevance_below_the_least_one_is_refused() -> None:
    with pytest.raises(ValueError, match="RELEVANCE ≤ SURE_RELEVANCE"):
        ContextSettings(relevance=0.8, sure_relevance=0.7)
