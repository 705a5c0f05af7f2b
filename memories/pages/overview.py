"""Return the overview's part about a person's memories."""

from __future__ import annotations

from typing import Final
from uuid import UUID

from memories.pages.asked import LEARNT, STATES
from memories.pages.cards import cards
from memories.storage import MemoryFilter, counts_by, list_memories
from memsite.accounts.preferences import preferences_of
from memsite.web.overview import Part

_NEWEST: Final = 5


def part(*, owner: UUID) -> Part:
    """Return counts by layer and the newest learnt memories, or the newest of all if none is learnt."""
    layers, states = counts_by("layer", owner=owner), counts_by("status", owner=owner)
    learnt = LEARNT if any(layers.get(layer) for layer in LEARNT) else ()
    newest = list_memories(MemoryFilter(status=STATES["standing"], layer=learnt), owner=owner)
    facts = {
        "layers": layers,
        "pending": states.get("pending", 0),
        "disputed": states.get("disputed", 0),
        "newest": cards(list(newest.order_by("-created_at", "-id")[:_NEWEST]), owner=owner),
        "preferences": preferences_of(owner),
        "is_empty": not states,
    }
    return Part("memories/_overview.html", facts, is_empty=not states)
