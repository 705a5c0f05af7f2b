"""Memories as lists show them: with the place they come from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from memories import ports
from memories.models import Memory
from memories.storage import sources_of


@dataclass(frozen=True, slots=True)
class Card:
    """One memory in a list. place: the page of the first of its sources that has one, or "".

    on_left_branch: recall leaves it out, for it was learnt on a branch that was left.
    """

    memory: Memory
    place: str
    on_left_branch: bool = False


def cards(memories: Sequence[Memory], *, owner: UUID) -> list[Card]:
    """The memories with their places, in their order; the same few queries at any number."""
    references = sources_of([memory.pk for memory in memories], owner=owner)
    every = sorted({reference for found in references.values() for reference in found})
    urls = {source.reference: source.url for source in ports.sources(every, owner=owner)} if every else {}
    left = ports.hidden(None, owner=owner) if memories else frozenset()
    return [
        Card(
            memory,
            next((urls[one] for one in references.get(memory.pk, []) if urls.get(one)), ""),
            memory.pk in left,
        )
        for memory in memories
    ]
