"""Decide conflicts between two values of a slot that has one: which is newer, which is wrong, which disputed.

A change in the world ends the older row: it sets `valid_until` and `ended_at`. A correction retires it: it
was never true. If time does not decide, both are disputed.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from memories.conf import WRITING
from memories.models import EventType, LinkKind, Memory
from memories.storage import WriteBatch, list_disputes_of
from memories.values import ONE_VALUE_PROPOSED, Action, Status, Writer
from memories.writing import changes
from memories.writing.drafting import make_slot_of_row

ENDED: Final = "ended"
CORRECTED: Final = "corrected"
MERGED: Final = "merged"
SETTLED: Final = "settled"
SPLIT: Final = "said before and after a change"
SAME_TIME: Final = "same time"
LESS_CERTAIN: Final = "newer but less sure"
PROPOSED: Final = "a model takes it for one value"

#: Words that show that a correction reports a change, not an error: the old value was true until now.
_CHANGE = re.compile(
    r"\b(?:moved|moving|relocated|switched|changed|migrated|upgraded|downgraded|transferred|joined|left|quit|started"
    r"|became|now|nowadays|no longer|any ?more|since|recently|just|these days|new job)\b"
    r"|现在|如今|目前|搬|换|改用|改成|转到|转用|跳槽|入职|离职|升级|不再|最近|刚刚|已经",
    re.IGNORECASE,
)
#: Words that show that what began in the past is still true, as a present tense alone does not.
_LASTING = re.compile(
    r"\bsince\b|\bfor (?:about |over |almost |more than |the (?:last|past) )?\w+ (?:years?|months?|weeks?)\b"
    r"|\b(?:now|currently|nowadays|these days|still)\b"
    r"|自从?|以来|至今|[\d一二两三四五六七八九十多半](?:个)?[年月]多?了|从.{1,12}(?:起|开始)|现在|目前|如今|一直",
    re.IGNORECASE,
)
#: Words that show that what began in the past is over.
_OVER = re.compile(
    r"\b(?:until|till|back then|at the time|used to|stayed|before that|formerly|previously)\b"
    r"|直到|当时|那时|待了|以前|曾经?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class ConflictRuling:
    """The changes that a new memory makes to the other memories of its slot.

    Attributes:
        ends: Active rows that end.
        retires: Active rows that are retired.
        disputes: Active rows that are disputed.
        why: The reason of the disputes.
        by: The row that shows that the new memory itself has ended.
        trims: Ended rows that had in fact ended earlier, when the new memory began.
    """

    ends: tuple[Memory, ...] = ()
    retires: tuple[Memory, ...] = ()
    disputes: tuple[Memory, ...] = ()
    why: str = ""
    by: Memory | None = None
    trims: tuple[Memory, ...] = ()

    @property
    def action(self) -> Action:
        """The action for the new memory: disputed, superseded or created."""
        if self.disputes:
            return Action.DISPUTED
        return Action.SUPERSEDED if self.ends or self.retires else Action.CREATED

    @property
    def taken(self) -> int:
        """The number of rows that the ruling makes inactive."""
        return len(self.ends) + len(self.retires)


NOTHING: Final = ConflictRuling()


def decide_conflicts(
    newcomer: Memory,
    slot: Sequence[Memory],
    alike: Sequence[Memory] = (),
    affected: Sequence[Memory] = (),
) -> ConflictRuling:
    """Decide what a new memory changes about other memories.

    Args:
        newcomer: The new memory. If it is not active, it changes nothing.
        slot: All rows of its slot, including ended ones.
        alike: Similar memories, most similar first; a correction looks among them for what it corrects.
        affected: Rows of other slots that the new memory may deny or replace; see `changes`.
    """
    if not newcomer.is_active:
        return NOTHING
    one = has_single_value(newcomer)
    others = [
        row
        for row in slot
        if (one or row.single_valued) and row.status != Status.PENDING and are_contradictory(newcomer, row)
    ]
    others += [row for row in affected if row.status != Status.PENDING and _is_denied(newcomer, row)]
    replaced = [row for row in (*slot, *affected) if _is_replaced(row, newcomer)]
    replacing = [row for row in (*slot, *affected) if _is_replaced(newcomer, row)]
    if not (others or replaced or replacing) and has_proposed_single_value(newcomer):
        return _proposed(newcomer, slot)
    rivals = [row for row in others if row.is_active and _overlap(newcomer, row)]
    corrected = _corrected(newcomer, rivals, slot, alike) or _corrected_by_words(newcomer, (*slot, *affected))
    if corrected and not _tells_of_change(newcomer, corrected):
        return ConflictRuling(retires=corrected)
    rivals += [row for row in corrected if row not in rivals]
    return _by_time(newcomer, [row for row in rivals if row not in replaced], others, replaced, replacing)


def apply_ruling(ruling: ConflictRuling, newcomer: Memory, batch: WriteBatch) -> None:
    """Write a ruling. The new memory must be stored, or inserted by the batch, already."""
    unsettled = [row for row in (*ruling.ends, *ruling.retires) if row.status == Status.DISPUTED]
    if ruling.ends and newcomer.valid_from is None:
        batch.change(newcomer, EventType.UPDATED, reason=ENDED, valid_from=get_begin(newcomer))
    for row in (*ruling.ends, *ruling.trims):
        batch.change(row, EventType.UPDATED, reason=ENDED, **_ending(row, get_begin(newcomer), batch.now))
        batch.link(newcomer, row.pk, LinkKind.SUPERSEDES, reason=ENDED)
    for row in ruling.retires:
        _retire(row, newcomer, batch)
    if ruling.by is not None:
        until = get_begin(ruling.by)
        batch.change(newcomer, EventType.UPDATED, reason=ENDED, **_ending(newcomer, until, batch.now))
        batch.link(ruling.by, newcomer.pk, LinkKind.SUPERSEDES, reason=ENDED)
    for row in ruling.disputes:
        batch.change(row, EventType.DISPUTED, reason=ruling.why, status=Status.DISPUTED)
        batch.link(newcomer, row.pk, LinkKind.DISPUTES, reason=ruling.why)
    if ruling.disputes:
        batch.change(newcomer, EventType.DISPUTED, reason=ruling.why, status=Status.DISPUTED)
    settle_disputes(unsettled, batch)


def settle_disputes(gone: Iterable[Memory], batch: WriteBatch) -> None:
    """Settle the disputes of memories that were disputed only by these rows, which are no longer active."""
    ids = {row.pk for row in gone}
    if not ids:
        return
    pairs = list_disputes_of(ids, owner=batch.owner)
    partners = {end for pair in pairs for end in pair} - ids
    pairs = [*list_disputes_of(partners, owner=batch.owner), *batch.list_new_links(LinkKind.DISPUTES)]
    rows = batch.load_current({end for pair in pairs for end in pair})
    for partner in sorted(partners & rows.keys()):
        if rows[partner].status == Status.DISPUTED and not _still_disputed(partner, pairs, rows, ids):
            batch.change(rows[partner], EventType.UPDATED, reason=SETTLED, status=Status.ACTIVE)


def would_end(newcomer: Memory, row: Memory) -> bool:
    """Return whether a row, active or ended, would end where the new memory begins, if not stated again."""
    if row.status not in {Status.ACTIVE, Status.DEPRECATED} or not is_newer(newcomer, row):
        return False
    if not _overlap(newcomer, row) or _unsure(newcomer, row) or is_correction(newcomer):
        return False
    says_changed = row.slot != newcomer.slot and changes.tells_of_change(newcomer)
    if get_begin(row) == get_begin(newcomer) and not says_changed:
        return False
    one = has_single_value(newcomer) or row.single_valued
    return (
        (one and are_contradictory(newcomer, row))
        or (row.slot != newcomer.slot and changes.denies(newcomer, row))
        or changes.replaces(newcomer, row)
    )


def are_contradictory(one: Memory, other: Memory) -> bool:
    """Return whether both name different values of one single-valued slot."""
    if one.pk == other.pk or not one.slot or one.slot != other.slot:
        return False
    ours, theirs = make_slot_of_row(one), make_slot_of_row(other)
    single = one.single_valued or other.single_valued
    return ours is not None and theirs is not None and (single or ours.single) and not ours.agrees(theirs)


def has_single_value(memory: Memory) -> bool:
    """Return whether the memory's slot has one value, by its predicate or by its `single_valued`."""
    slot = make_slot_of_row(memory) if memory.slot else None
    return slot is not None and (slot.single or memory.single_valued)


