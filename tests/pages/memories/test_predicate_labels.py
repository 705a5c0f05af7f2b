"""Predicates in words: the pages translate those that the rules write."""

from __future__ import annotations

from itertools import chain

import pytest
from django.test import Client
from django.utils.translation import override

from memories.extraction.english.rules import RULES
from memories.extraction.english.states import STATES
from memories.models import Memory
from memories.models.predicate_labels import PREDICATE_LABELS, get_predicate_label
from memories.text import SAME
from memsite.accounts.models import User
from memsite.accounts.preferences import set_preferences
from tests.pages.conftest import Remember


@pytest.fixture
def home(alice: User, alice_browser: Client, remembered: Remember) -> Memory:
    """Alice reads Chinese; she lives in Berlin."""
    set_preferences(alice.pk, language="zh-hans")
    alice_browser.cookies["django_language"] = "zh-hans"
    return remembered(alice, "Alice lives in Berlin.", subject="Alice", predicate="lives_in", object="Berlin")


def test_every_predicate_of_the_english_rules_has_a_label() -> None:
    rules = (*STATES, *chain.from_iterable(RULES.values()))
    written = {name for rule in rules for name in (rule.predicate, rule.negated) if name}
    assert written - set(PREDICATE_LABELS) == set()


def test_a_predicate_without_a_label_is_shown_as_it_is_written() -> None:
    assert get_predicate_label("waters_the") == "waters the"


def test_the_same_as_is_a_label_too() -> None:
    with override("zh-hans"):
        assert get_predicate_label(SAME) == "就是"


@pytest.mark.usefixtures("home")
def test_the_timeline_translates_a_predicate(alice_browser: Client) -> None:
    page = alice_browser.get("/memories/timeline/").content.decode()
    assert "<bdi>住在</bdi>" in page
    assert "lives in</bdi>" not in page


def test_a_memory_translates_the_predicates_of_its_relations(alice_browser: Client, home: Memory) -> None:
    page = alice_browser.get(f"/memories/{home.pk}/").content.decode()
    assert '<span class="relation-word" dir="auto">住在</span>' in page
