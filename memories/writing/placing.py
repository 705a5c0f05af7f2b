"""Place a draft: strengthen a memory, merge, restore a forgotten memory, or insert a new row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from memories.conf import LINKED
from memories.models import EventType, LinkKind, Memory, Status
from memories.storage import Draft, Writing
from memories.values import HELD_BY_BOUND
from memories.writing import conflicts
from memories.writing.conflicts import Ruling
from memories.writing.known import MODELS, Known, digests, former_fingerprint, period_of
from memories.writing.merging import SAME
from memories.writing.proposals import Proposal

#: Each repetition closes this share of the gap to `MOST_CONFIDENCE`, which is never reached.
STRENGTHENING: Final = 0.25
MOST_CONFIDENCE: Final = 0.99
BY_PERSON: Final = "person"
MERGED: Final = "merged"
#: Reasons of a link between two memories that stay two. NEAR and ALIKE: no model was asked yet; links of less
#: similar memories (ALIKE) are deleted once it was. JUDGED: a model was asked.
NEAR: Final = "near"
ALIKE: Final = "alike"
JUDGED: Final = "judged"
OPEN: Final = frozenset({NEAR, ALIKE})
TOO_MUCH: Final = "a model's word would retire too many memories at once"


@dataclass(frozen=True, slots=True)
class Placed:
    """The result of placing a draft: the action, the resulting row and the reason."""

    action: str
    memory: Memory | None
    reason: str = ""


def place(
    draft: Draft, batch: Writing, known: Known, *, pending: bool, proposals: Sequence[Proposal] = ()
) -> Placed:
    """Write one draft.

    If all of its sources taught the same before, nothing changes. If an active memory says the same, in these
    or other words, it is strengthened. A memory that maintenance forgot is restored; what a person forgot is
    only written as a new pending row. Of two values of a single-valued slot, the newer ends the older.
    """
    key = bytes(draft.memory.fingerprint)
    if known.erased and digests(draft) & known.erased:
        return Placed("refused", None, "it was erased")
    fresh = tuple(source for source in draft.sources if not known.has_taught(source, draft.memory))
    if draft.sources and not fresh:
        return Placed("known", _taught(draft, known))
    for source in fresh:
        known.learnt[source, key] = draft.memory.pk
    draft.memory.created_at = batch.now
    said = _said_already(draft, batch, known)
    if said is not None:
        return _strengthen(said, draft, fresh, batch, known)
    draft.sources = fresh
    forgotten = known.forgotten.get(key) if draft.memory.stands else None
    if (
        forgotten is not None
        and forgotten.forgotten_by != BY_PERSON
        and _may_come_back(forgotten, draft, known)
    ):
        return _bring_back(forgotten, draft, batch, known, pending=pending)
    held = pending or (forgotten is not None and forgotten.forgotten_by == BY_PERSON)
    one = _one_of(draft, proposals, batch, known, held=held)
    if one is not None:
        return one
    return _insert(draft, proposals, batch, known, held=held)


def _taught(draft: Draft, known: Known) -> Memory | None:
    """Return the active row that results from what the source taught earlier."""
    row = known.standing.get(bytes(draft.memory.fingerprint))
    keys = (bytes(draft.memory.fingerprint), former_fingerprint(draft.memory))
    taught = (known.learnt.get((source, key)) for source in draft.sources for key in keys)
    lessons = (known.now(memory_id) for memory_id in taught if memory_id is not None)
    return row if row is not None and row.stands else next((one for one in lessons if one is not None), None)


def _said_already(draft: Draft, batch: Writing, known: Known) -> Memory | None:
    """Return the active row of the same fingerprint, or the row that ended with the same period."""
    memory = draft.memory
    if not memory.stands:
        return known.ended.get(period_of(memory))
    row = known.standing.get(bytes(memory.fingerprint))
    if row is None or not row.stands:
        return None
    if row.valid_until is not None and row.valid_until <= batch.now:
        batch.change(
            row, EventType.UPDATED, reason=conflicts.ENDED, ended_at=batch.now, status=Status.DEPRECATED
        )
        return None
    return row


def _strengthen(
    standing: Memory, draft: Draft, fresh: tuple[str, ...], batch: Writing, known: Known
) -> Placed:
    stronger = standing.confidence + STRENGTHENING * (MOST_CONFIDENCE - standing.confidence)
    batch.change(
        standing,
        EventType.UPDATED,
        reason="said again",
        occurrence_count=standing.occurrence_count + 1,
        confidence=max(standing.confidence, round(stronger, 4)),
        importance=max(standing.importance, draft.memory.importance),
    )
    for source in fresh:
        batch.add_source(standing, source, bytes(draft.memory.fingerprint))
    known.moved[draft.memory.pk] = standing
    return Placed("strengthened", standing)


def _may_come_back(forgotten: Memory, draft: Draft, known: Known) -> bool:
    """Return whether a forgotten memory is still true.

    One that had ended before it was forgotten, or that has a rival now, gets a new row instead.
    """
    open_ended = forgotten.valid_until is None or forgotten.valid_until > draft.memory.created_at
    return (
        open_ended
        and forgotten.retired_at is None
        and forgotten.ended_at is None
        and not _ruling(draft, (), known).taken
    )


def _bring_back(forgotten: Memory, draft: Draft, batch: Writing, known: Known, *, pending: bool) -> Placed:
    batch.change(
        forgotten,
        EventType.RESTORED,
        reason="said again",
        status=Status.PENDING if pending else Status.ACTIVE,
        forgotten_at=None,
        forgotten_by="",
        occurrence_count=forgotten.occurrence_count + 1,
    )
    for source in draft.sources:
        batch.add_source(forgotten, source)
    known.stands(forgotten)
    known.moved[draft.memory.pk] = forgotten
    return Placed("restored", forgotten)


def _one_of(
    draft: Draft, proposals: Sequence[Proposal], batch: Writing, known: Known, *, held: bool
) -> Placed | None:
    """Strengthen or merge as proposed, if nothing changed since. Return None if the draft stays separate."""
    for proposal, row in _still_there(draft, proposals, known, held=held):
        if proposal.union is None:
            continue
        if proposal.union.kind == SAME:
            return _strengthen(row, draft, draft.sources, batch, known)
        whole = row.pk == proposal.near.memory.pk and row.status == Status.ACTIVE and not held
        if whole and proposal.merged is not None and _fits(proposal.merged, row, known):
            return _merge(draft, row, proposal.merged, batch, known)
    return None


def _still_there(
    draft: Draft, proposals: Sequence[Proposal], known: Known, *, held: bool
) -> Iterator[tuple[Proposal, Memory]]:
    """Yield the proposals with their active rows, except where the two name different values of one slot."""
    for proposal in proposals:
        row = known.now(proposal.near.memory.pk) if proposal.union is not None else None
        waits = row is not None and row.status == Status.PENDING and not held
        if row is not None and not waits and not conflicts.contradict(draft.memory, row):
            yield proposal, row


def _fits(merged: Draft, row: Memory, known: Known) -> bool:
    """Return whether no other active memory has the merged text and one more memory may be retired."""
    other = known.standing.get(bytes(merged.memory.fingerprint))
    return (other is None or not other.stands or other.pk == row.pk) and known.allowance.take(1)


def _merge(draft: Draft, row: Memory, merged: Draft, batch: Writing, known: Known) -> Placed:
    """Replace both by one text. The new wording is kept as a retired row, unless it is the text itself."""
    batch.change(row, EventType.UPDATED, reason=MERGED, status=Status.DEPRECATED, retired_at=batch.now)
    batch.insert(merged)
    batch.link(merged.memory, row.pk, LinkKind.SUPERSEDES, reason=MERGED)
    if bytes(merged.memory.fingerprint) != bytes(draft.memory.fingerprint):
        draft.memory.status, draft.memory.retired_at = Status.DEPRECATED, batch.now
        batch.insert(draft)
        batch.link(merged.memory, draft.memory.pk, LinkKind.SUPERSEDES, reason=MERGED)
    known.stands(merged.memory)
    known.moved[row.pk] = known.moved[draft.memory.pk] = merged.memory
    return Placed("merged", merged.memory)


def _insert(
    draft: Draft, proposals: Sequence[Proposal], batch: Writing, known: Known, *, held: bool
) -> Placed:
    memory = draft.memory
    reason = ""
    ruling = conflicts.NOTHING if held else _ruling(draft, proposals, known)
    if ruling.taken and memory.written_by in MODELS and not known.allowance.take(ruling.taken):
        ruling, held, reason = conflicts.NOTHING, True, TOO_MUCH
        memory.metadata = {**memory.metadata, HELD_BY_BOUND: True}
    period = _same_period(memory, ruling, known)
    if period is not None:
        return _strengthen(period, draft, draft.sources, batch, known)
    if held and memory.stands:
        memory.status = Status.PENDING
    batch.insert(draft)
    conflicts.apply(ruling, memory, batch)
    _remember_placed(memory, known)
    _link(draft, ruling, proposals, batch, known)
    return Placed("pending" if memory.status == Status.PENDING else ruling.action, memory, reason)


def _ruling(draft: Draft, proposals: Sequence[Proposal], known: Known) -> Ruling:
    near = [known.now(one.near.memory.pk) for one in proposals]
    alike = [row for row in near if row is not None]
    slot, affected = known.slot_of(draft.memory), known.affected_by(draft.memory)
    if not (slot or alike or affected):
        return conflicts.NOTHING
    return conflicts.rule(draft.memory, slot, alike, affected)


def _same_period(memory: Memory, ruling: Ruling, known: Known) -> Memory | None:
    """Return the ended row of the same wording that was true at the time of a late statement."""
    if ruling.by is None:
        return None
    moment = conflicts.begin(memory)
    return next(
        (
            row
            for row in known.slot_of(memory)
            if bytes(row.fingerprint) == bytes(memory.fingerprint)
            and row.ended_at is not None
            and conflicts.begin(row) <= moment
            and (row.valid_until is None or moment < row.valid_until)
        ),
        None,
    )


def _remember_placed(memory: Memory, known: Known) -> None:
    if memory.stands:
        known.stands(memory)
    elif memory.retired_at is None:
        known.ended[period_of(memory)] = memory
        known.believe(memory)


def _link(draft: Draft, ruling: Ruling, proposals: Sequence[Proposal], batch: Writing, known: Known) -> None:
    """Link memories that may be one and stay two, to show them together and to ask a model later."""
    decided: set[Any] = {row.pk for row in (draft.memory, *ruling.ends, *ruling.retires, *ruling.disputes)}
    for proposal in [one for one in proposals if one.linked or one.open][:LINKED]:
        other = known.linkable(proposal.near.memory.pk)
        if other is not None and other not in decided:
            reason = (NEAR if proposal.linked else ALIKE) if proposal.open else JUDGED
            batch.link(draft.memory, other, LinkKind.RELATED, reason=reason)
