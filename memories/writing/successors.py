"""Build the memory that replaces others when their texts become one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from memories.models import Memory
from memories.storage import Draft, load_sources
from memories.text import find_requirement, follow_tags, normalise
from memories.values import LIFESPANS, AbstractionLevel, Candidate, Kind, Layer, Lifespan, Writer
from memories.writing import drafting
from memsite.errors import RefusedByGate

#: The maximum length of a merged text, in characters.
LONGEST: Final = 2000


def build_successor(
    memories: Sequence[Memory],
    content: str,
    *,
    owner: UUID,
    now: datetime,
    written_by: Writer,
    sources: Sequence[str] = (),
) -> Draft:
    """Return a draft with the text `content` that replaces these memories.

    The first memory is the leading one. Importance and confidence are the maximum, the period is the widest,
    lists are united and uses are summed. A triple is kept only if the new text still names its object. The
    draft has no embedding yet.

    Args:
        memories: The memories to replace; the first leads.
        content: The text of the successor.
        owner: The owner of the memories.
        now: The time of creation.
        written_by: The writer of the successor.
        sources: Sources of memories that are not stored yet.

    Raises:
        RefusedByGate: If the gate refuses the text.
    """
    made = drafting.make_draft(
        _candidate(memories, content, written_by), owner=owner, now=now, user_names=drafting.load_names(owner)
    )
    if not isinstance(made, Draft):
        raise RefusedByGate(made.reason)
    first = memories[0]
    made.memory.turn = first.turn
    made.memory.pinned = any(memory.pinned for memory in memories)
    made.memory.base_importance = max(memory.base_importance for memory in memories)
    made.memory.access_count = sum(memory.access_count for memory in memories)
    made.memory.last_accessed_at = _latest(memory.last_accessed_at for memory in memories)
    made.memory.restated_at = _latest(memory.last_stated_at for memory in memories)
    made.memory.occurrence_count = sum(memory.occurrence_count for memory in memories)
    stored = load_sources([memory.pk for memory in memories], owner=owner)
    references = [reference for memory in memories for reference in stored.get(memory.pk, ())]
    made.sources = tuple(dict.fromkeys((*references, *sources)))
    return made


def _candidate(memories: Sequence[Memory], content: str, written_by: Writer) -> Candidate:
    first = memories[0]
    stating = next(
        (one for one in memories if one.object and normalise(one.object) in normalise(content)), None
    )
    subject = stating.subject if stating else first.subject
    participants = _union(memory.participants for memory in memories)
    return Candidate(
        content=content,
        layer=Layer(first.layer),
        kind=Kind(first.kind),
        category=_first(memory.category for memory in memories),
        tags=_list_tags(memories, content, subject=subject),
        participants=participants,
        importance=max(memory.importance for memory in memories),
        confidence=max(memory.confidence for memory in memories),
        lifespan=min((Lifespan(memory.lifespan) for memory in memories), key=LIFESPANS.index),
        subject=subject,
        predicate=stating.predicate if stating else "",
        object=stating.object if stating else "",
        single_valued=stating.single_valued if stating else False,
        entities=participants,
        speaker=_first(memory.speaker for memory in memories),
        session=first.session,
        occurred_at=_latest(memory.occurred_at for memory in memories),
        valid_from=_bound(min, [memory.valid_from for memory in memories]),
        valid_until=_bound(max, [memory.valid_until for memory in memories], whole=True),
        sensitive=any(memory.sensitive for memory in memories),
        strength=max((one.strength for one in memories if one.strength is not None), default=None),
        abstraction_level=AbstractionLevel(_first(memory.abstraction_level for memory in memories)),
        written_by=written_by,
        metadata={key: value for memory in reversed(memories) for key, value in memory.metadata.items()},
    )


def _list_tags(memories: Sequence[Memory], content: str, *, subject: str) -> tuple[str, ...]:
    """Return the tags of all, with those of requirements as the new text earns them."""
    tags = _union(memory.tags for memory in memories)
    before = [find_requirement(one.content, subject=one.subject, kind=one.kind) for one in memories]
    after = find_requirement(content, subject=subject, kind=memories[0].kind)
    return tuple(follow_tags(tags, {tag for tag in before if tag is not None}, after))


def _union(lists: Iterable[Sequence[str]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(value for values in lists for value in values))


def _first(values: Iterable[str]) -> str:
    return next((value for value in values if value), "")


def _latest(moments: Iterable[datetime | None]) -> datetime | None:
    return max((moment for moment in moments if moment is not None), default=None)


def _bound(
    choose: Callable[[list[datetime]], datetime], moments: Sequence[datetime | None], *, whole: bool = False
) -> Any:  # noqa: ANN401 - a moment or None
    """Return the first or last of the moments. If `whole` is set, return None when any of them is open."""
    bounds = [moment for moment in moments if moment is not None]
    return choose(bounds) if bounds and (len(bounds) == len(moments) or not whole) else None
