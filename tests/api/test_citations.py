"""A person's word on a memory that stood in a context."""

from __future__ import annotations

from typing import Any

import pytest
from rest_framework.test import APIClient

from memories.curation import weigh_feedback
from memories.models import Memory
from memsite.accounts.models import User
from tests.api.test_threads import begin
from threads.models import Citation


@pytest.fixture
def cited(alice_api: APIClient) -> dict[str, Any]:
    """A citation of the one memory Alice has."""
    alice_api.post("/api/memories", {"content": "The user keeps bees behind the barn.", "importance": 0.6})
    thread = begin(alice_api)["id"]
    body = {"input": "Where does the user keep bees?", "max_tokens": 4000}
    citations = alice_api.post(f"/api/threads/{thread}/context", body).data["citations"]
    assert len(citations) == 1
    return dict(citations[0])


def _say(api: APIClient, cited: dict[str, Any], *, useful: bool | None) -> Any:
    return api.patch(f"/api/citations/{cited['id']}", {"useful": useful})


def test_word_is_kept_and_can_be_taken_back(alice_api: APIClient, cited: dict[str, Any]) -> None:
    assert _say(alice_api, cited, useful=True).data["useful"] is True
    assert Citation.objects.get().useful is True
    assert _say(alice_api, cited, useful=None).data["useful"] is None
    assert Memory.objects.get().importance == 0.6


@pytest.mark.parametrize(("useful", "importance"), [(True, 0.7), (False, 0.5)])
def test_word_moves_the_importance(
    alice_api: APIClient, cited: dict[str, Any], *, useful: bool, importance: float
) -> None:
    for _ in range(2):
        _say(alice_api, cited, useful=useful)
    assert Memory.objects.get().importance == pytest.approx(importance)


def test_many_words_move_it_by_half_at_most(alice: User, cited: dict[str, Any]) -> None:
    memory = Memory.objects.get()
    weigh_feedback(memory.pk, useful=0, useless=10_000, owner=alice.pk, actor="person")
    memory.refresh_from_db()
    assert 0.3 <= memory.importance < 0.31


def test_another_owners_citation_is_not_found(bob_api: APIClient, cited: dict[str, Any]) -> None:
    assert _say(bob_api, cited, useful=True).status_code == 404


@pytest.mark.parametrize("body", [{}, {"useful": "yes, very"}, {"useful": True, "note": "x"}])
def test_bad_word_is_refused(body: dict[str, Any], alice_api: APIClient, cited: dict[str, Any]) -> None:
    assert alice_api.patch(f"/api/citations/{cited['id']}", body).status_code == 400
