"""Merge several memories into one that loses nothing."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from uuid import UUID

from django.utils import timezone

from memories.curation.change_result import ChangeResult, reject_duplicate_active
from memories.models import EventType, LinkKind, Memory
from memories.storage import WriteBatch, active_by_fingerprint, get_memories, open_batch
from memories.text import find_differences, get_unnamed_subject, join_texts
from memories.values import Layer, Status, Writer
from memories.writing import LONGEST, build_successor, conflicts, drafting
from memsite.errors import Conflict, InvalidInput

MERGED = "merged"


def merge_memories(
    memory_ids: Sequence[UUID],
    *,
    owner: UUID,
    actor: str,
    content: str | None = None,
    written_by: Writer = Writer.PERSON,
    batch_id: UUID | None = None,
) -> ChangeResult:
    """Write one successor that replaces two or more active memories of one layer and kind.

    The importance is the largest; the sources are those of all.

    Args:
        memory_ids: The memories; the first leads.
        owner: The owner.
        actor: Who merges.
        content: The text of the successor. Without it, the fullest text if it contains the others, or else
            all texts as lines, up to 2,000 characters.
        written_by: The writer of the successor.
        batch_id: The id of the batch; by default a new one.

    Raises:
        NotFound: If any is missing.
        InvalidInput: If there are fewer than two, or they are episodes or of different kinds.
        RefusedByGate: If the gate refuses the text.
        Conflict: If one is no longer active, if another memory says the same already, or if, without
            `content`, they differ in a way that forbids merging or are too long together.
    """
    seen = get_memories(memory_ids, owner=owner)
    _check_sorts(seen)
    text = content if content is not None else _whole(seen)
    draft = build_successor(seen, text, owner=owner, now=timezone.now(), written_by=written_by)
    drafting.embed_drafts([draft])
    with (
        reject_duplicate_active(),
        open_batch(owner=owner, actor=actor, reason=MERGED, batch_id=batch_id) as batch,
    ):
        memories = get_memories(memory_ids, owner=owner)
        _check_unmoved(memories, seen)
        key = bytes(draft.memory.fingerprint)
        other = active_by_fingerprint([key], owner=owner).get(key)
        if other is not None and other.pk not in {memory.pk for memory in memories}:
            raise Conflict("Another memory says this already.", {"id": str(other.pk)})
        disputed = [memory for memory in memories if memory.status == Status.DISPUTED]
        for memory in memories:
            batch.change(memory, EventType.UPDATED, status=Status.DEPRECATED, retired_at=batch.now)
        batch.insert(draft)
        _link_all(draft.memory, memories, batch)
        conflicts.settle_disputes(disputed, batch)
    return ChangeResult((draft.memory,), batch.batch_id)


def join_memories(memories: Sequence[Memory]) -> str:
    """Return the text that `merge_memories` would write of these without `content`.

    Raises:
        InvalidInput: As `merge_memories`.
        Conflict: If one is no longer active, or a person must write the text.
    """
    _check_sorts(memories)
    _check_unmoved(memories, memories)
    return _whole(memories)


def _link_all(whole: Memory, parts: Sequence[Memory], batch: WriteBatch) -> None:
    for part in parts:
        batch.link(whole, part.pk, LinkKind.SUPERSEDES, reason=MERGED)


def _check_sorts(memories: Sequence[Memory]) -> None:
    if len(memories) < 2:  # noqa: PLR2004 - one is no merge
        raise InvalidInput("A merge takes two memories or more.", {"ids": "too few"})
    if any(memory.layer == Layer.EPISODIC for memory in memories):
        raise InvalidInput("Episodes are never merged.", {"ids": "episodic"})
    if len({(memory.layer, memory.kind) for memory in memories}) > 1:
        raise InvalidInput("Memories of one layer and kind can be merged.", {"ids": "unlike"})


def _whole(memories: Sequence[Memory]) -> str:
    """Return the united text.

    Raises:
        Conflict: If a person must write it.
    """
    for one, other in combinations(memories, 2):
        differences = set(find_differences(one.content, other.content))
        if get_unnamed_subject(one.subject, one.content) != get_unnamed_subject(other.subject, other.content):
            differences.add("subject")
        if differences:
            raise Conflict(
                "These memories do not say the same; give the words of the whole.",
                {"ids": [str(one.pk), str(other.pk)], "differences": sorted(differences)},
            )
    text: str | None = memories[0].content
    for memory in memories[1:]:
        text = join_texts(text, memory.content) if text is not None else None
    if text is None or (len(text) > LONGEST and len(memories) > 1):
        raise Conflict("Together they are too long; give the words of the whole.", {"most": LONGEST})
    return text


def _check_unmoved(memories: Sequence[Memory], seen: Sequence[Memory]) -> None:
    for now, before in zip(memories, seen, strict=True):
        if not now.is_active:
            raise Conflict("A memory that is no longer active cannot be merged.", {"id": str(now.pk)})
        if now.updated_at != before.updated_at:
            raise Conflict("A memory has changed meanwhile; look at it again.", {"id": str(now.pk)})
