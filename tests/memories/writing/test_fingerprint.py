"""What becomes of a thing said again: while it stands, after it ended, after it was forgotten or erased."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import time_machine
from django.utils import timezone

from memories import curation
from memories.curation import erasing
from memories.models import Memory
from memories.values import Candidate, Status
from memories.writing.pipeline import WriteOutcome, write_candidates
from memsite.accounts.models import User

BEES = "Alice keeps bees."


def _say(user: User, content: str = BEES, **fields: Any) -> WriteOutcome:
    return write_candidates([Candidate(content, **fields)], owner=user.pk, actor="test").outcomes[0]


def _memory(outcome: WriteOutcome) -> Memory:
    assert outcome.memory is not None
    return outcome.memory


def _forgotten_by_the_law(memory: Memory, **values: Any) -> None:
    Memory.objects.filter(owner=memory.owner, pk=memory.pk).update(
        status=Status.FORGOTTEN, forgotten_at=timezone.now(), forgotten_by="law", **values
    )


def test_said_again_while_it_stands_counts_and_makes_surer(alice: User) -> None:
    first = _memory(_say(alice, confidence=0.7))
    again = _say(alice)
    assert (again.action, _memory(again).pk) == ("strengthened", first.pk)
    assert (_memory(again).occurrence_count, _memory(again).confidence > 0.7) == (2, True)


def test_said_again_after_the_law_forgot_it_is_restored(alice: User) -> None:
    first = _memory(_say(alice))
    _forgotten_by_the_law(first)
    again = _say(alice)
    assert (again.action, _memory(again).pk, _memory(again).status) == ("restored", first.pk, "active")


def test_what_had_ended_before_the_law_forgot_it_begins_anew(alice: User) -> None:
    first = _memory(_say(alice))
    _forgotten_by_the_law(first, ended_at=timezone.now(), valid_until=timezone.now())
    again = _say(alice)
    assert (again.action, _memory(again).pk != first.pk) == ("created", True)


def test_forgotten_address_begins_anew_when_she_lives_elsewhere(alice: User) -> None:
    where = {"subject": "user", "predicate": "lives in"}
    berlin = _memory(_say(alice, "The user lives in Berlin.", object="Berlin", **where))
    _forgotten_by_the_law(berlin)
    paris = _memory(_say(alice, "The user lives in Paris.", object="Paris", **where))
    back = _say(alice, "The user lives in Berlin.", object="Berlin", **where)
    assert (back.action, _memory(back).pk != berlin.pk) == ("superseded", True)
    assert Memory.objects.get(owner=alice, pk=paris.pk).status == Status.DEPRECATED


def test_what_a_person_forgot_is_not_learnt_again_from_the_same_message(alice: User) -> None:
    first = _memory(_say(alice, sources=("message:1",)))
    curation.forget_memories([first.pk], owner=alice.pk, actor="person")
    assert _say(alice, sources=("message:1",)).action == "known"
    assert _say(alice, sources=("message:2",)).action == "pending"


def test_same_message_in_other_words_teaches_once(alice: User) -> None:
    _say(alice, "Alice keeps bees.", sources=("message:1",))
    other: dict[str, Any] = {"content": "alice keeps BEES", "sources": ("message:2",)}
    assert _say(alice, **other).action == "strengthened"
    assert _say(alice, **other).action == "known"
    assert Memory.objects.get(owner=alice).occurrence_count == 2


def test_erased_thing_is_not_learnt_again_from_its_message(alice: User) -> None:
    first = _memory(_say(alice, sources=("message:1",)))
    erasing.erase_memory(first.pk, owner=alice.pk, actor="person")
    assert _say(alice, sources=("message:1",)).action == "refused"


def test_said_again_after_its_end_has_come_is_a_new_row(alice: User) -> None:
    with time_machine.travel("2026-01-01T00:00:00Z", tick=False):
        first = _memory(_say(alice, valid_until=datetime(2026, 2, 1, tzinfo=UTC)))
    with time_machine.travel("2026-03-01T00:00:00Z", tick=False):
        again = _say(alice)
    assert (again.action, _memory(again).pk != first.pk) == ("created", True)
    assert Memory.objects.get(owner=alice, pk=first.pk).status == Status.DEPRECATED


def test_late_word_of_an_ended_period_strengthens_it(alice: User) -> None:
    where = {"subject": "user", "predicate": "lives in"}
    day = [datetime(2025, month, 1, tzinfo=UTC) for month in range(1, 5)]
    old = _memory(_say(alice, "The user lives in Berlin.", object="Berlin", valid_from=day[0], **where))
    _say(alice, "The user lives in Paris.", object="Paris", valid_from=day[3], **where)
    late = _say(alice, "The user lives in Berlin.", object="Berlin", valid_from=day[1], **where)
    assert (late.action, _memory(late).pk) == ("strengthened", old.pk)
