"""The nightly pass: what it does to a memory, that it does it once, and that it can be taken back."""

from __future__ import annotations

import random
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from memories import curation
from memories.maintenance.forgetting import law, nightly
from memories.maintenance.forgetting.set_changes import SweepResult
from memories.models import Event, Memory, MemoryLink
from memories.models.link import LinkKind
from memories.retrieval import SearchQuery, search_memories
from memories.storage import usage
from memories.storage.events import get_index_state
from memories.values import LIFESPANS, Candidate, Lifespan
from memories.writing.pipeline import write_candidates
from memsite.accounts.models import User
from tests.memories.forgetting.rows import NOW, state, stored, unsaved


def _after(memory: Memory) -> Memory:
    nightly.run_nightly(NOW)
    return Memory.objects.get(pk=memory.pk)


OVER = {"status": "disputed", "valid_until": NOW - timedelta(hours=3)}


def _disputed(owner: User, *others: dict[str, Any]) -> Memory:
    """A memory in dispute with others, which are as told."""
    memory = stored(owner, "Rent is 900.", days=300, status="disputed")
    for number, fields in enumerate(others):
        other = stored(owner, f"Rent is {number}.", days=9, **fields)
        MemoryLink.objects.create(owner=owner, memory=other, other=memory, kind=LinkKind.DISPUTES)
    return memory


def _many(owner: User, number: int) -> None:
    """Memories of every age, use and standing."""
    chance = random.Random(7)  # noqa: S311 - the same rows in each run
    rows = [unsaved(owner, days=95, importance=0.25, access_count=1)]  # for the cleanup, which is rare
    for _ in range(number):
        base = round(chance.random(), 3)
        used = NOW - timedelta(days=chance.random() * 300)
        rows.append(
            unsaved(
                owner,
                days=chance.random() * 300,
                base_importance=base,
                importance=base * chance.choice([1.0, 1.0, 0.8]),
                lifespan=chance.choice(LIFESPANS),
                pinned=chance.random() < 0.1,
                status=chance.choice(["active", "active", "disputed", "pending"]),
                access_count=chance.choice([0, 0, 1, 5]),
                last_accessed_at=chance.choice([None, used]),
                valid_until=chance.choice([None, None, NOW - timedelta(days=1), NOW + timedelta(days=1)]),
            )
        )
    Memory.objects.bulk_create(rows)
    _disputed(owner, OVER)


def test_memory_under_a_tenth_is_forgotten_softly(alice: User) -> None:
    memory = _after(stored(alice, days=11, kind="context"))
    assert (memory.status, memory.forgotten_by, memory.forgotten_at) == ("forgotten", "law", NOW)


def test_fading_memory_weighs_less_once(alice: User) -> None:
    memory = _after(stored(alice, days=120))  # 0.8 · e^-1.2 = 0.24
    assert (memory.status, memory.importance, memory.base_importance) == ("active", 0.8 * 0.8, 0.8)
    assert _after(memory).importance == 0.8 * 0.8


def test_memory_in_use_is_left_alone(alice: User) -> None:
    memory = stored(alice, days=400, access_count=9, last_accessed_at=NOW - timedelta(days=2))
    nightly.run_nightly(NOW)
    assert not Event.objects.filter(owner=alice).exists()
    assert Memory.objects.get(pk=memory.pk).importance == 0.8


@pytest.mark.parametrize(
    "fields",
    [
        {"pinned": True},
        {"kind": "preference"},
        {"lifespan": "core"},
        {"status": "pending"},
        {"status": "disputed"},
    ],
    ids=str,
)
def test_pinned_core_and_undecided_memories_do_not_fade(alice: User, fields: dict[str, Any]) -> None:
    memory = _after(stored(alice, days=3000, **{"importance": 0.2, **fields}))
    assert memory.is_active
    assert memory.importance == 0.2


def test_memory_barely_over_the_edge_is_only_lowered_however_often_the_night_runs(alice: User) -> None:
    memory = stored(alice, days=200)  # 0.8 · e^-2 = 0.108; lowered it would be 0.087
    for _ in range(3):
        assert _after(memory).status == "active"


def test_use_brings_the_importance_back(alice: User) -> None:
    memory = _after(stored(alice, days=120))
    usage.note_access([memory.pk], owner=alice.pk, at=NOW)
    usage.roll_up_accesses(owner=alice.pk)
    memory.refresh_from_db()
    assert (memory.importance, memory.access_count) == (0.8, 1)


def test_use_that_waits_to_be_counted_counts(alice: User) -> None:
    memory = stored(alice, days=11, kind="context")
    usage.note_access([memory.pk], owner=alice.pk, at=NOW)
    assert _after(memory).status == "active"


