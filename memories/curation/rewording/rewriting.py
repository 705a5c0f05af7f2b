"""Rewrite a memory: a successor with the new text supersedes it, and the old wording is retired."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.utils import timezone

from memories.curation.change_result import ChangeResult, reject_duplicate_active
from memories.curation.rewording.fields import Mode, compute_changes
from memories.curation.rewording.identity import apply_conflicts, get_next_turn
from memories.models import EventType, LinkKind, Memory
from memories.storage import Draft, active_by_fingerprint, get_memory, open_batch
from memories.values import Status, Writer
from memories.writing import build_successor, conflicts, drafting
from memsite.errors import Conflict

EDITED = "edited"


def rewrite_memory(
    memory_id: str | UUID,
    content: str,
    changes: Mapping[str, Any] | None = None,
    *,
    owner: UUID,
    actor: str,
    mode: Mode = "replace",
) -> ChangeResult:
    """Replace the text of a memory: write a successor that supersedes it, and retire the old wording.

    A disputed memory with a new text is no longer disputed, unless the text contradicts what is believed.

    Args:
        memory_id: The memory.
        content: The new text.
        changes: Changes of fields of the successor, as in `edit`.
        owner: The owner.
        actor: Who edits.
        mode: As in `edit`.

    Raises:
        NotFound: If the owner has no such memory.
        Conflict: If the memory is no longer active, or another memory says the same already.
        RefusedByGate: If the gate refuses the text.
    """
    seen = get_memory(memory_id, owner=owner)
    draft = build_successor([seen], content, owner=owner, now=timezone.now(), written_by=Writer.PERSON)
    draft.memory.occurrence_count = 1
    drafting.embed_drafts([draft])
    with reject_duplicate_active(), open_batch(owner=owner, actor=actor, reason=EDITED) as batch:
        memory = get_memory(memory_id, owner=owner)
        _check_unmoved(memory, seen)
        values = compute_changes(memory, changes or {}, mode, batch.now)
        _take_on(draft, values | get_next_turn(memory, values, owner=owner), owner=owner)
        _check_free(draft.memory, memory, owner=owner)
        draft.memory.restated_at = batch.now
        disputed = memory.status == Status.DISPUTED
        batch.change(memory, EventType.UPDATED, status=Status.DEPRECATED, retired_at=batch.now)
        batch.insert(draft)
        batch.link(draft.memory, memory.pk, LinkKind.SUPERSEDES, reason=EDITED)
        if disputed:
            conflicts.settle_disputes([memory], batch)
        if draft.memory.status == Status.ACTIVE:
            apply_conflicts(draft.memory, batch)
    return ChangeResult((draft.memory,), batch.batch_id)


def _take_on(draft: Draft, values: Mapping[str, Any], *, owner: UUID) -> None:
    """Set the fields that change together with the text, and everything derived from them."""
    memory = draft.memory
    for name, value in values.items():
        setattr(memory, name, value)
    memory.status = memory.settled_status()
    memory.fingerprint = drafting.compute_row_fingerprint(memory)
    memory.wording = drafting.compute_wording(memory)
    memory.slot = drafting.compute_slot_digest(memory, drafting.load_names(owner))
    draft.entities = tuple(memory.participants)
    memory.entity_terms = drafting.compute_entity_terms(memory, draft.entities)


def _check_unmoved(memory: Memory, seen: Memory) -> None:
    if not memory.is_active:
        raise Conflict("This memory is no longer active; edit the one that superseded it.")
    if memory.updated_at != seen.updated_at:
        raise Conflict("This memory has changed meanwhile; look at it again.")


def _check_free(new: Memory, old: Memory, *, owner: UUID) -> None:
    key = bytes(new.fingerprint)
    other = active_by_fingerprint([key], owner=owner).get(key)
    if new.is_active and other is not None and other.pk != old.pk:
        raise Conflict("Another memory says this already.", {"id": str(other.pk)})
