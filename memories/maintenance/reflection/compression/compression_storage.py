"""Store a compression. The new memory and the end of its sources form one batch, undone in one step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.utils import timezone

from memories.maintenance.reflection.proposals import (
    ACTOR,
    Compression,
    MovedMeanwhile,
    ReflectionProposal,
    RunResult,
    may_retire,
    record,
)
from memories.maintenance.reflection.sources import has_changed
from memories.models import EventType, LinkKind, Memory, Reflection
from memories.storage import Draft, WriteBatch, active_by_fingerprint, load_sources, open_batch
from memories.values import (
    LIFESPANS,
    AbstractionLevel,
    Action,
    Candidate,
    Kind,
    Layer,
    Lifespan,
    Status,
    Writer,
)
from memories.writing import WriteResult, drafting, write_candidates
from memsite.accounts.preferences import get_preferences
from memsite.errors import NotAllowed
from memsite.jobs import check_lease

REASON: Final = "compressed"
#: Importance that the write path requires of derived memories. The importance of the sources is set
#: afterwards.
_LEAST_IMPORTANCE: Final = 0.5


def store_compression(row: Reflection, proposal: ReflectionProposal, *, owner: UUID, token: UUID) -> None:
    """Store a compression and finish the row.

    Episodes stay as they are; a summary is added. If auto-extract is off, the result is pending until a
    person decides, and nothing is retired.

    Raises:
        MovedMeanwhile: If a source changed since the proposal.
        LeaseLost: If another worker holds the lease.
        NotAllowed: If memory is switched off.
    """
    compression = proposal.compression
    if compression is None:
        _write_nothing(row, proposal, owner=owner, token=token)
    elif compression.sources[0].layer == Layer.EPISODIC or not get_preferences(owner).auto_extract:
        _write_beside(row, proposal, compression, owner=owner, token=token)
    else:
        _write_instead(row, proposal, compression, owner=owner, token=token)


def _write_nothing(row: Reflection, proposal: ReflectionProposal, *, owner: UUID, token: UUID) -> None:
    with open_batch(owner=owner, actor=ACTOR):
        check_lease(token)
        record.finish_row(row, _done(proposal))


def _write_beside(
    row: Reflection, proposal: ReflectionProposal, compression: Compression, *, owner: UUID, token: UUID
) -> None:
    """Add the result as a memory derived from its sources."""
    candidate = build_candidate(compression)

    def finish(written: WriteResult) -> None:
        _check(proposal, owner=owner, token=token)
        outcome = written.outcomes[0]
        if outcome.memory is not None and outcome.memory.layer == Layer.EPISODIC:
            outcome.memory.reflected_at = outcome.memory.reflected_at or timezone.now()
        memory_id = None if outcome.memory is None else outcome.memory.pk
        record.finish_row(
            row,
            _done(
                proposal,
                batch_id=written.batch_id,
                outcomes=[(outcome.action, memory_id, outcome.reason)],
            ),
        )

    pending = not get_preferences(owner).auto_extract
    write_candidates([candidate], owner=owner, actor=ACTOR, pending=pending, finish=finish)


def _write_instead(
    row: Reflection, proposal: ReflectionProposal, compression: Compression, *, owner: UUID, token: UUID
) -> None:
    """Supersede the sources by the result.

    A source that has the same content is kept in place of the result.
    """
    if not get_preferences(owner).memory_on:
        raise NotAllowed("Memory is switched off for this person.")
    draft = _draft(compression, owner=owner)
    if isinstance(draft, Draft):
        drafting.embed_drafts([draft])
    with open_batch(owner=owner, actor=ACTOR, reason=REASON) as batch:
        _check(proposal, owner=owner, token=token)
        done = _replaced(batch, draft, proposal, compression, owner=owner)
        record.finish_row(row, done)


def _replaced(
    batch: WriteBatch,
    draft: Draft | drafting.Refusal,
    proposal: ReflectionProposal,
    compression: Compression,
    *,
    owner: UUID,
) -> RunResult:
    if not isinstance(draft, Draft):
        return _done(proposal, outcomes=[(Action.REFUSED, None, draft.reason)])
    if len(compression.sources) > may_retire(owner=owner):
        return _done(proposal, outcomes=[(Action.REFUSED, None, "more than one job may retire")])
    key = bytes(draft.memory.fingerprint)
    equal = active_by_fingerprint([key], owner=owner).get(key)
    ids = {memory.pk for memory in compression.sources}
    if equal is not None and equal.pk not in ids:
        return _done(proposal, outcomes=[(Action.REFUSED, None, "another memory says this already")])
    rows = Memory.objects.filter(owner_id=owner).in_bulk(list(ids))
    survivor = draft.memory if equal is None else rows[equal.pk]
    retired = [rows[memory.pk] for memory in compression.sources if memory.pk != survivor.pk]
    for memory in retired:
        batch.change(memory, EventType.UPDATED, status=Status.DEPRECATED, retired_at=batch.now)
    if equal is None:
        batch.insert(draft)
    else:
        batch.change(survivor, EventType.UPDATED, **_survivors(compression))
    for memory in retired:
        batch.link(survivor, memory.pk, LinkKind.SUPERSEDES, reason=REASON)
        if equal is not None:
            batch.link(survivor, memory.pk, LinkKind.DERIVED_FROM, reason=REASON)
    action = Action.CREATED if equal is None else Action.STRENGTHENED
    return _done(
        proposal,
        batch_id=batch.batch_id,
        outcomes=[(action, survivor.pk, ""), *((Action.RETIRED, memory.pk, "") for memory in retired)],
        retired=len(retired),
    )


def _check(proposal: ReflectionProposal, *, owner: UUID, token: UUID) -> None:
    check_lease(token)
    if has_changed(proposal.seen, owner=owner):
        raise MovedMeanwhile("What was to be compressed changed meanwhile.")


def _done(
    proposal: ReflectionProposal,
    *,
    batch_id: UUID | None = None,
    outcomes: Sequence[tuple[Action, UUID | None, str]] = (),
    retired: int = 0,
) -> RunResult:
    return RunResult(
        source=proposal.source,
        error=proposal.error,
        outcomes=outcomes,
        batch_id=batch_id,
        looked_at=proposal.looked_at,
        proposed=proposal.refused + (proposal.compression is not None),
        refused=proposal.refused,
        retired=retired,
    )


def _draft(compression: Compression, *, owner: UUID) -> Draft | drafting.Refusal:
    draft = drafting.make_draft(build_candidate(compression), owner=owner, now=timezone.now())
    if isinstance(draft, Draft):
        ids = [memory.pk for memory in compression.sources]
        named = load_sources(ids, owner=owner)
        draft.sources = tuple(dict.fromkeys(text for memory_id in ids for text in named.get(memory_id, ())))
        for name, value in _kept(compression.sources).items():
            setattr(draft.memory, name, value)
    return draft


def build_candidate(compression: Compression) -> Candidate:
    """Return the candidate for a compression: shared fields, latest time and largest importance."""
    sources = compression.sources
    most = max(sources, key=lambda memory: memory.importance)
    episodic = most.layer == Layer.EPISODIC
    triple = next((memory for memory in sources if memory.predicate), None)
    return Candidate(
        content=compression.content,
        layer=Layer(most.layer),
        kind=Kind.SUMMARY if episodic else Kind(most.kind),
        category=_common(sources, "category"),
        tags=_all(sources, "tags"),
        participants=_all(sources, "participants"),
        entities=_all(sources, "participants"),
        importance=max(_LEAST_IMPORTANCE, most.importance),
        confidence=min(memory.confidence for memory in sources),
        lifespan=min((Lifespan(memory.lifespan) for memory in sources), key=LIFESPANS.index),
        subject=triple.subject if triple else _common(sources, "subject"),
        predicate=triple.predicate if triple else "",
        object=triple.object if triple else "",
        single_valued=triple.single_valued if triple else False,
        speaker=_common(sources, "speaker"),
        session=_common(sources, "session") or "default",
        occurred_at=_latest(sources, "occurred_at"),
        valid_from=_latest(sources, "valid_from"),
        valid_until=min((m.valid_until for m in sources if m.valid_until is not None), default=None),
        sensitive=any(memory.sensitive for memory in sources),
        derived_from=tuple(str(memory.pk) for memory in sources),
        written_by=Writer.REFLECTION,
        strength=max((memory.strength for memory in sources if memory.strength is not None), default=None),
        abstraction_level=AbstractionLevel(_common(sources, "abstraction_level")),
        metadata={
            "preserved_facts": list(compression.preserved_facts),
            "dropped_redundant": list(compression.dropped_redundant),
        },
    )


def _survivors(compression: Compression) -> dict[str, Any]:
    """Return the fields that the surviving source takes over from the others."""
    made = build_candidate(compression)
    return _kept(compression.sources) | {
        "tags": list(made.tags),
        "participants": list(made.participants),
        "valid_from": made.valid_from,
        "lifespan": made.lifespan,
        "sensitive": made.sensitive,
        "metadata": _most(compression).metadata | dict(made.metadata),
    }


def _kept(sources: Sequence[Memory]) -> dict[str, Any]:
    """Return fields that are not part of a candidate: use, repetition and pins."""
    importance = max(memory.importance for memory in sources)
    return {
        "importance": importance,
        "base_importance": max(memory.base_importance for memory in sources),
        "occurrence_count": sum(memory.occurrence_count for memory in sources),
        "access_count": sum(memory.access_count for memory in sources),
        "last_accessed_at": _latest(sources, "last_accessed_at"),
        "restated_at": max(memory.last_stated_at for memory in sources),
        "pinned": any(memory.pinned for memory in sources),
    }


def _most(compression: Compression) -> Memory:
    return max(compression.sources, key=lambda memory: memory.importance)


def _common(sources: Sequence[Memory], field: str) -> str:
    values = Counter(getattr(memory, field) for memory in sources)
    return next(iter(values)) if len(values) == 1 else ""


def _all(sources: Sequence[Memory], field: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(value for memory in sources for value in getattr(memory, field)))


def _latest(sources: Sequence[Memory], field: str) -> datetime | None:
    return max((at for memory in sources if (at := getattr(memory, field)) is not None), default=None)
