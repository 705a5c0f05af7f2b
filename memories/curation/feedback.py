"""What a person says of a memory that stood in a context weighs in later recall, within bounds."""

from __future__ import annotations

from typing import Final
from uuid import UUID

from memories.curation.changed import Changed
from memories.models import EventType
from memories.storage import get_memory, writing

#: By how much of its base importance judgements raise or lower a memory at most. Importance is one of the
#: priors of recall, which order near-equals and never outweigh relevance.
MOST_SHARE: Final = 0.5
#: Judgements that nobody gave count as much as two: one word moves a memory by a sixth, not by half.
_PRIOR: Final = 2


def weigh_feedback(memory_id: UUID, *, useful: int, useless: int, owner: UUID, actor: str) -> Changed:
    """Let judgements weigh: importance = base · (1 + ½ · (useful − useless) / (useful + useless + 2)).

    Args:
        memory_id: The memory that was judged.
        useful: Its citations that the person called useful.
        useless: Those called not useful.
        owner: Whose memory it is.
        actor: Who judged.

    Raises:
        NotFound: No such memory of this owner.
    """
    share = MOST_SHARE * (useful - useless) / (useful + useless + _PRIOR)
    with writing(owner=owner, actor=actor, reason="judged in a context") as batch:
        memory = get_memory(memory_id, owner=owner)
        weighed = round(min(1.0, memory.base_importance * (1 + share)), 4)
        batch.change(memory, EventType.UPDATED, importance=weighed)
    return Changed((memory,), batch.batch_id)