def has_proposed_single_value(memory: Memory) -> bool:
    """Return whether only a model says that the slot has one value."""
    return (
        bool(memory.metadata.get(ONE_VALUE_PROPOSED)) and bool(memory.slot) and not has_single_value(memory)
    )


def is_correction(memory: Memory) -> bool:
    """Return whether the memory corrects another."""
    return bool(memory.metadata.get("correction"))


def is_newer(newcomer: Memory, row: Memory) -> bool:
    """Return whether the new memory, and not the row, states what is true now.

    Usually this is the memory that began later. The exception is a memory that began earlier, but was stated
    later and in the present tense, against one without a beginning of its own: "I have worked at Globex since
    2021", stated after "I work at Acme". Against a memory with a beginning, its words must also show that it
    lasts. The order in which the two were learnt does not matter.
    """
    if get_begin(newcomer) > get_begin(row):
        return not _is_of_present(row, newcomer)
    return get_begin(newcomer) == get_begin(row) or _is_of_present(newcomer, row)


def get_restatement_time(row: Memory, again: Memory) -> datetime | None:
    """Return `restated_at` of a row that a memory repeats, unless that is much less sure or reflected."""
    if again.written_by == Writer.REFLECTION or _is_less_sure(again, row):
        return row.restated_at
    return max(row.last_stated_at, min(again.stated_at, again.created_at))