def test_unused_memory_of_little_worth_is_cleaned_up(alice: User) -> None:
    memory = _after(stored(alice, days=91, importance=0.25, access_count=1))
    assert (memory.status, memory.forgotten_by) == ("forgotten", "cleanup")


@pytest.mark.parametrize(
    "fields",
    [{"days": 89, "access_count": 1}, {"days": 91, "importance": 0.3}, {"days": 91, "access_count": 2}],
    ids=str,
)
def test_cleanup_wants_all_three_signs(alice: User, fields: dict[str, Any]) -> None:
    memory = _after(stored(alice, **{"importance": 0.25, "access_count": 1, **fields}))
    assert memory.status == "active"


def test_period_that_is_over_ends_the_memory(alice: User) -> None:
    until = NOW - timedelta(hours=3)
    memory = _after(stored(alice, days=30, kind="preference", pinned=True, valid_until=until))
    assert (memory.status, memory.ended_at) == ("deprecated", until)


def test_memory_whose_every_rival_expires_is_disputed_no_more(alice: User) -> None:
    memory = _after(_disputed(alice, OVER, OVER))
    assert memory.status == "active"
    event = Event.objects.get(owner=alice, memory_id=memory.pk)
    assert (event.type, event.reason, event.before) == ("memory.updated", "settled", {"status": "disputed"})


def test_memory_with_a_rival_left_stays_disputed(alice: User) -> None:
    memory = _disputed(alice, OVER, {"status": "disputed"})
    assert _after(memory).status == "disputed"
    assert _after(memory).status == "disputed"


def test_expiry_does_not_change_what_answers_now_or_for_a_time_in_the_world(alice: User) -> None:
    with time_machine.travel("2026-05-01T00:00:00Z"):
        candidate = Candidate("The lease in Lisbon runs.", valid_until=NOW - timedelta(days=2))
        write_candidates([candidate], owner=alice.pk, actor="test")
    queries = [
        SearchQuery("the lease in Lisbon", min_similarity=0.0, as_of=as_of)
        for as_of in (None, NOW - timedelta(days=1), NOW - timedelta(days=5))
    ]
    with time_machine.travel(NOW):
        before = [len(search_memories(query, owner=alice.pk).hits) for query in queries]
        nightly.run_nightly(NOW)
        assert [len(search_memories(query, owner=alice.pk).hits) for query in queries] == before == [0, 0, 1]


def test_what_was_believed_before_the_end_still_answers(alice: User) -> None:
    with time_machine.travel("2026-05-01T00:00:00Z"):
        candidate = Candidate("The lease in Lisbon runs.", valid_until=NOW - timedelta(days=2))
        write_candidates([candidate], owner=alice.pk, actor="test")
    nightly.run_nightly(NOW)
    then = SearchQuery("the lease", min_similarity=0.0, believed_at=NOW - timedelta(days=5))
    assert len(search_memories(then, owner=alice.pk).hits) == 1


def test_search_sees_at_once_what_the_night_let_go(alice: User) -> None:
    write_candidates([Candidate("The bicycle is red.")], owner=alice.pk, actor="test")
    query = SearchQuery("the red bicycle", min_similarity=0.0)
    assert search_memories(query, owner=alice.pk).hits
    nightly.run_nightly(timezone.now() + timedelta(days=900))
    assert not search_memories(query, owner=alice.pk).hits


def test_second_run_changes_nothing(alice: User, bob: User) -> None:
    _many(alice, 400)
    _many(bob, 100)
    done = nightly.run_nightly(NOW)
    assert all(done[verdict] for verdict in nightly.CHANGES)
    once, version = [state(alice), state(bob)], get_index_state(owner=alice.pk)
    assert set(nightly.run_nightly(NOW).values()) <= {0}
    assert ([state(alice), state(bob)], get_index_state(owner=alice.pk)) == (once, version)


def test_pass_does_to_each_row_what_the_law_says(alice: User) -> None:
    _many(alice, 400)
    rows = {row.pk: row for row in Memory.objects.filter(owner=alice)}
    nightly.run_nightly(NOW)
    for row in Memory.objects.filter(owner=alice):
        assert _outcome(row) == _expected(rows[row.pk]), row.pk


def _outcome(row: Memory) -> str:
    if row.forgotten_by:
        return row.forgotten_by
    return "expired" if row.ended_at else f"stands {row.importance:.6f}"


