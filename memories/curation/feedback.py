"""Adjust the importance of a memory by a person's feedback on its citations, within bounds."""

from __future__ import annotations

from typing import Final
from uuid import UUID

from memories.curation.change_result import ChangeResult
from memories.models import EventType
from memories.storage import get_memory, open_batch

#: The largest share of its base importance by which feedback raises or lowers a memory's importance.
#: Importance is one of the priors of recall, which order nearly equal memories and never outweigh relevance.
MOST_SHARE: Final = 0.5
#: A prior of two neutral judgements: one judgement changes the importance by a sixth, not by half.
_PRIOR: Final = 2


def weigh_feedback(memory_id: UUID, *, useful: int, useless: int, owner: UUID, actor: str) -> ChangeResult:
    """Set importance = base · (1 + ½ · (useful − useless) / (useful + useless + 2)).

    Args:
        memory_id: The memory that was judged.
        useful: The number of its citations marked as useful.
        useless: The number marked as not useful.
        owner: The owner of the memory.
        actor: Who judged.

    Raises:
        NotFound: If the owner has no such memory.
    """
    share = MOST_SHARE * (useful - useless) / (useful + useless + _PRIOR)
    with open_batch(owner=owner, actor=actor, reason="judged in a context") as batch:
        memory = get_memory(memory_id, owner=owner)
        weighed = round(min(1.0, memory.base_importance * (1 + share)), 4)
        batch.change(memory, EventType.UPDATED, importance=weighed)
    return ChangeResult((memory,), batch.batch_id)
