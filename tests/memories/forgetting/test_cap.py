"""The cap on episodes of programs: the oldest go, restorably; threads' episodes do not count."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone
from pytest_django import Settings

from memories import curation, tasks
from memories.maintenance.forgetting import cap
from memories.models import Memory
from memories.schedules import SCHEDULES
from memories.values import Candidate, Kind, Layer
from memories.writing.pipeline import write_candidates
from memsite.accounts.models import User


@pytest.fixture(autouse=True)
def cap_of_ten(settings: Settings) -> None:
    settings.MEMSITE_EPISODIC_CAP = 10


def _episodes(owner: User, number: int, **fields: Any) -> list[Memory]:
    candidates = [
        Candidate(f"Turn {n} of {fields}.", layer=Layer.EPISODIC, kind=Kind.CONVERSATION, **fields)
        for n in range(number)
    ]
    written = write_candidates(candidates, owner=owner.pk, actor="test")
    return [outcome.memory for outcome in written.outcomes if outcome.memory]


def _active(owner: User) -> list[str]:
    return list(
        Memory.objects.filter(owner=owner, status="active").order_by("id").values_list("content", flat=True)
    )


def test_oldest_episodes_beyond_the_cap_are_forgotten(alice: User) -> None:
    episodes = _episodes(alice, 13)
    swept = cap.enforce_cap(owner=alice.pk)
    assert swept.count == 3
    assert _active(alice) == [episode.content for episode in episodes[3:]]
    assert set(Memory.objects.filter(status="forgotten").values_list("forgotten_by", flat=True)) == {"cap"}


def test_cap_enforced_twice_changes_nothing_more(alice: User) -> None:
    _episodes(alice, 13)
    cap.enforce_cap(owner=alice.pk)
    assert cap.enforce_cap(owner=alice.pk).count == 0


@pytest.mark.parametrize(
    "fields",
    [{"written_by": "thread"}, {"written_by": "person"}, {"sources": ("message:1",)}],
    ids=str,
)
def test_episodes_not_written_by_a_program_alone_do_not_count(alice: User, fields: dict[str, Any]) -> None:
    _episodes(alice, 13, **fields)
    assert cap.enforce_cap(owner=alice.pk).count == 0


def test_facts_do_not_count(alice: User) -> None:
    write_candidates([Candidate(f"Fact {n} is true.") for n in range(13)], owner=alice.pk, actor="test")
    assert cap.enforce_cap(owner=alice.pk).count == 0


def test_pinned_episode_stays_and_takes_its_place(alice: User) -> None:
    episodes = _episodes(alice, 13)
    Memory.objects.filter(pk=episodes[0].pk).update(pinned=True)
    cap.enforce_cap(owner=alice.pk)
    assert _active(alice) == [episodes[0].content, *(episode.content for episode in episodes[4:])]


def test_capping_is_undone_in_one_step(alice: User) -> None:
    _episodes(alice, 13)
    batch = cap.enforce_cap(owner=alice.pk).batch_id
    assert batch is not None
    curation.undo_batch(batch, owner=alice.pk, actor="person")
    assert len(_active(alice)) == 13


def test_restored_episode_counts_as_new(alice: User) -> None:
    episodes = _episodes(alice, 11)
    cap.enforce_cap(owner=alice.pk)
    curation.restore_memories([episodes[0].pk], owner=alice.pk, actor="person")
    cap.enforce_cap(owner=alice.pk)
    assert episodes[0].content in _active(alice)
    assert len(_active(alice)) == 10


def test_cap_of_zero_is_none(alice: User, settings: Settings) -> None:
    settings.MEMSITE_EPISODIC_CAP = 0
    _episodes(alice, 13)
    assert cap.enforce_all_caps() == 0


def test_schedule_caps_whoever_was_written_to_lately_and_nobody_else(alice: User, bob: User) -> None:
    _episodes(alice, 12)
    _episodes(bob, 12)
    Memory.objects.filter(owner=bob).update(created_at=timezone.now() - 3 * cap.LATELY)
    assert tasks.cap_episodes() == 2
    assert (len(_active(alice)), len(_active(bob))) == (10, 12)


def test_schedule_looks_back_further_than_it_pauses() -> None:
    (schedule,) = [one for one in SCHEDULES if one.name == "memories.cap_episodes"]
    assert schedule.minutes is not None
    assert cap.LATELY.total_seconds() >= 3 * 60 * schedule.minutes
