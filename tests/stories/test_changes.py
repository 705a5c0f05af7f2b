"""What a person said, and what became of it: the prompt says what is so now."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from memories.curation import (
    confirm_memories,
    forget_memories,
    restore_memories,
    rewrite_memory,
)
from memories.curation.bulk import pin_many
from memories.curation.erasing import erase_memory
from memories.models import Memory
from memories.retrieval import SearchQuery, search_memories
from memories.values import Layer
from memsite.accounts.models import User
from tests.stories.conftest import Look, Tell

CHANGES = [
    ("I live in Berlin.", "I moved to Paris last month.", "Where do I live?", "Berlin", "Paris"),
    ("I work at Acme.", "I work at Globex now.", "Where do I work?", "Acme", "Globex"),
    ("I use Vue for my web apps.", "Actually, I use React now.", "Which framework do I use?", "Vue", "React"),
    ("我住在杭州。", "上个月搬到成都了。", "我现在住哪儿？", "杭州", "成都"),
    ("我在腾讯工作。", "我现在在华为工作。", "我在哪家公司上班？", "腾讯", "华为"),
]


@pytest.mark.parametrize(("first", "then", "question", "old", "new"), CHANGES)
def test_change_reaches_the_message_that_said_the_old(
    tell: Tell, look: Look, first: str, then: str, question: str, old: str, new: str
) -> None:
    tell("2025-08-03", first)
    tell("2025-11-12", then)
    prompt = look(question)
    assert new in prompt
    assert old not in prompt


def test_question_about_the_past_gets_the_old_message_with_its_date(tell: Tell, look: Look) -> None:
    tell("2025-08-03", "I live in Berlin.")
    tell("2025-11-12", "I moved to Paris.")
    assert "[2025-08-03" in look("Where did I live in August 2025?")
    assert "Berlin" in look("Where did I live in August 2025?")


def test_change_is_told_once_more_by_the_facts_of_one_message(tell: Tell, look: Look) -> None:
    tell("2025-08-03", "I live in Berlin and I play the cello.")
    tell("2025-11-12", "I moved to Paris.")
    assert "cello" in look("Which instrument do I play?")
    prompt = look("Where do I live?")
    assert "Paris" in prompt
    assert "Berlin" not in prompt


def test_message_of_a_forgotten_fact_is_not_told(alice: User, tell: Tell, look: Look) -> None:
    tell("2025-08-03", "I live in Berlin.")
    assert "Berlin" in look("Where do I live?")
    fact = Memory.objects.get(owner=alice, layer="semantic")
    forget_memories([fact.pk], owner=alice.pk, actor="person")
    assert "Berlin" not in look("Where do I live?")
    restore_memories([fact.pk], owner=alice.pk, actor="person")
    assert "Berlin" in look("Where do I live?")


def test_message_of_a_corrected_fact_is_not_told(tell: Tell, look: Look) -> None:
    chat = tell("2025-08-03", "I live in Berlin.")
    tell("2025-08-03", "No, I live in Potsdam.", thread=chat)
    prompt = look("Where do I live?")
    assert "Potsdam" in prompt
    assert "Berlin" not in prompt


def test_return_to_the_former_state_is_told(tell: Tell, look: Look) -> None:
    tell("2025-05-03", "I live in Berlin.")
    tell("2025-08-12", "I live in Paris now.")
    tell("2025-11-20", "I live in Berlin now.")
    prompt = look("Where do I live?")
    assert "Berlin" in prompt
    assert "Paris" not in prompt


def test_message_of_an_edited_fact_is_not_told(alice: User, tell: Tell, look: Look) -> None:
    tell("2025-08-03", "I live in Berlin.")
    fact = get_memory(alice, Layer.SEMANTIC)
    rewrite_memory(fact.pk, "I live in Potsdam.", owner=alice.pk, actor="person")
    prompt = look("Where do I live?")
    assert "Potsdam" in prompt
    assert "Berlin" not in prompt


def test_message_of_an_erased_fact_is_not_told(alice: User, tell: Tell, look: Look) -> None:
    tell("2025-08-03", "I live in Berlin.")
    tell("2025-09-03", "My cat is called Mimi.")
    erase_memory(get_memory(alice, Layer.SEMANTIC, "Berlin").pk, owner=alice.pk, actor="person")
    assert "Berlin" not in look("Where do I live?")
    assert "Mimi" in look("What is my cat called?")


def test_message_that_the_person_pinned_is_told_beside_the_change(
    alice: User, tell: Tell, look: Look
) -> None:
    tell("2025-08-03", "I live in Berlin.")
    tell("2025-11-12", "I moved to Paris.")
    pin_many([get_memory(alice, Layer.EPISODIC, "Berlin").pk], owner=alice.pk, actor="person", pinned=True)
    assert "Berlin" in look("Where do I live?")


def test_message_that_is_still_true_is_told_beside_the_change(alice: User, tell: Tell, look: Look) -> None:
    tell("2025-08-03", "I live in Berlin.")
    tell("2025-11-12", "I moved to Paris.")
    confirm_memories([get_memory(alice, Layer.EPISODIC, "Berlin").pk], owner=alice.pk, actor="person")
    assert "Berlin" in look("Where do I live?")


@pytest.mark.parametrize("question", ["Where do I live this year?", "Where do I live today?"])
def test_question_about_a_time_that_is_not_over_gets_what_is_so_now(
    tell: Tell, look: Look, question: str
) -> None:
    tell("2025-08-03", "I live in Berlin.")
    tell("2025-11-12", "I moved to Paris.")
    assert "Berlin" not in look(question)


VISITS = [
    ("I live in Vienna.", "I'm in Rome for two weeks to see my aunt.", "Where do I live?", "Vienna"),
    ("我住在武汉，离东湖不远。", "这两周我在北京出差，住在酒店。", "我住在哪里？", "武汉"),
]


@pytest.mark.parametrize(("first", "then", "question", "right"), VISITS)
def test_what_ends_nothing_hides_nothing(
    tell: Tell, look: Look, first: str, then: str, question: str, right: str
) -> None:
    tell("2025-08-03", first)
    tell("2025-11-12", then)
    assert right in look(question)


def get_memory(owner: User, layer: Layer, text: str = "") -> Memory:
    return Memory.objects.get(owner=owner, layer=layer, content__contains=text)


def test_past_tense_of_a_question_as_of_a_day_speaks_of_that_day(tell: Tell, alice: User) -> None:
    tell("2023-04-02", "I'm living in Porto.")
    tell("2023-11-11", "I've relocated to Ghent for the new contract.")
    tell("2025-01-20", "Back in Porto for good.")
    day = datetime(2024, 6, 6, tzinfo=UTC)
    found = search_memories(SearchQuery(query="Which city did I live in?", as_of=day), owner=alice.pk)
    assert all("Ghent" in hit.memory.content for hit in found.hits)
    before = search_memories(SearchQuery(query="Where did I live before?", as_of=day), owner=alice.pk)
    assert any("Porto" in hit.memory.content for hit in before.hits)
