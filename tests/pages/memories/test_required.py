"""What every answer respects, in the memory settings."""

from __future__ import annotations

import pytest
from django.test import Client

from memories.values import Candidate, Kind
from memories.writing import write_candidates
from memsite.accounts.models import User

pytestmark = pytest.mark.django_db


def test_settings_list_what_every_answer_respects(alice: User, bob: User, alice_browser: Client) -> None:
    wish = Candidate(content="Please answer me in Welsh.", kind=Kind.PREFERENCE)
    write_candidates([wish, Candidate(content="I'm allergic to nuts.")], owner=alice.pk, actor="test")
    write_candidates([Candidate(content="I'm allergic to eggs.")], owner=bob.pk, actor="test")
    page = alice_browser.get("/settings/memory/").content.decode()
    assert "answer me in Welsh" in page
    assert "allergic to nuts" in page
    assert "eggs" not in page


def test_settings_explain_requirements_while_there_are_none(alice_browser: Client) -> None:
    page = alice_browser.get("/settings/memory/").content.decode()
    assert "<code>always</code>" in page


def test_settings_lead_to_the_requirements_of_each_tag(alice: User, alice_browser: Client) -> None:
    write_candidates([Candidate(content="I'm allergic to nuts.")], owner=alice.pk, actor="test")
    assert '<a href="/memories/?tag=diet">' in alice_browser.get("/settings/memory/").content.decode()
    assert "allergic to nuts" in alice_browser.get("/memories/?tag=diet").content.decode()


def test_settings_list_what_is_tagged_for_programming(alice: User, alice_browser: Client) -> None:
    tagged = [Candidate(content="I like small commits.", tags=("craft",))]
    write_candidates(tagged, owner=alice.pk, actor="test")
    page = alice_browser.get("/settings/memory/").content.decode()
    assert "small commits" in page
    assert "when it is about programming" in page
    assert '<a href="/memories/?tag=craft">' in page