def _is_of_present(one: Memory, other: Memory) -> bool:
    """Return whether one memory states what is true now although the other began later."""
    stated_at = one.stated_at
    was_ended_later = one.ended_at is not None and one.valid_until is not None and one.valid_until > stated_at
    if (one.valid_until is not None and not was_ended_later) or _OVER.search(one.content):
        return False
    if stated_at < other.stated_at:
        return False
    undated = one.occurred_at is not None and other.valid_from in {None, other.occurred_at}
    return undated or _LASTING.search(one.content) is not None


def get_conversation(memory: Memory) -> str:
    """Return the session without its number, which increases after a silence; empty outside of a session."""
    name, colon, number = memory.session.rpartition(":")
    if colon and number.isdigit():
        return name
    return "" if memory.session == "default" else memory.session


def get_begin(memory: Memory) -> datetime:
    """Return since when the memory has been true, as far as is known."""
    return memory.valid_from or memory.created_at


def _overlap(one: Memory, other: Memory) -> bool:
    """Return whether the periods of the two overlap."""
    return not any(
        first.valid_until is not None and first.valid_until <= get_begin(second)
        for first, second in ((one, other), (other, one))
    )


def _corrected(
    newcomer: Memory, rivals: Sequence[Memory], slot: Sequence[Memory], alike: Sequence[Memory]
) -> tuple[Memory, ...]:
    """Return what a correction corrects: the rivals, or else the one matching memory of the conversation."""
    if not is_correction(newcomer):
        return ()
    if rivals:
        return tuple(row for row in rivals if is_newer(newcomer, row))
    stated = [row for row in slot if _was_stated_before(row, newcomer) and not _agree(row, newcomer)]
    if len(stated) == 1:
        return tuple(stated)
    similar = [row for row in alike if _was_stated_before(row, newcomer)] if not stated else []
    return tuple(similar[:1])


def _corrected_by_words(newcomer: Memory, rows: Sequence[Memory]) -> tuple[Memory, ...]:
    approved = [row for row in rows if row.is_active and row.status != Status.PENDING]
    wrong = changes.find_corrected(newcomer, [row for row in approved if is_newer(newcomer, row)])
    return () if wrong is None else (wrong,)


def _was_stated_before(row: Memory, newcomer: Memory) -> bool:
    """Return whether an active row was said earlier in the same conversation."""
    same = get_conversation(row) == get_conversation(newcomer) != "" and row.subject == newcomer.subject
    return same and row.is_active and row.status != Status.PENDING and is_newer(newcomer, row)


def _agree(one: Memory, other: Memory) -> bool:
    ours, theirs = make_slot_of_row(one), make_slot_of_row(other)
    return ours is not None and theirs is not None and ours.agrees(theirs)


def _tells_of_change(newcomer: Memory, corrected: Sequence[Memory]) -> bool:
    """Return whether the old value was true before; then it ends, instead of being retired as wrong."""
    later = all(get_begin(row) < get_begin(newcomer) for row in corrected)
    return later and _CHANGE.search(newcomer.content) is not None


def _proposed(newcomer: Memory, slot: Sequence[Memory]) -> ConflictRuling:
    """Dispute the one other value if a model says that the slot has one value; never end it.

    If several values are active already, the slot has many, and the model is not believed.
    """
    active = [row for row in slot if row.is_active and row.status != Status.PENDING and row.pk != newcomer.pk]
    rivals = [row for row in active if not _agree(newcomer, row) and _overlap(newcomer, row)]
    if len(active) != 1 or not rivals:
        return NOTHING
    return ConflictRuling(disputes=tuple(rivals), why=PROPOSED)


