"""Place a draft: strengthen a memory, merge, restore a forgotten memory, or insert a new row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from memories.conf import LINKED
from memories.models import EventType, LinkKind, Memory
from memories.storage import Draft, WriteBatch
from memories.values import HELD_BY_BOUND, Action, Status
from memories.writing import conflicts
from memories.writing.batch_state import (
    BatchState,
    compute_digests,
    compute_former_fingerprint,
    get_period,
)
from memories.writing.conflicts import MERGED, ConflictRuling
from memories.writing.merging import SAME
from memories.writing.proposals import UnionProposal

#: Each repetition closes this share of the gap to `MOST_CONFIDENCE`, which is never reached.
STRENGTHENING: Final = 0.25
MOST_CONFIDENCE: Final = 0.99
BY_PERSON: Final = "person"
#: Reasons of a link between two memories that stay two. SIMILAR and ALIKE: no model was asked yet; links of
#: less similar memories (ALIKE) are deleted once it was. JUDGED: a model was asked.
SIMILAR: Final = "near"
ALIKE: Final = "alike"
JUDGED: Final = "judged"
OPEN: Final = frozenset({SIMILAR, ALIKE})
CHANGES_NOTHING: Final = "it changes nothing that is known"
TOO_MUCH: Final = "a model's word would retire too many memories at once"


@dataclass(frozen=True, slots=True)
class PlacedMemory:
    """The result of placing a draft: the action, the resulting row and the reason."""

    action: Action
    memory: Memory | None
    reason: str = ""


def place_draft(
    draft: Draft,
    batch: WriteBatch,
    state: BatchState,
    *,
    pending: bool,
    proposals: Sequence[UnionProposal] = (),
) -> PlacedMemory:
    """Write one draft.

    If all of its sources taught the same before, nothing changes. If an active memory says the same, in these
    or other words, it is strengthened. A draft with `only_changes` that changes none is refused. A memory
    that maintenance forgot is restored; what a person forgot is only written as a new pending row. Of two
    values of a single-valued slot, the newer ends the older.

    The result depends on when statements were made, not on the order in which they are learnt.
    """
    key = bytes(draft.memory.fingerprint)
    if state.erased and compute_digests(draft) & state.erased:
        return PlacedMemory(Action.REFUSED, None, "it was erased")
    fresh = tuple(source for source in draft.sources if not state.has_taught(source, draft.memory))
    if draft.sources and not fresh:
        return PlacedMemory(Action.KNOWN, _taught(draft, state))
    for source in fresh:
        state.learnt[source, key] = draft.memory.pk
    draft.memory.created_at = batch.now
    equal = _find_equal(draft, batch, state)
    if equal is not None:
        return _restate(equal, draft, fresh, batch, state, pending=pending)
    if draft.only_changes and not state.changed.get(draft.memory.pk):
        return PlacedMemory(Action.REFUSED, None, CHANGES_NOTHING)
    draft.sources = fresh
    ended = [] if pending else _end_late(draft, batch, state)
    forgotten = state.forgotten.get(key) if draft.memory.is_active else None
    if (
        forgotten is not None
        and forgotten.forgotten_by != BY_PERSON
        and _may_restore(forgotten, draft, state)
    ):
        return _restore_forgotten(forgotten, draft, batch, state, pending=pending)
    held = pending or (forgotten is not None and forgotten.forgotten_by == BY_PERSON)
    united = _unite_with_similar(draft, proposals, batch, state, held=held)
    return united or _insert(draft, proposals, batch, state, held=held, ended=ended)


def _taught(draft: Draft, state: BatchState) -> Memory | None:
    """Return the active row that results from what the source taught earlier."""
    row = state.active.get(bytes(draft.memory.fingerprint))
    keys = (bytes(draft.memory.fingerprint), compute_former_fingerprint(draft.memory))
    taught = (state.learnt.get((source, key)) for source in draft.sources for key in keys)
    if row is not None and row.is_active:
        return row
    lessons = (state.find_current(memory_id) for memory_id in taught if memory_id is not None)
    return next((one for one in lessons if one is not None), None)


def _find_equal(draft: Draft, batch: WriteBatch, state: BatchState) -> Memory | None:
    """Return the active row of the same fingerprint, or the row that ended with the same period."""
    memory = draft.memory
    if not memory.is_active:
        return state.ended.get(get_period(memory))
    row = state.active.get(bytes(memory.fingerprint))
    if row is None or not row.is_active:
        return None
    if row.valid_until is not None and row.valid_until <= batch.now:
        batch.change(
            row, EventType.UPDATED, reason=conflicts.ENDED, ended_at=batch.now, status=Status.DEPRECATED
        )
        return None
    return row


def _restate(
    row: Memory,
    draft: Draft,
    fresh: tuple[str, ...],
    batch: WriteBatch,
    state: BatchState,
    *,
    pending: bool,
) -> PlacedMemory:
    """Strengthen the active row that says the same, unless the draft is true of a period before it."""
    if not pending and conflicts.get_begin(draft.memory) < conflicts.get_begin(row):
        ended = _end_late(draft, batch, state)
        if _has_earlier_period(draft, row, batch, state):
            draft.sources = fresh
            return _insert(draft, (), batch, state, held=False, ended=ended)
    return _strengthen(row, draft, fresh, batch, state, held=pending)


def _has_earlier_period(draft: Draft, active: Memory, batch: WriteBatch, state: BatchState) -> bool:
    """Return whether the draft was true before something else, which began before the active row."""
    if conflicts.get_begin(draft.memory) >= conflicts.get_begin(active):
        return False
    ruling = _ruling(draft, (), state)
    if ruling.by is None or ruling.taken:
        return False
    return conflicts.get_begin(ruling.by) < min(conflicts.get_begin(active), batch.now)


def _end_late(draft: Draft, batch: WriteBatch, state: BatchState) -> list[Memory]:
    """End rows where a late draft begins, which lasted longer by what was learnt before; return them.

    A row that was stated before and after the draft is split: it keeps what was stated after it.
    """
    memory = draft.memory
    if not memory.slot or not memory.is_active:
        return []
    rows = [
        row
        for row in (*state.slot_of(memory), *state.affected_by(memory))
        if (row.occurrence_count > 1 or row.ended_at is not None) and conflicts.would_end(memory, row)
    ]
    was_ended = batch.find_superseded((row.pk for row in rows if row.ended_at is not None), conflicts.ENDED)
    ended = []
    for row in rows:
        past = _split_restated(row, memory, batch, state)
        if past is None and row.pk in was_ended and state.may_change(memory):
            past = row
            _end_earlier(row, conflicts.get_begin(memory), batch)
        if past is not None:
            ended.append(past)
    return ended


def _split_restated(row: Memory, memory: Memory, batch: WriteBatch, state: BatchState) -> Memory | None:
    """Split a row that was stated before and after a memory that ends it; return the part before, if so."""
    moment = max(conflicts.get_begin(memory), memory.stated_at)
    sources = batch.load_sources_of(row) if row.occurrence_count > 1 else []
    later = [one.stated_at for one in sources if one.stated_at is not None and one.stated_at > moment]
    before = [one for one in sources if one.stated_at is None or one.stated_at <= moment]
    if not (later and before) or not state.may_change(memory):
        return None
    past = batch.split_off(
        row,
        before,
        status=Status.DEPRECATED,
        valid_until=max(conflicts.get_begin(memory), conflicts.get_begin(row)),
        ended_at=batch.now,
        restated_at=None,
        occurrence_count=len(before),
    )
    batch.change(
        row,
        EventType.UPDATED,
        reason=conflicts.SPLIT,
        valid_from=min(later),
        occurred_at=min(later),
        occurrence_count=max(1, row.occurrence_count - len(before)),
    )
    _track_placed(past, state)
    return past


def _end_earlier(row: Memory, moment: datetime, batch: WriteBatch) -> None:
    until = max(moment, conflicts.get_begin(row))
    batch.change(row, EventType.UPDATED, reason=conflicts.ENDED, valid_until=until)


def _strengthen(
    active: Memory, draft: Draft, fresh: tuple[str, ...], batch: WriteBatch, state: BatchState, *, held: bool
) -> PlacedMemory:
    _extend_back(active, draft.memory, batch, state)
    stronger = active.confidence + STRENGTHENING * (MOST_CONFIDENCE - active.confidence)
    batch.change(
        active,
        EventType.UPDATED,
        reason="said again",
        occurrence_count=active.occurrence_count + 1,
        confidence=max(active.confidence, round(stronger, 4)),
        importance=max(active.importance, draft.memory.importance),
        restated_at=active.restated_at if held else conflicts.get_restatement_time(active, draft.memory),
    )
    for source in fresh:
        batch.add_source(active, source, bytes(draft.memory.fingerprint), stated_at=draft.memory.occurred_at)
    state.moved[draft.memory.pk] = active
    return PlacedMemory(Action.STRENGTHENED, active)


def _extend_back(row: Memory, memory: Memory, batch: WriteBatch, state: BatchState) -> None:
    """Move the beginning of a row back to its first statement, and with it the end of what it ended."""
    begin = row.valid_from
    if begin is None or memory.valid_from is None or memory.valid_from >= begin:
        return
    for other in (*state.slot_of(row), *state.affected_by(row)):
        if other.ended_at is not None and other.valid_until == begin and conflicts.would_end(memory, other):
            _end_earlier(other, memory.valid_from, batch)
    if row.occurred_at and memory.occurred_at and memory.occurred_at < row.occurred_at:
        last = row.last_stated_at
        batch.change(row, EventType.UPDATED, occurred_at=memory.occurred_at, restated_at=last)
    batch.change(row, EventType.UPDATED, reason="said before", valid_from=memory.valid_from)


def _may_restore(forgotten: Memory, draft: Draft, state: BatchState) -> bool:
    """Return whether a forgotten memory is still true: it had not ended before, and has no rival now."""
    open_ended = forgotten.valid_until is None or forgotten.valid_until > draft.memory.created_at
    return (
        open_ended
        and forgotten.retired_at is None
        and forgotten.ended_at is None
        and not _ruling(draft, (), state).taken
    )


def _restore_forgotten(
    forgotten: Memory, draft: Draft, batch: WriteBatch, state: BatchState, *, pending: bool
) -> PlacedMemory:
    batch.change(
        forgotten,
        EventType.RESTORED,
        reason="said again",
        status=Status.PENDING if pending else Status.ACTIVE,
        forgotten_at=None,
        forgotten_by="",
        occurrence_count=forgotten.occurrence_count + 1,
        restated_at=forgotten.restated_at
        if pending
        else conflicts.get_restatement_time(forgotten, draft.memory),
    )
    for source in draft.sources:
        batch.add_source(forgotten, source)
    state.record_active(forgotten)
    state.moved[draft.memory.pk] = forgotten
    return PlacedMemory(Action.RESTORED, forgotten)


def _unite_with_similar(
    draft: Draft, proposals: Sequence[UnionProposal], batch: WriteBatch, state: BatchState, *, held: bool
) -> PlacedMemory | None:
    """Strengthen or merge as proposed, if nothing changed since. Return None if the draft stays separate."""
    for proposal, row in _list_still_active(draft, proposals, state, held=held):
        if proposal.union is None:
            continue
        if proposal.union.kind == SAME and _has_earlier_period(draft, row, batch, state):
            continue
        if proposal.union.kind == SAME:
            return _strengthen(row, draft, draft.sources, batch, state, held=held)
        whole = row.pk == proposal.similar.memory.pk and row.status == Status.ACTIVE and not held
        if whole and proposal.merged is not None and _may_store_merged(proposal.merged, row, state):
            return _merge(draft, row, proposal.merged, batch, state)
    return None


def _list_still_active(
    draft: Draft, proposals: Sequence[UnionProposal], state: BatchState, *, held: bool
) -> Iterator[tuple[UnionProposal, Memory]]:
    """Yield the proposals whose rows are still active, unless the two name different values of one slot."""
    for proposal in proposals:
        row = state.find_current(proposal.similar.memory.pk) if proposal.union is not None else None
        waits = row is not None and row.status == Status.PENDING and not held
        if row is not None and not waits and not conflicts.are_contradictory(draft.memory, row):
            yield proposal, row


def _may_store_merged(merged: Draft, row: Memory, state: BatchState) -> bool:
    """Return whether no other active memory has the merged text and one more may be retired; count it."""
    other = state.active.get(bytes(merged.memory.fingerprint))
    return (other is None or not other.is_active or other.pk == row.pk) and state.allowance.take(1)


def _merge(draft: Draft, row: Memory, merged: Draft, batch: WriteBatch, state: BatchState) -> PlacedMemory:
    """Replace both by one text. The new wording is kept as a retired row, unless it is the text itself."""
    batch.change(row, EventType.UPDATED, reason=MERGED, status=Status.DEPRECATED, retired_at=batch.now)
    batch.insert(merged)
    batch.link(merged.memory, row.pk, LinkKind.SUPERSEDES, reason=MERGED)
    if bytes(merged.memory.fingerprint) != bytes(draft.memory.fingerprint):
        draft.memory.status, draft.memory.retired_at = Status.DEPRECATED, batch.now
        batch.insert(draft)
        batch.link(merged.memory, draft.memory.pk, LinkKind.SUPERSEDES, reason=MERGED)
    state.record_active(merged.memory)
    state.moved[row.pk] = state.moved[draft.memory.pk] = merged.memory
    return PlacedMemory(Action.MERGED, merged.memory)


def _insert(
    draft: Draft,
    proposals: Sequence[UnionProposal],
    batch: WriteBatch,
    state: BatchState,
    *,
    held: bool,
    ended: Sequence[Memory] = (),
) -> PlacedMemory:
    memory = draft.memory
    reason = ""
    ruling = conflicts.NOTHING if held else _ruling(draft, proposals, state)
    if ruling.taken and not state.may_change(memory, ruling.taken):
        ruling, held, reason = conflicts.NOTHING, True, TOO_MUCH
        memory.metadata = {**memory.metadata, HELD_BY_BOUND: True}
    period = _same_period(memory, ruling, state)
    if period is not None:
        return _strengthen(period, draft, draft.sources, batch, state, held=held)
    if held and memory.is_active:
        memory.status = Status.PENDING
    batch.insert(draft)
    conflicts.apply_ruling(ruling, memory, batch)
    for row in ended:
        batch.link(memory, row.pk, LinkKind.SUPERSEDES, reason=conflicts.ENDED)
    _track_placed(memory, state)
    _link(draft, ruling, proposals, batch, state)
    return PlacedMemory(Action.PENDING if memory.status == Status.PENDING else ruling.action, memory, reason)


def _ruling(draft: Draft, proposals: Sequence[UnionProposal], state: BatchState) -> ConflictRuling:
    current = [state.find_current(one.similar.memory.pk) for one in proposals]
    alike = [row for row in current if row is not None]
    slot, affected = state.slot_of(draft.memory), state.affected_by(draft.memory)
    if not (slot or alike or affected):
        return conflicts.NOTHING
    return conflicts.decide_conflicts(draft.memory, slot, alike, affected)


def _same_period(memory: Memory, ruling: ConflictRuling, state: BatchState) -> Memory | None:
    """Return the ended row of the same wording that was true at the time of a late statement, or soon after.

    Soon after means that nothing else became true in between.
    """
    if ruling.by is None:
        return None
    moment, until = conflicts.get_begin(memory), conflicts.get_begin(ruling.by)
    periods = [
        row
        for row in state.ended.values()
        if bytes(row.fingerprint) == bytes(memory.fingerprint)
        and (conflicts.get_begin(row) <= moment or conflicts.get_begin(row) < until)
        and (row.valid_until is None or moment < row.valid_until)
    ]
    return min(periods, key=conflicts.get_begin, default=None)


def _track_placed(memory: Memory, state: BatchState) -> None:
    if memory.is_active:
        state.record_active(memory)
    elif memory.retired_at is None:
        state.ended[get_period(memory)] = memory
        state.record_believed(memory)


def _link(
    draft: Draft,
    ruling: ConflictRuling,
    proposals: Sequence[UnionProposal],
    batch: WriteBatch,
    state: BatchState,
) -> None:
    """Link memories that may be one and stay two, to show them together and to ask a model later."""
    decided: set[Any] = {row.pk for row in (draft.memory, *ruling.ends, *ruling.retires, *ruling.disputes)}
    for proposal in [one for one in proposals if one.linked or one.open][:LINKED]:
        other = state.linkable(proposal.similar.memory.pk)
        if other is not None and other not in decided:
            reason = (SIMILAR if proposal.linked else ALIKE) if proposal.open else JUDGED
            batch.link(draft.memory, other, LinkKind.RELATED, reason=reason)
