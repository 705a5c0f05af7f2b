"""What is said again, or is said by a person to be true, is not outdated by what was said before."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from memories import curation
from memories.maintenance.reports import mark_as_distinct
from memories.models import Memory
from memories.values import Candidate, Status, Writer
from memories.writing import write_candidates
from memsite.accounts.models import User
from tests.memories.sentences.outdating import BESIDE, NEW, OLD, remember, search

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("slow_but_sure")]

#: Each may make the other outdated.
FIRST, SECOND = "My desk phone is extension 12.", "My desk phone is extension 90 now."


def lost(owner: User, text: str, question: str = "Where do I work?", **fields: Any) -> float:
    """Return how much relevance a statement loses because it is outdated."""
    hits = search(owner, question, **fields).hits
    return next(hit.breakdown["outdated"] for hit in hits if hit.memory.content == text)


def key(text: str) -> Any:
    return Memory.objects.get(content=text).pk


@pytest.mark.parametrize("act", ["confirm", "both are right"])
def test_statement_that_a_person_says_is_true_is_no_longer_outdated(alice: User, act: str) -> None:
    remember(alice, [OLD, *BESIDE, NEW])
    assert lost(alice, OLD) > 0
    if act == "confirm":
        curation.confirm_memories([key(OLD)], owner=alice.pk, actor="person")
    else:
        mark_as_distinct([key(OLD), key(NEW)], owner=alice.pk, actor="person", true_now=True)
    assert (lost(alice, OLD), lost(alice, NEW)) == (0, 0)


def test_confirmation_sets_the_given_confidence(alice: User) -> None:
    remember(alice, [OLD])
    curation.confirm_memories([key(OLD)], owner=alice.pk, actor="person", confidence=1.0)
    confirmed = Memory.objects.get(content=OLD)
    assert (confirmed.confidence, confirmed.restated_at) == (1.0, confirmed.updated_at)


def test_correction_is_as_new_as_the_moment_in_which_a_person_wrote_it(alice: User) -> None:
    remember(alice, ["My desk phone is extension 21.", *BESIDE, SECOND])
    assert lost(alice, "My desk phone is extension 21.", "What is my desk phone?") > 0
    curation.rewrite_memory(key("My desk phone is extension 21."), FIRST, owner=alice.pk, actor="person")
    remember(alice, [])
    assert lost(alice, FIRST, "What is my desk phone?") == 0


def test_restoring_or_keeping_apart_says_nothing_of_what_is_true_now(alice: User) -> None:
    remember(alice, [OLD, *BESIDE, NEW])
    curation.forget_memories([key(OLD)], owner=alice.pk, actor="person")
    curation.restore_memories([key(OLD)], owner=alice.pk, actor="person")
    mark_as_distinct([key(OLD), key(BESIDE[0])], owner=alice.pk, actor="person")
    assert lost(alice, OLD) > 0


def test_confirmed_fact_is_not_outdated_with_another_of_its_message(alice: User) -> None:
    told = datetime(2025, 1, 5, tzinfo=UTC)
    beside = "I am the accountant of a shipyard in Turku."
    facts = [Candidate(content=text, occurred_at=told, sources=("message:1",)) for text in (OLD, beside)]
    write_candidates(facts, owner=alice.pk, actor="test")
    remember(alice, [BESIDE[0], NEW])
    assert (lost(alice, OLD) > 0, lost(alice, beside) > 0) == (True, True)
    curation.confirm_memories([key(OLD)], owner=alice.pk, actor="person")
    assert (lost(alice, OLD) > 0, lost(alice, beside) > 0) == (False, True)


@pytest.mark.parametrize("act", ["confirm", "forget and restore", "they stay separate"])
def test_act_on_one_memory_makes_no_other_outdated(alice: User, act: str) -> None:
    remember(alice, [FIRST, *BESIDE, SECOND])
    if act == "confirm":
        curation.confirm_memories([key(FIRST)], owner=alice.pk, actor="person")
    elif act == "forget and restore":
        curation.forget_memories([key(FIRST)], owner=alice.pk, actor="person")
        curation.restore_memories([key(FIRST)], owner=alice.pk, actor="person")
    else:
        mark_as_distinct([key(FIRST), key(BESIDE[0])], owner=alice.pk, actor="person")
    assert lost(alice, SECOND, "What is my desk phone?") == 0


def test_statement_said_again_after_the_newer_one_stands_beside_it(alice: User) -> None:
    remember(alice, [OLD, *BESIDE, NEW, OLD])
    assert (lost(alice, OLD), lost(alice, NEW)) == (0, 0)


def test_statement_said_again_before_the_newer_one_is_outdated(alice: User) -> None:
    remember(alice, [OLD, *BESIDE, OLD, NEW])
    assert lost(alice, OLD) > 0


def test_day_before_it_was_said_again_knows_nothing_of_that(alice: User) -> None:
    remember(alice, [OLD, NEW, OLD])
    assert lost(alice, OLD, as_of=datetime(2025, 2, 20, tzinfo=UTC)) > 0
    assert lost(alice, OLD, as_of=datetime(2025, 3, 20, tzinfo=UTC)) == 0


@pytest.mark.parametrize(
    ("fields", "asked"),
    [
        ({"written_by": Writer.REFLECTION}, {}),
        ({"confidence": 0.6}, {}),
        ({"written_by": Writer.PROGRAM}, {"pending": True}),
    ],
    ids=["reflected", "less sure", "waiting for approval"],
)
def test_repetition_that_is_no_statement_protects_nothing(
    alice: User, fields: dict[str, Any], asked: dict[str, Any]
) -> None:
    remember(alice, [OLD, *BESIDE, NEW])
    again = Candidate(content=OLD, sources=("memory:1",), **fields)
    write_candidates([again], owner=alice.pk, actor="test", **asked)
    assert Memory.objects.get(content=OLD).occurrence_count == 2
    assert lost(alice, OLD) > 0


def test_statement_forgotten_by_age_and_said_again_is_not_outdated(alice: User) -> None:
    remember(alice, [OLD, *BESIDE, NEW])
    forgotten = {"status": Status.FORGOTTEN, "forgotten_at": timezone.now(), "forgotten_by": "age"}
    Memory.objects.filter(content=OLD).update(**forgotten)
    again = Candidate(content=OLD, occurred_at=datetime(2025, 8, 1, tzinfo=UTC), sources=("message:9",))
    write_candidates([again], owner=alice.pk, actor="test")
    assert lost(alice, OLD) == 0


def test_repetition_of_the_future_counts_from_now_on(alice: User) -> None:
    remember(alice, [OLD, *BESIDE, NEW])
    again = Candidate(content=OLD, occurred_at=timezone.now() + timedelta(days=900), sources=("message:9",))
    write_candidates([again], owner=alice.pk, actor="test")
    assert lost(alice, OLD) == 0


@pytest.mark.parametrize("asked", [{"pending": True}, {}], ids=["waiting", "learnt"])
def test_earlier_statement_learnt_later_does_not_take_the_last_one_away(
    alice: User, asked: dict[str, Any]
) -> None:
    remember(alice, [*BESIDE, NEW, OLD])
    early = Candidate(content=OLD, occurred_at=datetime(2025, 1, 2, tzinfo=UTC), sources=("message:1",))
    write_candidates([early], owner=alice.pk, actor="test", **asked)
    assert Memory.objects.get(content=OLD).occurred_at == early.occurred_at
    assert lost(alice, OLD) == 0


def test_merged_memory_is_as_new_as_the_last_of_them(alice: User) -> None:
    remember(alice, [OLD, *BESIDE, NEW])
    both = "I do the accounts at a shipyard in Turku, in the afternoon."
    write_candidates([Candidate(content=both)], owner=alice.pk, actor="test")
    keys = [key(OLD), key(both)]
    merged = curation.merge_memories(keys, owner=alice.pk, actor="person", content=both + " Still.")
    assert merged.memories[0].last_stated_at > datetime(2026, 1, 1, tzinfo=UTC)
