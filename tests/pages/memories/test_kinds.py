"""Settings → Memory: kinds that are never learnt, and kinds that are kept without asking."""

from __future__ import annotations

import pytest
from django.test import Client

from memsite.accounts.models import User
from memsite.accounts.preferences import get_preferences, set_preferences
from tests.pages.memories.conftest import Wait

PAGE = "/settings/memory/"
SAVE = "/inbox/never/"


def shown(client: Client) -> str:
    return client.get(PAGE).content.decode()


def test_ticked_kinds_are_kept_and_shown(alice: User, alice_browser: Client) -> None:
    alice_browser.post(SAVE, {"kind": ["goal", "habit"]})
    assert get_preferences(alice.pk).refused_kinds == ["goal", "habit"]
    assert 'value="goal" id="refuse-goal" checked' in shown(alice_browser)
    alice_browser.post(SAVE)
    assert "checked" not in shown(alice_browser).partition("refuse-goal")[2]


@pytest.mark.parametrize("kind", ["nonsense", "conversation"])
def test_a_kind_that_is_not_learnt_cannot_be_refused(alice: User, alice_browser: Client, kind: str) -> None:
    assert alice_browser.post(SAVE, {"kind": [kind]}).status_code == 400
    assert get_preferences(alice.pk).refused_kinds == []


def test_a_refused_kind_is_no_longer_kept_without_asking(alice: User, alice_browser: Client) -> None:
    set_preferences(alice.pk, kept_kinds=["goal", "fact"])
    alice_browser.post(SAVE, {"kind": ["goal"]})
    assert get_preferences(alice.pk).kept_kinds == ["fact"]


def test_a_kind_that_is_kept_without_asking_is_no_longer_refused(
    alice: User, alice_browser: Client, pending: Wait
) -> None:
    pending(alice, "Wants to sail.", kind="goal")
    set_preferences(alice.pk, refused_kinds=["goal"])
    alice_browser.post("/inbox/always/", {"kind": "goal"})
    chosen = get_preferences(alice.pk)
    assert (chosen.kept_kinds, chosen.refused_kinds) == (["goal"], [])


def test_a_kind_kept_without_asking_is_listed_and_withdrawn(alice: User, alice_browser: Client) -> None:
    set_preferences(alice.pk, kept_kinds=["goal"])
    assert "Ask me again" in shown(alice_browser)
    response = alice_browser.post("/inbox/ask/", {"kind": "goal", "next": PAGE})
    assert response["Location"] == PAGE
    assert get_preferences(alice.pk).kept_kinds == []


def test_bobs_kinds_stay_as_they_are(alice: User, bob: User, alice_browser: Client) -> None:
    set_preferences(bob.pk, refused_kinds=["fact"])
    alice_browser.post(SAVE, {"kind": ["goal"]})
    assert get_preferences(bob.pk).refused_kinds == ["fact"]
