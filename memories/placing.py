"""Where a draft goes: onto the row that says the same, back from the forgotten, or in as a new row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from django.conf import settings

from memories.models import Erasure, Memory, MemorySource
from memories.models.event import EventType
from memories.models.memory import Status
from memories.queries import forgotten_by_fingerprint, standing_by_fingerprint
from memories.similarity import erasure_digest
from memories.store import Draft, Writing

#: Each repetition closes this share of the gap to certainty, which is never reached.
STRENGTHENING: Final = 0.25
MOST_CONFIDENCE: Final = 0.99
BY_PERSON: Final = "person"

Period = tuple[bytes, datetime | None, datetime | None]


@dataclass(slots=True)
class Known:
    """What the owner's tables say about a batch's fingerprints and sources; 4 queries at any size."""

    standing: dict[bytes, Memory]
    forgotten: dict[bytes, Memory]
    ended: dict[Period, Memory]
    learnt: dict[tuple[str, bytes], UUID]
    erased: set[bytes]

    @classmethod
    def load(cls, drafts: Sequence[Draft], *, owner: UUID) -> Known:
        """Everything `place` asks for. The ledger must be locked, so that nothing moves after."""
        fingerprints = {bytes(draft.memory.fingerprint) for draft in drafts}
        references = {reference for draft in drafts for reference in draft.sources}
        return cls(
            standing=standing_by_fingerprint(fingerprints, owner=owner),
            forgotten=forgotten_by_fingerprint(fingerprints, owner=owner),
            ended=_ended(drafts, owner=owner),
            learnt=_learnt(references, owner=owner),
            erased=_erased(drafts, owner=owner),
        )


@dataclass(frozen=True, slots=True)
class Placed:
    action: str
    memory: Memory | None
    reason: str = ""


def place(draft: Draft, batch: Writing, known: Known, *, pending: bool) -> Placed:
    """Write one draft where it belongs.

    A source that taught this very thing before teaches nothing now. What stands is strengthened.
    What the law let go of comes back; what a person forgot comes back only to be asked about.
    """
    key = bytes(draft.memory.fingerprint)
    if _digests(draft) & known.erased:
        return Placed("refused", None, "it was erased")
    fresh = tuple(source for source in draft.sources if (source, key) not in known.learnt)
    if draft.sources and not fresh:
        return Placed("known", known.standing.get(key))
    for source in fresh:
        known.learnt[source, key] = draft.memory.pk
    standing = known.standing.get(key) if draft.memory.stands else known.ended.get(_period(draft.memory))
    if standing is not None:
        return _strengthen(standing, draft, fresh, batch)
    forgotten = known.forgotten.get(key) if draft.memory.stands else None
    if forgotten is not None and forgotten.forgotten_by != BY_PERSON:
        return _bring_back(forgotten, fresh, batch, known)
    return _insert(draft, fresh, batch, known, pending=pending or forgotten is not None)


def _strengthen(standing: Memory, draft: Draft, fresh: tuple[str, ...], batch: Writing) -> Placed:
    stronger = standing.confidence + STRENGTHENING * (MOST_CONFIDENCE - standing.confidence)
    values = {
        "occurrence_count": standing.occurrence_count + 1,
        "confidence": max(standing.confidence, round(stronger, 4)),
        "importance": max(standing.importance, draft.memory.importance),
    }
    if batch.is_new(standing):
        for name, value in values.items():
            setattr(standing, name, value)
    else:
        batch.change(standing, EventType.UPDATED, reason="said again", **values)
    for source in fresh:
        batch.add_source(standing, source)
    return Placed("strengthened", standing)


def _bring_back(forgotten: Memory, fresh: tuple[str, ...], batch: Writing, known: Known) -> Placed:
    batch.change(
        forgotten,
        EventType.RESTORED,
        reason="said again",
        status=Status.ACTIVE,
        forgotten_at=None,
        forgotten_by="",
        retired_at=None,
        ended_at=None,
        occurrence_count=forgotten.occurrence_count + 1,
    )
    for source in fresh:
        batch.add_source(forgotten, source)
    known.standing[bytes(forgotten.fingerprint)] = forgotten
    return Placed("restored", forgotten)


def _insert(draft: Draft, fresh: tuple[str, ...], batch: Writing, known: Known, *, pending: bool) -> Placed:
    draft.sources = fresh
    if pending and draft.memory.stands:
        draft.memory.status = Status.PENDING
    batch.insert(draft)
    if not draft.memory.stands:
        known.ended[_period(draft.memory)] = draft.memory
    if draft.memory.stands:
        known.standing[bytes(draft.memory.fingerprint)] = draft.memory
    return Placed("pending" if draft.memory.status == Status.PENDING else "created", draft.memory)


def _period(memory: Memory) -> Period:
    return bytes(memory.fingerprint), memory.valid_from, memory.valid_until


def _ended(drafts: Sequence[Draft], *, owner: UUID) -> dict[Period, Memory]:
    """Rows that ended, for drafts that tell of something that has."""
    wanted = {bytes(draft.memory.fingerprint) for draft in drafts if not draft.memory.stands}
    if not wanted:
        return {}
    rows = Memory.objects.filter(owner_id=owner, fingerprint__in=wanted, ended_at__isnull=False)
    return {_period(row): row for row in rows.filter(retired_at=None, forgotten_at=None)}


def _learnt(references: set[str], *, owner: UUID) -> dict[tuple[str, bytes], UUID]:
    if not references:
        return {}
    rows = MemorySource.objects.filter(owner_id=owner, reference__in=references)
    return {
        (reference, bytes(key)): memory_id
        for reference, key, memory_id in rows.values_list("reference", "fingerprint", "memory_id")
    }


def _digests(draft: Draft) -> set[bytes]:
    """The traces an erasure of this draft would have left: by source, or bare for what has none.

    A person or program that states an erased thing anew, in no message we know, may do so.
    """
    key = bytes(draft.memory.fingerprint)
    return {erasure_digest(settings.SECRET_KEY, key, source) for source in draft.sources}


def _erased(drafts: Sequence[Draft], *, owner: UUID) -> set[bytes]:
    wanted = {digest for draft in drafts for digest in _digests(draft)}
    if not wanted:
        return set()
    rows = Erasure.objects.filter(owner_id=owner, digest__in=wanted)
    return {bytes(digest) for digest in rows.values_list("digest", flat=True)}
