"""Use of memories is appended at once and counted soon."""

from __future__ import annotations

import pytest
from pytest_django import DjangoAssertNumQueries

from memories import tasks
from memories.models import Memory, MemoryAccess
from memories.storage import usage
from memories.values import Candidate
from memories.writing.pipeline import write_candidates
from memsite import jobs
from memsite.accounts.models import User
from memsite.jobs.models import Job


@pytest.fixture
def memory(alice: User) -> Memory:
    (outcome,) = write_candidates(
        [Candidate("The rabbit is called Clover.")], owner=alice.pk, actor="test"
    ).outcomes
    assert outcome.memory is not None
    return outcome.memory


def _use(memory: Memory, times: int) -> None:
    for _ in range(times):
        usage.note_access([memory.pk], owner=memory.owner_id)


def _waiting() -> int:
    return Job.objects.filter(task=usage.ROLL_UP, status="queued").count()


def test_use_is_counted_by_the_next_schedule(memory: Memory) -> None:
    _use(memory, 3)
    assert tasks.roll_up_accesses() == 1
    jobs.run_due_jobs()
    memory.refresh_from_db()
    assert memory.access_count == 3
    assert not MemoryAccess.objects.filter(owner_id=memory.owner_id).exists()


def test_noting_use_is_one_statement_and_no_job(
    memory: Memory, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    others = write_candidates(
        [Candidate(f"Fact {n} is true.") for n in range(120)], owner=memory.owner_id, actor="test"
    )
    used = [one.memory.pk for one in others.outcomes if one.memory]
    with django_assert_num_queries(1):
        usage.note_access(used, owner=memory.owner_id)
    assert MemoryAccess.objects.filter(owner_id=memory.owner_id).count() == 120
    assert _waiting() == 0


def test_count_is_queued_once_while_it_waits(memory: Memory) -> None:
    _use(memory, 2)
    tasks.roll_up_accesses()
    tasks.roll_up_accesses()
    assert _waiting() == 1


def test_schedule_finds_each_owner_who_used_a_memory(memory: Memory, bob: User) -> None:
    (his,) = write_candidates([Candidate("A dog.")], owner=bob.pk, actor="test").outcomes
    assert his.memory is not None
    _use(memory, 2)
    _use(his.memory, 1)
    assert set(usage.list_owners_to_roll_up()) == {memory.owner_id, bob.pk}
