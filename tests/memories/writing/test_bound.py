"""The bound of what a model may retire: for an owner in 24 hours, over all batches and jobs."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from memories import curation
from memories.conf import WRITING
from memories.maintenance.reports import figures
from memories.models import Memory
from memories.models.report import today
from memories.storage.embedding_in_use import get_active_embedder
from memories.tasks import judge_near
from memories.values import Candidate, Writer
from memories.writing import similar_pairs
from memories.writing.pipeline import write_candidates
from memsite.accounts.models import User
from memsite.jobs import run_due_jobs
from memsite.llm.chat.chat import ChatModel
from memsite.metering import get_chat_model
from tests.conftest import Tune
from tests.llm_server import LLMServer
from tests.memories.writing.judged_pairs import FACTS, always_same, knows, list_wordings, make_judge

pytestmark = pytest.mark.django_db

#: Five facts in six wordings each; a model that lies has ten or more retired.
MANY = [
    f"The user's {relative} {verb} a dog {named} Rex."
    for verb in ("has", "owns", "keeps")
    for named in ("called", "named")
    for relative in ("sister", "brother", "mother", "father", "uncle")
]


def _model(user: User) -> ChatModel:
    model = get_chat_model("fast", owner=user.pk)
    assert model is not None
    return model


def _pet(number: int, age: str, written_by: Writer) -> Candidate:
    return Candidate(
        f"Pet {number} is {age}.",
        subject=f"pet {number}",
        predicate="age",
        object=age,
        written_by=written_by,
    )


def test_job_retires_no_more_than_its_bound(alice: User, models_configured: LLMServer, tune: Tune) -> None:
    tune(WRITING, model_least=1)
    write_candidates([Candidate(one) for one in list_wordings(FACTS)], owner=alice.pk, actor="key:test")
    models_configured.reply = make_judge(knows)
    judged = similar_pairs.judge_similar_pairs(_model(alice), owner=alice.pk)
    assert (judged.united, judged.stopped) == (1, True)


@pytest.mark.parametrize("batches", [1, 5])
def test_all_jobs_of_an_owner_retire_no_more_than_the_bound_together(
    alice: User, models_configured: LLMServer, tune: Tune, batches: int
) -> None:
    tune(WRITING, model_least=5)
    for number in range(batches):
        some = MANY[number * 30 // batches : (number + 1) * 30 // batches]
        write_candidates([Candidate(one) for one in some], owner=alice.pk, actor="key:test")
    models_configured.reply = make_judge(always_same)
    for _ in range(6):
        judge_near(str(alice.pk))
        run_due_jobs()
    retired = Memory.objects.filter(owner=alice, status="deprecated").count()
    assert retired == 5


def test_no_model_is_asked_while_it_may_retire_nothing(
    alice: User, models_configured: LLMServer, tune: Tune
) -> None:
    tune(WRITING, model_least=1)
    write_candidates([Candidate(one) for one in list_wordings(FACTS)], owner=alice.pk, actor="key:test")
    models_configured.reply = make_judge(knows)
    judge_near(str(alice.pk))
    asked = len(models_configured.chats)
    assert judge_near(str(alice.pk)) == {"united": 0, "stopped": True}
    assert len(models_configured.chats) == asked


@pytest.mark.parametrize(("hours", "united"), [(23, 0), (25, 1)])
def test_bound_counts_what_models_retired_in_the_last_24_hours(
    alice: User,
    models_configured: LLMServer,
    tune: Tune,
    hours: int,
    united: int,
) -> None:
    tune(WRITING, model_least=1)
    write_candidates([Candidate(one) for one in list_wordings(FACTS)], owner=alice.pk, actor="key:test")
    models_configured.reply = make_judge(knows)
    judge_near(str(alice.pk))
    with time_machine.travel(timezone.now() + timedelta(hours=hours)):
        assert judge_near(str(alice.pk))["united"] == united


def test_what_a_person_undid_does_not_count_against_the_bound(
    alice: User, models_configured: LLMServer, tune: Tune
) -> None:
    tune(WRITING, model_least=1)
    write_candidates([Candidate(one) for one in list_wordings(FACTS)], owner=alice.pk, actor="key:test")
    models_configured.reply = make_judge(knows)
    judged = similar_pairs.judge_similar_pairs(_model(alice), owner=alice.pk)
    assert judged.batch_id is not None
    curation.undo_batch(judged.batch_id, owner=alice.pk, actor="person")
    assert similar_pairs.judge_similar_pairs(_model(alice), owner=alice.pk).united == 1


def test_another_owner_s_bound_is_their_own(
    alice: User, bob: User, models_configured: LLMServer, tune: Tune
) -> None:
    tune(WRITING, model_least=1)
    models_configured.reply = make_judge(knows)
    for user in (alice, bob):
        write_candidates([Candidate(one) for one in list_wordings(FACTS)], owner=user.pk, actor="key:test")
        assert judge_near(str(user.pk))["united"] == 1


def test_facts_of_several_batches_of_a_model_share_the_bound(alice: User, tune: Tune) -> None:
    tune(WRITING, model_least=2)
    held = []
    for number in range(4):
        for age, by in (("1", Writer.PERSON), ("2", Writer.MODEL)):
            written = write_candidates([_pet(number, age, by)], owner=alice.pk, actor="learning")
        held.append(written.outcomes[0].action)
    assert held == ["superseded", "superseded", "pending", "pending"]


def test_model_s_facts_that_would_end_too_many_wait_for_a_person(alice: User, tune: Tune) -> None:
    assert WRITING.model_least == 20
    tune(WRITING, model_least=1)
    pets = [_pet(n, age, by) for age, by in (("1", Writer.PERSON), ("2", Writer.MODEL)) for n in range(3)]
    written = write_candidates(pets, owner=alice.pk, actor="learning")
    assert [one.action for one in written.outcomes[3:]] == ["superseded", "pending", "pending"]


def test_stopping_at_the_bound_is_told_by_the_report_and_the_job(
    alice: User, models_configured: LLMServer, tune: Tune
) -> None:
    tune(WRITING, model_least=1)
    write_candidates([Candidate(one) for one in list_wordings(FACTS)], owner=alice.pk, actor="key:test")
    models_configured.reply = make_judge(knows)
    assert judge_near(str(alice.pk)) == {"united": 1, "stopped": True}
    pets = [_pet(n, age, by) for age, by in (("1", Writer.PERSON), ("2", Writer.MODEL)) for n in range(3)]
    write_candidates(pets, owner=alice.pk, actor="learning")
    counted = figures.count_memories(today(), owner=alice.pk, model=get_active_embedder().model)
    assert counted.tally.held_by_bound == 3
