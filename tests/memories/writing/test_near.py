"""Near ones: those of the owner, layer and kind that stand, by the database and by the product alike."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest
from django.utils import timezone

from memories import curation
from memories.conf import WRITING
from memories.storage.store import Draft
from memories.values import Candidate
from memories.writing import drafting, similar
from memories.writing.pipeline import write_candidates
from memories.writing.similar import find_similar
from memsite.accounts.models import User

BEES = "Alice keeps bees in her garden."
LIKE = "Alice keeps bees in the garden."


def _store(user: User, content: str = BEES, **fields: Any) -> UUID:
    memory = write_candidates([Candidate(content, **fields)], owner=user.pk, actor="test").outcomes[0].memory
    assert memory is not None
    return memory.pk


def _draft(user: User, content: str = LIKE, **fields: Any) -> Draft:
    draft = drafting.make_draft(Candidate(content, **fields), owner=user.pk, now=timezone.now())
    assert isinstance(draft, Draft)
    drafting.embed_drafts([draft])
    return draft


def _near(user: User, *drafts: Draft) -> list[list[UUID]]:
    return [
        [one.memory.pk for one in found]
        for found in find_similar(drafts, owner=user.pk, least=WRITING.similar)
    ]


@pytest.fixture(params=[0, 8], ids=["product", "database"])
def either_way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(similar, "FEW", request.param)


@pytest.mark.usefixtures("either_way")
def test_like_one_is_found_and_unlike_one_is_not(alice: User) -> None:
    bees = _store(alice)
    _store(alice, "The staging database listens on port 5433.")
    assert _near(alice, _draft(alice)) == [[bees]]


@pytest.mark.usefixtures("either_way")
def test_nearest_comes_first(alice: User) -> None:
    further = _store(alice, "Alice keeps some bees in her small garden.")
    nearest = _store(alice)
    assert _near(alice, _draft(alice)) == [[nearest, further]]


@pytest.mark.usefixtures("either_way")
def test_other_kinds_layers_and_owners_are_never_near(alice: User, bob: User) -> None:
    _store(bob)
    _store(alice, kind="lesson")
    _store(alice, layer="episodic", kind="conversation")
    _store(alice, layer="procedural", kind="habit")
    assert _near(alice, _draft(alice)) == [[]]


@pytest.mark.usefixtures("either_way")
def test_forgotten_one_is_not_near(alice: User) -> None:
    curation.forget_memories([_store(alice)], owner=alice.pk, actor="person")
    assert _near(alice, _draft(alice)) == [[]]


def test_earlier_drafts_of_a_batch_are_near_to_later_ones(alice: User) -> None:
    first, second = _draft(alice, BEES), _draft(alice)
    assert _near(alice, first, second) == [[], [first.memory.pk]]


def test_without_a_model_the_same_words_are_near_and_nothing_less_alike(alice: User) -> None:
    bees = _store(alice)
    worded, alike = _draft(alice, "Alice keeps the bees in her garden"), _draft(alice)
    again = _draft(alice, "Alice keeps bees in her garden!")
    found = find_similar([worded, alike, again], owner=alice.pk)
    assert [[one.memory.pk for one in near] for near in found] == [[bees], [], [bees, worded.memory.pk]]


def test_what_is_said_again_in_the_same_words_strengthens(alice: User) -> None:
    _store(alice, "I like green tea.")
    said = [Candidate("The user likes green tea."), Candidate("I've a dog named Rex.")]
    written = write_candidates(said, owner=alice.pk, actor="test")
    assert [outcome.action for outcome in written.outcomes] == ["strengthened", "created"]


def test_episode_has_no_near_ones_and_costs_no_query(
    alice: User, django_assert_num_queries: pytest.FixtureRequest
) -> None:
    episode = _draft(alice, layer="episodic", kind="conversation")
    with django_assert_num_queries(0):  # type: ignore[operator]  # pytest-django's own type is private
        assert _near(alice, episode) == [[]]


def test_same_of_the_same_slot_is_near_however_it_is_worded(alice: User) -> None:
    triple = {"subject": "user", "predicate": "lives in", "object": "Berlin"}
    first = _store(alice, "Since the spring she has had a flat on the Spree.", **triple)
    assert _near(alice, _draft(alice, "Berlin is home now.", **triple)) == [[first]]
