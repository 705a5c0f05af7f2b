"""What of a model's summary is left out, and how a failed one is retried."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from tests.llm_server import LLMServer, json_answer, status
from tests.threads.summarization.summing import Run, Say, model_says, state_of, stored
from threads.models import Thread
from threads.summarization.sweeping import queue_owed_summaries

pytestmark = pytest.mark.django_db
GOOD = "The user plants a garden of lavender and asks for a plan of the beds."


def test_structure_nobody_spoke_of_is_left_out(
    thread: Thread, say: Say, run: Run, models_configured: LLMServer
) -> None:
    structure = {
        "key_decisions": ["Take the night train to Rome.", "Hostels are cheap.", "Take 3 night trains."],
        "modified_files": ["docs/trip.md", "plan.md"],
        "critical_context": [
            {"name": "train", "value": "night train to Rome"},
            {"name": "budget", "value": "500 euros"},
        ],
    }
    models_configured.always(json_answer(model_says(GOOD, **structure)))
    say("I decided to take the night train to Rome.", "I wrote it down in docs/trip.md.")
    run(force=True)
    kept = stored(thread)[0].structured
    assert kept["key_decisions"] == ["Take the night train to Rome."]
    assert kept["modified_files"] == ["docs/trip.md"]
    assert kept["critical_context"] == {"train": "night train to Rome"}


@pytest.mark.parametrize(
    ("context", "kept"),
    [
        ({"train": "night train to Rome"}, {"train": "night train to Rome"}),
        ({"name": "train", "value": "night train to Rome"}, {"train": "night train to Rome"}),
        ([{"train": "night train to Rome"}], {"train": "night train to Rome"}),
        ({"trains": ["night train", "to Rome"]}, {"trains": "night train; to Rome"}),
        ([{"name": "trains", "value": 2}, "night train"], {"trains": "2"}),
        (None, {}),
    ],
)
def test_critical_context_is_kept_however_the_model_writes_it(
    thread: Thread, say: Say, run: Run, models_configured: LLMServer, context: object, kept: dict[str, str]
) -> None:
    models_configured.always(json_answer(model_says(GOOD, critical_context=context)))
    say("I decided to take the night train to Rome, that is 2 trains.")
    run(force=True)
    assert stored(thread)[0].structured["critical_context"] == kept


def test_decision_of_an_earlier_summary_stays(
    thread: Thread, say: Say, run: Run, models_configured: LLMServer
) -> None:
    decided = ["Take the night train to Rome."]
    models_configured.always(json_answer(model_says(GOOD, key_decisions=decided)))
    say("I decided to take the night train to Rome.")
    run(force=True)
    say("Thank you.")
    run(force=True)
    assert stored(thread)[-1].structured["key_decisions"] == decided


def test_finding_nobody_spoke_of_is_left_out(
    thread: Thread, say: Say, run: Run, models_configured: LLMServer
) -> None:
    state = {"current_goal": "see Rome", "key_findings": ["Hostels are cheap.", "Rome is far away."]}
    models_configured.always(json_answer(model_says(GOOD, task_state=state)))
    say("Rome is far away, but I want to see it.")
    run(force=True)
    kept = state_of(thread)
    assert kept is not None
    assert kept.key_findings == ["Rome is far away."]


def test_failed_first_summary_is_retried_by_the_sweep(
    thread: Thread, say: Say, run: Run, models_configured: LLMServer
) -> None:
    models_configured.always(status(500))
    say(2)
    run(force=True)
    assert queue_owed_summaries(10) == 0
    with time_machine.travel(timezone.now() + timedelta(minutes=6), tick=True):
        models_configured.always(json_answer(model_says(GOOD)))
        assert queue_owed_summaries(10) == 1
        run()
    [row] = stored(thread)
    assert (row.content, row.error, row.retry_at, row.is_provisional) == (GOOD, "", None, False)


def test_mark_for_few_messages_is_retried_by_the_sweep(
    thread: Thread, say: Say, run: Run, models_configured: LLMServer
) -> None:
    models_configured.always(json_answer(model_says(GOOD)))
    say(10)
    run()
    models_configured.always(status(500))
    say(2)
    run(force=True)
    with time_machine.travel(timezone.now() + timedelta(minutes=6), tick=True):
        models_configured.always(json_answer(model_says("The user went on planting.")))
        assert queue_owed_summaries(10) == 1
        run()
    assert [row.content for row in stored(thread)] == [GOOD, "The user went on planting."]


def test_retries_of_a_failing_model_grow_rarer(
    thread: Thread, say: Say, run: Run, models_configured: LLMServer
) -> None:
    models_configured.always(status(400))
    say(2)
    waits = []
    for _ in range(3):
        run(force=True)
        [row] = stored(thread)
        assert row.retry_at is not None
        waits.append(row.retry_at - row.updated_at)
    assert waits == [timedelta(minutes=5), timedelta(minutes=10), timedelta(minutes=20)]
