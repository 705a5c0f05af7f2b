"""Taking a summary back brings what stood before."""

from __future__ import annotations

import pytest

from memsite.errors import Conflict, NotFound
from memsite.jobs.models import Job
from memsite.values import new_id
from tests.llm_server import LLMServer, json_answer
from tests.threads.summarization.summing import Run, Say, model_says, state_of, stored
from threads.models import Thread
from threads.storage.jobs import SUMMARISE_TASK
from threads.summarization.restoring import restore_summary
from threads.summarization.task_state import set_task_state

pytestmark = pytest.mark.django_db


def test_first_summary_taken_back_leaves_none(thread: Thread, say: Say, run: Run) -> None:
    rows = say(10)
    run()
    restored = restore_summary(thread.pk, stored(thread)[0].pk, owner=thread.owner_id)
    assert restored.summary is None
    assert restored.messages == tuple(row.pk for row in rows)


def test_second_summary_taken_back_leaves_the_first(thread: Thread, say: Say, run: Run) -> None:
    say(10)
    run()
    say(10)
    run()
    first, second = stored(thread)
    restored = restore_summary(thread.pk, second.pk, owner=thread.owner_id)
    assert restored.summary == first


def test_version_that_was_overwritten_comes_back(
    thread: Thread, say: Say, run: Run, models_configured: LLMServer
) -> None:
    models_configured.script(
        json_answer(model_says("The user talks.")), json_answer(model_says("Worse words."))
    )
    say(10)
    run()
    run(force=True)
    [row] = stored(thread)
    assert row.content == "Worse words."
    restore_summary(thread.pk, row.pk, owner=thread.owner_id)
    assert [one.content for one in stored(thread)] == ["The user talks."]


def test_task_state_comes_back_with_it(
    thread: Thread, say: Say, run: Run, models_configured: LLMServer
) -> None:
    set_task_state(thread.pk, {"current_goal": "plant"}, owner=thread.owner_id)
    models_configured.always(json_answer(model_says("The user talks.", task_state={"current_goal": "other"})))
    say(10)
    run()
    assert restore_summary(thread.pk, stored(thread)[0].pk, owner=thread.owner_id).state_restored
    state = state_of(thread)
    assert state is not None
    assert state.current_goal == "plant"


def test_state_a_client_wrote_since_stays(
    thread: Thread, say: Say, run: Run, models_configured: LLMServer
) -> None:
    models_configured.always(json_answer(model_says("The user talks.", task_state={"current_goal": "other"})))
    say(10)
    run()
    set_task_state(thread.pk, {"current_goal": "mine"}, owner=thread.owner_id)
    assert not restore_summary(thread.pk, stored(thread)[0].pk, owner=thread.owner_id).state_restored


def test_what_was_taken_back_is_not_written_again_at_once(thread: Thread, say: Say, run: Run) -> None:
    say(10)
    run()
    restore_summary(thread.pk, stored(thread)[0].pk, owner=thread.owner_id)
    Job.objects.all().delete()
    say(9)
    run()
    assert not Job.objects.filter(task=SUMMARISE_TASK).exists()
    assert stored(thread)[0].undone_at is not None


def test_next_summary_covers_what_was_taken_back(thread: Thread, say: Say, run: Run) -> None:
    say("I keep a heron.", 9)
    run()
    restore_summary(thread.pk, stored(thread)[0].pk, owner=thread.owner_id)
    say(10)
    summary = run().summary
    assert summary is not None
    assert "heron" in summary.content


def test_summary_others_build_on_is_not_taken_back(thread: Thread, say: Say, run: Run) -> None:
    say(10)
    run()
    say(10)
    run()
    with pytest.raises(Conflict):
        restore_summary(thread.pk, stored(thread)[0].pk, owner=thread.owner_id)


def test_summary_is_taken_back_once(thread: Thread, say: Say, run: Run) -> None:
    say(10)
    run()
    row = stored(thread)[0]
    restore_summary(thread.pk, row.pk, owner=thread.owner_id)
    with pytest.raises(Conflict):
        restore_summary(thread.pk, row.pk, owner=thread.owner_id)


def test_unknown_summary_is_not_found(thread: Thread) -> None:
    with pytest.raises(NotFound):
        restore_summary(thread.pk, new_id(), owner=thread.owner_id)