def _is_denied(newcomer: Memory, row: Memory) -> bool:
    """Return whether the newer of the two denies the older."""
    newer, older = (newcomer, row) if is_newer(newcomer, row) else (row, newcomer)
    return changes.denies(newer, older)


def _is_replaced(row: Memory, newer: Memory) -> bool:
    """Return whether a newer memory names a thing in place of the row's thing."""
    return (
        Status.PENDING not in {row.status, newer.status}
        and (changes.replaces(newer, row) or changes.ends_by_words(newer, row))
        and is_newer(newer, row)
        and not _unsure(newer, row)
    )


def _by_time(
    newcomer: Memory,
    rivals: Sequence[Memory],
    others: Sequence[Memory],
    replaced: Sequence[Memory],
    replacing: Sequence[Memory],
) -> ConflictRuling:
    ends, tied, unsure = [row for row in replaced if row.is_active], [], []
    for row in rivals:
        same_time = newcomer.valid_from is not None and newcomer.valid_from == row.valid_from
        if same_time and not (row.slot != newcomer.slot and changes.tells_of_change(newcomer)):
            tied.append(row)
        elif _unsure(newcomer, row):
            unsure.append(row)
        elif is_newer(newcomer, row):
            ends.append(row)
    contested = {row.pk for row in (*tied, *unsure)}
    later = [row for row in others if not is_newer(newcomer, row) and row.pk not in contested]
    later += [row for row in replacing if get_begin(row) > get_begin(newcomer)]
    by = min(later, key=get_begin, default=None)
    if by is not None:
        return ConflictRuling(ends=tuple(ends), by=by, trims=_trimmed(newcomer, by, (*others, *replaced)))
    why = SAME_TIME if tied else LESS_CERTAIN
    return ConflictRuling(ends=tuple(ends), disputes=(*tied, *unsure), why=why if contested else "")


def _unsure(newcomer: Memory, row: Memory) -> bool:
    """Return whether the newer of the two is so much less certain that it does not end the older."""
    newer, older = (newcomer, row) if is_newer(newcomer, row) else (row, newcomer)
    return _is_less_sure(newer, older)


def _is_less_sure(one: Memory, other: Memory) -> bool:
    return round(other.confidence - one.confidence, 6) >= WRITING.less_sure


def _trimmed(newcomer: Memory, by: Memory, others: Sequence[Memory]) -> tuple[Memory, ...]:
    """Return rows that were believed to last until `by` began, although the new memory came between."""
    return tuple(
        row
        for row in others
        if row.ended_at is not None
        and row.valid_until == get_begin(by)
        and get_begin(row) < get_begin(newcomer)
    )


def _ending(row: Memory, until: datetime, now: datetime) -> dict[str, Any]:
    """Return the fields that end a row at `until`. A moment in the future does not end it yet.

    A row does not end before it begins: if what ends it began earlier, nothing is left of its period.
    """
    if row.valid_until is not None:
        until = min(until, row.valid_until)
    if row.valid_from is not None:
        until = max(until, row.valid_from)
    values: dict[str, Any] = {"valid_until": until}
    if until <= now:
        values |= {"ended_at": row.ended_at or now, "status": Status.DEPRECATED}
    return values


def _retire(row: Memory, newcomer: Memory, batch: WriteBatch) -> None:
    """Retire a row that was never true; its correction has been true since the row began."""
    is_undated = newcomer.valid_from in {None, newcomer.occurred_at}
    if is_undated and row.valid_from is not None and row.valid_from < get_begin(newcomer):
        batch.change(newcomer, EventType.UPDATED, reason=CORRECTED, valid_from=row.valid_from)
    batch.change(row, EventType.UPDATED, reason=CORRECTED, retired_at=batch.now, status=Status.DEPRECATED)
    batch.link(newcomer, row.pk, LinkKind.SUPERSEDES, reason=CORRECTED)


def _still_disputed(
    partner: UUID, pairs: Iterable[tuple[UUID, UUID]], rows: dict[UUID, Memory], gone: Collection[UUID]
) -> bool:
    opponents = {end for pair in pairs if partner in pair for end in pair} - {partner, *gone}
    return any(rows[one].status == Status.DISPUTED for one in opponents if one in rows)
