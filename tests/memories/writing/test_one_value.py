"""Who may say that a slot takes one value: our list, a person and a program; a model only proposes it."""

from __future__ import annotations

from typing import Any

from memories.extraction.extract import extract
from memories.models import Memory
from memories.values import Candidate
from memories.writing.pipeline import write_candidates
from memsite.accounts.models import User
from tests.memories.extraction.windowed import Scripted, item, window

TALK = ("I prefer dark themes in my editor.", "Noted.")
PREFERS: dict[str, Any] = {"kind": "preference", "subject": "user", "predicate": "prefers"}
MODEL_SAYS = item(
    "The user prefers dark themes.",
    kind="preference",
    predicate="prefers",
    object="dark themes",
    single_valued=True,
)


def _stated(user: User, *things: str, **fields: Any) -> None:
    told = [Candidate(f"The user prefers {thing}.", object=thing, **PREFERS, **fields) for thing in things]
    write_candidates(told, owner=user.pk, actor="test")


def _learnt(user: User, proposed: dict[str, Any] = MODEL_SAYS) -> str:
    extraction = extract(window(*TALK), Scripted([proposed]))
    assert extraction.source == "llm"
    return write_candidates(extraction.candidates, owner=user.pk, actor="test").outcomes[0].action


def _statuses(user: User) -> dict[str, str]:
    return dict(Memory.objects.filter(owner=user).values_list("object", "status"))


def test_models_word_ends_no_unrelated_preference(alice: User) -> None:
    _stated(alice, "tea", "short answers", "Vim")
    assert _learnt(alice) == "created"
    assert set(_statuses(alice).values()) == {"active"}


def test_models_word_disputes_the_only_other_value(alice: User) -> None:
    _stated(alice, "light themes")
    assert _learnt(alice) == "disputed"
    assert set(_statuses(alice).values()) == {"disputed"}


def test_programs_word_makes_the_slot_take_one_value(alice: User) -> None:
    _stated(alice, "tea", "short answers", single_valued=True)
    assert _statuses(alice) == {"tea": "deprecated", "short answers": "active"}


def test_what_follows_a_models_word_ends_nothing(alice: User) -> None:
    _learnt(alice)
    _stated(alice, "tea")
    assert _statuses(alice) == {"dark themes": "active", "tea": "active"}
