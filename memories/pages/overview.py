"""Return the overview's part about a person's memories."""

from __future__ import annotations

from typing import Final
from uuid import UUID

from memories.pages.cards import load_cards
from memories.pages.first_memory import StatementForm
from memories.pages.listing.list_query import LEARNT, STATES
from memories.storage import MemoryFilter, count_by, list_memories
from memories.values import Status
from memsite.accounts.preferences import get_preferences
from memsite.web.overview import OverviewPart

_NEWEST: Final = 5


def load_overview_part(*, owner: UUID) -> OverviewPart:
    """Return counts by layer and the newest learnt memories, or the newest of all if none is learnt."""
    layers, states = count_by("layer", owner=owner), count_by("status", owner=owner)
    learnt = LEARNT if any(layers.get(layer) for layer in LEARNT) else ()
    newest = list_memories(MemoryFilter(status=STATES["standing"], layer=learnt), owner=owner)
    facts = {
        "layers": layers,
        "pending": states.get(Status.PENDING, 0),
        "disputed": states.get(Status.DISPUTED, 0),
        "newest": load_cards(list(newest.order_by("-created_at", "-id")[:_NEWEST]), owner=owner),
        "preferences": get_preferences(owner),
        "is_empty": not states,
        "form": StatementForm(),
    }
    return OverviewPart("memories/_overview.html", facts, is_empty=not states)
