"""Prepare memories for lists, with the pages of their sources."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from memories import ports
from memories.models import Memory
from memories.storage import load_sources


@dataclass(frozen=True, slots=True)
class Card:
    """One memory in a list.

    Attributes:
        place: The page of the first source that has one, or empty.
        on_left_branch: Whether recall leaves it out because it was learnt on an abandoned branch.
    """

    memory: Memory
    place: str
    on_left_branch: bool = False


def load_cards(memories: Sequence[Memory], *, owner: UUID) -> list[Card]:
    """Return the memories as cards, in their order. The number of queries does not depend on their number."""
    references = load_sources([memory.pk for memory in memories], owner=owner)
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
