"""Use of memories is appended at once and counted soon."""

from __future__ import annotations

import pytest

from memories import usage
from memories.candidates import Candidate
from memories.models import Memory, MemoryAccess
from memories.pipeline import remember
from memsite import jobs
from memsite.accounts.models import User
from memsite.jobs.models import Job


@pytest.fixture
def memory(alice: User) -> Memory:
    (outcome,) = remember([Candidate("The rabbit is called Clover.")], owner=alice.pk, actor="test").outcomes
    assert outcome.memory is not None
    return outcome.memory


def _use(memory: Memory, times: int) -> None:
    for _ in range(times):
        usage.note_access([memory.pk], owner=memory.owner_id)


def _waiting() -> int:
    return Job.objects.filter(task=usage.ROLL_UP, status="queued").count()


def test_hundredth_use_queues_the_count(memory: Memory) -> None:
    _use(memory, 99)
    assert _waiting() == 0
    _use(memory, 1)
    assert _waiting() == 1
    jobs.drain()
    memory.refresh_from_db()
    assert memory.access_count == 100
    assert not MemoryAccess.objects.filter(owner_id=memory.owner_id).exists()


def test_uses_noted_together_count_each(memory: Memory) -> None:
    others = remember(
        [Candidate(f"Fact {n} is true.") for n in range(120)], owner=memory.owner_id, actor="test"
    )
    usage.note_access([one.memory.pk for one in others.outcomes if one.memory], owner=memory.owner_id)
    assert _waiting() == 1


def test_count_is_queued_once_while_it_waits(memory: Memory) -> None:
    _use(memory, 205)
    assert _waiting() == 1


def test_others_uses_do_not_add_up(memory: Memory, bob: User) -> None:
    (his,) = remember([Candidate("A dog.")], owner=bob.pk, actor="test").outcomes
    assert his.memory is not None
    _use(memory, 60)
    _use(his.memory, 60)
    assert _waiting() == 0
