"""Write records back: rows with their own status and times, not statements that are weighed anew.

A record passes the gate as every candidate does. What is there already stays as it is, what was erased does
not come back, and what the person forgot here comes back only as pending.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final
from uuid import UUID

from django.conf import settings
from django.utils import timezone

from memories.curation.porting.records import SAME, LinkRecord, MemoryRecord
from memories.models import Memory, MemoryLink
from memories.storage import (
    Draft,
    WriteBatch,
    active_by_fingerprint,
    filter_erased,
    inactive_by_fingerprint,
    list_memories,
    open_batch,
)
from memories.text import compute_erasure_digest
from memories.values import Action, Candidate, Kind, Status
from memories.writing import drafting
from memsite.accounts.preferences import get_preferences
from memsite.errors import NotAllowed
from memsite.values import derive_id

_PERSON: Final = "person"
#: A session of a thread: `<thread id>:<number>`.
_SESSION: Final = re.compile(r"([0-9a-fA-F-]{36})(:\d{1,9})")
_MESSAGE: Final = "message:"
_ERASED: Final = "it was erased"

#: Returns the present ids of threads and messages by those of the export.
Rename = Callable[[UUID], UUID]


@dataclass(frozen=True, slots=True)
class WrittenRecords:
    """The result of writing records.

    Attributes:
        counts: How many were created, pending, known and refused, by action.
        refused: (id in the export, reason) of those that were not written.
    """

    counts: Mapping[str, int]
    refused: tuple[tuple[UUID, str], ...] = ()


@dataclass(slots=True)
class _Rows:
    """The stored rows of an owner that affect the rows about to be written."""

    present: set[UUID]
    active: set[bytes]
    forgotten: frozenset[bytes]
    erased: set[bytes]
    counts: Counter[str] = field(default_factory=Counter)
    refused: list[tuple[UUID, str]] = field(default_factory=list)


def write_memory_records(
    records: Sequence[MemoryRecord],
    *,
    owner: UUID,
    actor: str,
    batch_id: UUID,
    rename: Rename,
    finish: Callable[[WrittenRecords], None],
) -> WrittenRecords:
    """Write records as memories of an owner, in one transaction.

    A record keeps its id where the owner has a memory of that id, which then stays as it is. Else it gets one
    that depends on both, so that the same record never becomes two memories.

    Args:
        records: At most some thousand.
        owner: The owner.
        actor: Who writes, for the events.
        batch_id: The batch that all parts of an import share.
        rename: Returns the present id of a thread or message.
        finish: Called last inside the transaction. An exception from it rolls everything back.

    Raises:
        NotAllowed: If the owner's memory is switched off.
    """
    if not get_preferences(owner).memory_on:
        raise NotAllowed("Memory is switched off for this person.")
    now = timezone.now()
    ids = find_new_ids([one.id for one in records], owner=owner)
    made = drafting.make_drafts([_make_candidate(one, rename) for one in records], owner=owner, now=now)
    pairs = list(zip(records, made, strict=True))
    drafts = [_complete(draft, one, ids, now) for one, draft in pairs if isinstance(draft, Draft)]
    drafting.embed_drafts(drafts)
    with open_batch(owner=owner, actor=actor, reason="imported", batch_id=batch_id) as batch:
        rows = _load_rows(drafts, ids, owner=owner)
        for record, draft in pairs:
            if ids[record.id] in rows.present:
                rows.counts[Action.KNOWN] += 1
            elif isinstance(draft, Draft):
                _place(record, draft, rows, batch, rename)
            else:
                _refuse(record, draft.reason, rows)
        restored = WrittenRecords(rows.counts, tuple(rows.refused))
        finish(restored)
    return restored


def write_link_records(
    records: Sequence[LinkRecord], *, owner: UUID, finish: Callable[[int], None], actor: str, batch_id: UUID
) -> int:
    """Write links between memories that exist; leave out the others. Return how many were written."""
    ends = [end for one in records for end in (one.memory, one.other)]
    ids = find_new_ids(ends, owner=owner)
    with open_batch(owner=owner, actor=actor, reason="imported", batch_id=batch_id) as batch:
        rows = list_memories(owner=owner).in_bulk(list(set(ids.values())))
        links = MemoryLink.objects.filter(owner_id=owner, memory_id__in=list(rows))
        present = set(links.values_list("memory_id", "other_id", "kind"))
        written = 0
        for one in records:
            memory, other = rows.get(ids[one.memory]), rows.get(ids[one.other])
            if memory is None or other is None or (memory.pk, other.pk, one.kind) in present:
                continue
            batch.link(memory, other.pk, one.kind, reason=one.reason)
            written += 1
        finish(written)
    return written


def find_new_ids(ids: Sequence[UUID], *, owner: UUID) -> dict[UUID, UUID]:
    """Return the present id for each id of an export: the same where the owner has that memory."""
    own = set(list_memories(owner=owner).filter(id__in=set(ids)).values_list("id", flat=True))
    return {one: one if one in own else derive_id(one, owner) for one in ids}


def _make_candidate(record: MemoryRecord, rename: Rename) -> Candidate:
    """Return the texts of a record as a candidate, for the gate and the derived columns."""
    session = _SESSION.fullmatch(record.session)
    return Candidate(
        content=record.content,
        layer=record.layer,
        kind=Kind(record.kind),
        category=record.category,
        tags=tuple(record.tags),
        participants=tuple(record.participants),
        subject=record.subject,
        predicate=record.predicate,
        object=record.object,
        single_valued=record.single_valued,
        entities=tuple(record.entities),
        speaker=record.speaker,
        session=f"{rename(UUID(session[1]))}{session[2]}" if session else record.session,
        occurred_at=record.occurred_at,
        metadata=record.metadata,
    )


#: What the gate and the draft decide about a restored row, not the record.
_FROM_DRAFT: Final = frozenset(
    {"content", "category", "tags", "participants", "subject", "predicate", "object", "speaker", "session"}
    | {"metadata", "layer", "kind", "occurred_at"}
)
_FROM_RECORD: Final = tuple(name for name in SAME if name not in _FROM_DRAFT)


def _complete(draft: Draft, record: MemoryRecord, ids: Mapping[UUID, UUID], now: datetime) -> Draft:
    """Set the id, the status and the times of a draft from its record; no time is later than now."""
    memory = draft.memory
    for name in _FROM_RECORD:
        setattr(memory, name, getattr(record, name))
    memory.id = ids[record.id]
    memory.created_at = min(record.created_at, now)
    return draft


def _load_rows(drafts: Sequence[Draft], ids: Mapping[UUID, UUID], *, owner: UUID) -> _Rows:
    keys = {bytes(draft.memory.fingerprint) for draft in drafts}
    gone = inactive_by_fingerprint(keys, owner=owner)
    present = list_memories(owner=owner).filter(id__in=set(ids.values()))
    return _Rows(
        present=set(present.values_list("id", flat=True)),
        active=set(active_by_fingerprint(keys, owner=owner)),
        forgotten=frozenset(bytes(row.fingerprint) for row in gone if row.forgotten_by == _PERSON),
        erased=filter_erased({_digest(draft.memory) for draft in drafts}, owner=owner),
    )


def _digest(memory: Memory) -> bytes:
    return compute_erasure_digest(settings.SECRET_KEY, bytes(memory.fingerprint))


def _place(record: MemoryRecord, draft: Draft, rows: _Rows, batch: WriteBatch, rename: Rename) -> None:
    memory, key = draft.memory, bytes(draft.memory.fingerprint)
    if _digest(memory) in rows.erased:
        _refuse(record, _ERASED, rows)
        return
    if memory.is_active and key in rows.active:
        rows.counts[Action.KNOWN] += 1
        return
    if memory.is_active and key in rows.forgotten:
        memory.status = Status.PENDING
    created_at = memory.created_at
    batch.insert(draft)
    rows.present.add(memory.pk)
    memory.created_at, memory.updated_at = created_at, max(created_at, min(record.updated_at, batch.now))
    for source in record.sources:
        batch.add_source(memory, _rename_source(source.reference, rename), stated_at=source.stated_at)
    if memory.is_active:
        rows.active.add(key)
    rows.counts[Action.PENDING if memory.status == Status.PENDING else Action.CREATED] += 1


def _refuse(record: MemoryRecord, reason: str, rows: _Rows) -> None:
    rows.counts[Action.REFUSED] += 1
    rows.refused.append((record.id, reason))


def _rename_source(reference: str, rename: Rename) -> str:
    """Return a reference to the same message under its present id; other references stay."""
    if not reference.startswith(_MESSAGE):
        return reference
    try:
        return f"{_MESSAGE}{rename(UUID(reference.removeprefix(_MESSAGE)))}"
    except ValueError:
        return reference
