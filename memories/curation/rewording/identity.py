"""A memory that became another one, or speaks of another thing: its fingerprint, slot and graph rows anew."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any
from uuid import UUID

from memories.curation.rewording.fields import IDENTITY
from memories.models import Memory
from memories.storage import Writing, graph_index, last_turns
from memories.values import EPISODIC
from memories.writing import Ruling, believed, conflicts, drafting


def next_turn(memory: Memory, values: Mapping[str, Any], *, owner: UUID) -> dict[str, Any]:
    """An episode that goes to another session comes last there."""
    session = values.get("session", memory.session)
    if memory.layer != EPISODIC or session == memory.session:
        return {}
    return {"turn": last_turns([session], owner=owner).get(session, 0) + 1}


def reidentify(memories: Sequence[Memory], fields: Collection[str], batch: Writing) -> None:
    """After a change of these fields: what follows from them. Costs nothing where none of them matters."""
    if not IDENTITY.intersection(fields):
        return
    names = drafting.names_of(batch.owner)
    for memory in memories:
        batch.derive(
            memory,
            fingerprint=drafting.fingerprint_of(memory),
            slot=drafting.slot_digest(memory, names),
        )
    if {"subject", "predicate", "object", "participants"}.intersection(fields):
        batch.afterwards(lambda: graph_index.reindex(memories, owner=batch.owner))


def settle(memory: Memory, batch: Writing, *, ruled: Collection[UUID] = ()) -> Ruling:
    """Hold a memory that stands anew, or says something else, against what else is believed of its slot.

    ruled: rows of which is known already how they stand to it.
    """
    ruling = conflicts.NOTHING
    if memory.slot and memory.stands:
        rows = believed([memory], owner=batch.owner).get(memory.slot, [])
        kept = batch.current([row.pk for row in rows])
        ruling = conflicts.rule(memory, [kept[row.pk] for row in rows if row.pk not in ruled])
        conflicts.apply(ruling, memory, batch)
    return ruling
