"""Whom a memory is about is part of what it is."""

from __future__ import annotations

from typing import Any

import pytest

from memories import curation
from memories.models import Memory
from memories.values import Candidate
from memories.writing.pipeline import WriteOutcome, write_candidates
from memsite.accounts.models import User
from memsite.errors import Conflict

BORN = "Was born in Marseille"


def _say(user: User, content: str, subject: str = "", **fields: Any) -> WriteOutcome:
    candidate = Candidate(content, subject=subject, **fields)
    return write_candidates([candidate], owner=user.pk, actor="test").outcomes[0]


def _memory(outcome: WriteOutcome) -> Memory:
    assert outcome.memory is not None
    return outcome.memory


def test_same_words_about_another_are_another_memory(alice: User) -> None:
    own = _memory(_say(alice, BORN, "user", predicate="born in", object="Marseille"))
    annas = _say(alice, BORN, "Anna", predicate="born in", object="Marseille")
    assert (annas.action, _memory(annas).subject) == ("created", "Anna")
    own.refresh_from_db()
    assert own.occurrence_count == 1


def test_same_words_in_another_case_about_another_are_another_memory(alice: User) -> None:
    _say(alice, "I was born in Marseille.", "user")
    assert _say(alice, "was born in marseille!", "Anna").action == "created"


def test_same_words_about_the_same_one_are_one(alice: User) -> None:
    first = _memory(_say(alice, BORN, "Anna"))
    again = _say(alice, "was born in Marseille.", "anna")
    assert (again.action, _memory(again).pk) == ("strengthened", first.pk)


@pytest.mark.parametrize("subject", ["", "user", "Anna", "anna"])
def test_text_that_names_its_subject_is_one_however_it_is_labelled(subject: str, alice: User) -> None:
    _say(alice, "Anna was born in Marseille.", "Anna")
    assert _say(alice, "Anna was born in Marseille.", subject).action == "strengthened"


def test_one_message_may_say_the_same_of_two(alice: User) -> None:
    told = [Candidate(BORN, subject=who, sources=("message:1",)) for who in ("user", "Anna")]
    written = write_candidates(told, owner=alice.pk, actor="test")
    assert [outcome.action for outcome in written.outcomes] == ["created", "created"]


def test_memories_about_two_are_not_merged(alice: User) -> None:
    both = [_memory(_say(alice, BORN, who)).pk for who in ("user", "Anna")]
    with pytest.raises(Conflict) as refused:
        curation.merge_memories(both, owner=alice.pk, actor="test")
    assert isinstance(refused.value.detail, dict)
    assert "subject" in refused.value.detail["differences"]