def _expected(row: Memory) -> str:
    """The law, row by row, in plain words."""
    if row.valid_until and row.valid_until <= NOW:
        return "expired"
    unchanged = f"stands {row.importance:.6f}"
    if row.pinned or row.lifespan == "core" or row.status in {"pending", "disputed"}:
        return unchanged
    used = max(row.created_at, row.last_accessed_at or row.created_at)
    days = (NOW - used) / timedelta(days=1)
    relevance = law.compute_relevance(
        days=days, access_count=row.access_count, importance=row.importance, lifespan=Lifespan(row.lifespan)
    )
    if relevance < 0.1:
        return "law"
    if days > 90 and row.importance < 0.3 and row.access_count < 2:
        return "cleanup"
    lowered = relevance < 0.3 and row.importance > 0.8 * row.base_importance
    return f"stands {0.8 * row.base_importance:.6f}" if lowered else unchanged


def test_every_change_has_an_event_and_every_verdict_is_undone_in_one_step(alice: User) -> None:
    _many(alice, 200)
    before = state(alice)
    nightly.run_nightly(NOW)
    events = Event.objects.filter(owner=alice)
    assert [event.sequence for event in events] == list(range(1, len(events) + 1))
    assert {event.actor for event in events} == {"schedule"}
    batches = set(events.values_list("reason", "batch_id"))
    assert {reason for reason, _ in batches} == set(nightly.CHANGES)
    for _, batch_id in batches:
        curation.undo_batch(batch_id, owner=alice.pk, actor="person")
    assert state(alice) == before


def test_restored_memory_is_not_forgotten_again_the_next_night(alice: User) -> None:
    memory = _after(stored(alice, days=900))
    with time_machine.travel(NOW + timedelta(hours=9)):
        curation.restore_memories([memory.pk], owner=alice.pk, actor="person")
    nightly.run_nightly(NOW + timedelta(days=1))
    memory.refresh_from_db()
    assert memory.status == "active"


def test_restored_memory_fades_from_then_on(alice: User) -> None:
    memory = _after(stored(alice, days=900))
    with time_machine.travel(NOW):
        curation.restore_memories([memory.pk], owner=alice.pk, actor="person")
    nightly.run_nightly(NOW + timedelta(days=400))
    memory.refresh_from_db()
    assert memory.forgotten_by == "law"


def test_what_the_law_let_go_comes_back_when_it_is_said_again(alice: User) -> None:
    candidate = Candidate("The bicycle is red.")
    write_candidates([candidate], owner=alice.pk, actor="test")
    nightly.run_nightly(timezone.now() + timedelta(days=900))
    (outcome,) = write_candidates([candidate], owner=alice.pk, actor="test").outcomes
    assert outcome.action == "restored"


def test_run_cut_off_between_owners_is_finished_by_the_next(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    for owner in (alice, bob):
        _many(owner, 100)
    whole = nightly.apply_verdict
    calls = []

    def dies(*args: Any) -> SweepResult:
        calls.append(args)
        if len(calls) == 4:
            raise KeyboardInterrupt
        return whole(*args)

    monkeypatch.setattr(nightly, "apply_verdict", dies)
    with pytest.raises(KeyboardInterrupt):
        nightly.run_nightly(NOW)
    monkeypatch.undo()
    nightly.run_nightly(NOW)
    assert nightly.find_due(NOW) == []
    assert {_outcome(row) == "law" for row in Memory.objects.filter(owner=bob)} == {True, False}


def test_one_owners_failure_does_not_keep_others(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    memories = [stored(owner, days=900) for owner in (alice, bob)]
    whole = nightly.apply_verdict

    def fails_once(due: nightly.DueVerdict, now: Any) -> SweepResult:
        if due.owner == min(alice.pk, bob.pk):
            raise RuntimeError("no")
        return whole(due, now)

    monkeypatch.setattr(nightly, "apply_verdict", fails_once)
    with pytest.raises(RuntimeError):
        nightly.run_nightly(NOW)
    statuses = set(Memory.objects.filter(pk__in=[m.pk for m in memories]).values_list("status", flat=True))
    assert statuses == {"active", "forgotten"}


def test_memory_changed_since_it_was_found_is_asked_about_again(alice: User) -> None:
    memory = stored(alice, days=900)
    (due,) = nightly.find_due(NOW)
    Memory.objects.filter(pk=memory.pk).update(pinned=True)
    assert nightly.apply_verdict(due, NOW).count == 0


def test_due_of_one_owner_touches_nobody_elses_rows(alice: User, bob: User) -> None:
    memory = stored(alice, days=900)
    due = nightly.DueVerdict(bob.pk, "law", [memory.pk])
    assert nightly.apply_verdict(due, NOW).count == 0
    memory.refresh_from_db()
    assert memory.status == "active"
