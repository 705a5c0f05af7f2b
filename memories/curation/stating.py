"""Remember what a person states about themselves, at once and without a model."""

from __future__ import annotations

from dataclasses import replace
from typing import Final
from uuid import UUID

from django.utils import timezone

from memories.extraction import Unstated, extract_by_rules, read_unstated
from memories.values import Candidate, Utterance, Writer
from memories.writing import WriteResult, write_candidates
from memsite.accounts.preferences import get_preferences
from memsite.errors import InvalidInput
from memsite.values import MessageRole

#: The most characters of a statement.
LONGEST_STATEMENT: Final = 2_000
_NOTHING_STATED: Final = {
    Unstated.QUESTION: "This only asks, so there is nothing to remember. Write a statement about yourself.",
    Unstated.SMALL_TALK: "This tells nothing about you. Write a statement about yourself.",
}


def remember_statement(text: str, *, owner: UUID, actor: str) -> WriteResult:
    """Write what the rules find in a statement, or, if they find nothing, the statement itself.

    Args:
        text: What the person wrote, at most LONGEST_STATEMENT characters.

    Raises:
        InvalidInput: If the owner's memory is off, or the text only asks, greets or tries the page out.
    """
    if not get_preferences(owner).memory_on:
        raise InvalidInput("Memory is switched off for this person.")
    unstated = read_unstated(text)
    if unstated is not None:
        raise InvalidInput(_NOTHING_STATED[unstated])
    utterance = Utterance(reference="statement", role=MessageRole.USER, content=text, at=timezone.now())
    found = [replace(one, sources=(), written_by=Writer.PERSON) for one in extract_by_rules([utterance])]
    as_it_is = Candidate(content=text, written_by=Writer.PERSON)
    return write_candidates(found or [as_it_is], owner=owner, actor=actor)
