"""Derive fingerprint, slot and graph rows again for a memory whose identity or names changed."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any
from uuid import UUID

from memories.curation.rewording.fields import IDENTITY
from memories.models import Memory
from memories.storage import WriteBatch, find_last_turns, graph_index
from memories.values import Layer
from memories.writing import ConflictRuling, conflicts, drafting, load_believed


def get_next_turn(memory: Memory, values: Mapping[str, Any], *, owner: UUID) -> dict[str, Any]:
    """Return the turn of an episode that moves to another session: the last one there."""
    session = values.get("session", memory.session)
    if memory.layer != Layer.EPISODIC or session == memory.session:
        return {}
    return {"turn": find_last_turns([session], owner=owner).get(session, 0) + 1}


def reidentify(memories: Sequence[Memory], fields: Collection[str], batch: WriteBatch) -> None:
    """Derive what depends on these changed fields. Does nothing if none of them matters."""
    if not IDENTITY.intersection(fields):
        return
    names = drafting.load_names(batch.owner)
    for memory in memories:
        batch.derive(
            memory,
            fingerprint=drafting.compute_row_fingerprint(memory),
            slot=drafting.compute_slot_digest(memory, names),
        )
    if {"subject", "predicate", "object", "participants"}.intersection(fields):
        batch.run_afterwards(lambda: graph_index.reindex_memories(memories, owner=batch.owner))


def apply_conflicts(memory: Memory, batch: WriteBatch, *, ruled: Collection[UUID] = ()) -> ConflictRuling:
    """Compare a memory that became active, or says something else, with the other memories of its slot.

    `ruled` are rows whose relation to the memory is decided already.
    """
    ruling = conflicts.NOTHING
    if memory.slot and memory.is_active:
        slots = load_believed([memory], owner=batch.owner)
        kept = batch.load_current([row.pk for rows in slots.values() for row in rows])
        current = [kept[row.pk] for rows in slots.values() for row in rows if row.pk not in ruled]
        same = [row for row in current if row.slot == memory.slot]
        ruling = conflicts.decide_conflicts(
            memory, same, affected=[row for row in current if row.slot != memory.slot]
        )
        conflicts.apply_ruling(ruling, memory, batch)
    return ruling
