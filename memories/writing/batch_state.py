"""Load what the tables hold about the drafts of a batch, and track what the batch changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import Final
from uuid import UUID

from django.conf import settings
from django.utils import timezone

from memories.conf import WRITING
from memories.models import Memory
from memories.storage import (
    Draft,
    active_by_fingerprint,
    active_by_words,
    believed_by_slot,
    count_retired,
    filter_erased,
    inactive_by_fingerprint,
    learnt_by_reference,
    list_active_memories,
)
from memories.text import compute_erasure_digest, get_unnamed_subject
from memories.values import Layer, Status, Writer
from memories.writing import changes, conflicts, drafting
from memories.writing.proposals import UnionProposal

Period = tuple[bytes, datetime | None, datetime | None]
#: Writers of what a model proposed.
MODELS: Final = frozenset({Writer.MODEL, Writer.REFLECTION})
#: The actor of what a job unites because a model says that similar memories are one.
JUDGING: Final = "judging"
#: The time in which models may retire as many of an owner's memories as `Allowance` says.
MODEL_WINDOW: Final = timedelta(hours=24)
#: The reasons of links to what a written memory replaces.
_REPLACED: Final = frozenset({conflicts.ENDED, conflicts.CORRECTED, conflicts.MERGED})


@dataclass(slots=True)
class Allowance:
    """The number of active memories that may still be retired or ended because of a model's answer."""

    remaining: int

    @classmethod
    def of(cls, owner: UUID) -> Allowance:
        """Return what is left of 20 or 5 % of the active memories, whichever is greater, for `MODEL_WINDOW`.

        All batches and jobs of the owner share it, so that one text cannot retire more in parts.
        """
        most = max(WRITING.model_least, int(list_active_memories(owner=owner).count() * WRITING.model_share))
        taken = count_retired(
            timezone.now() - MODEL_WINDOW, actor=JUDGING, writers=MODELS, reasons=_REPLACED, owner=owner
        )
        return cls(max(0, most - taken))

    def take(self, count: int) -> bool:
        """Return whether `count` more memories may be retired; if so, count them."""
        if count > self.remaining:
            return False
        self.remaining -= count
        return True


@dataclass(slots=True)
class BatchState:
    """The rows that a batch may touch, with one object per row however it was found.

    Attributes:
        moved: The rows that drafts and merged rows became part of, by id.
        beside: Similar memories that were active when the batch began and that can only be linked.
        changed: The rows that a draft may end or correct by its words, by the draft's id.
    """

    active: dict[bytes, Memory]
    forgotten: dict[bytes, Memory]
    ended: dict[Period, Memory]
    slots: dict[str, dict[UUID, Memory]]
    learnt: dict[tuple[str, bytes], UUID]
    erased: set[bytes]
    allowance: Allowance
    rows: dict[UUID, Memory] = field(default_factory=dict)
    moved: dict[UUID, Memory] = field(default_factory=dict)
    beside: frozenset[UUID] = frozenset()
    changed: dict[UUID, tuple[UUID, ...]] = field(default_factory=dict)

    @classmethod
    def load(
        cls, drafts: Sequence[Draft], proposals: Iterable[Sequence[UnionProposal]] = (), *, owner: UUID
    ) -> BatchState:
        """Load everything that `place_draft` needs, in at most 11 queries. The ledger must be locked."""
        fingerprints = {bytes(draft.memory.fingerprint) for draft in drafts}
        references = {reference for draft in drafts for reference in draft.sources}
        similar, beside = _split_similar(drafts, proposals)
        proposed = bool(similar) or any(draft.memory.written_by in MODELS for draft in drafts)
        rows: dict[UUID, Memory] = {}

        def one(memory: Memory) -> Memory:
            return rows.setdefault(memory.pk, memory)

        gone = [one(row) for row in inactive_by_fingerprint(fingerprints, owner=owner)]
        state = cls(
            active={key: one(row) for key, row in active_by_fingerprint(fingerprints, owner=owner).items()},
            forgotten={bytes(row.fingerprint): row for row in gone if row.status == Status.FORGOTTEN},
            ended={get_period(row): row for row in gone if _has_ended(row)},
            slots={
                slot: {row.pk: one(row) for row in found}
                for slot, found in load_believed([draft.memory for draft in drafts], owner=owner).items()
            },
            learnt=learnt_by_reference(references, owner=owner),
            erased=_erased(drafts, owner=owner),
            allowance=Allowance.of(owner) if proposed else Allowance(WRITING.model_least),
            rows=rows,
            beside=_filter_active(beside - similar, owner=owner),
        )
        state.changed = _find_changed(drafts, owner=owner)
        state.fetch({pk for ids in state.changed.values() for pk in ids} - rows.keys(), owner=owner)
        state.fetch(similar - rows.keys(), owner=owner)
        hits = state.learnt.values() if state.learnt else ()
        state.fetch(set(hits) - rows.keys(), owner=owner)
        return state

    def has_taught(self, source: str, memory: Memory) -> bool:
        """Return whether a source taught this before, by the current or the former fingerprint."""
        if (source, bytes(memory.fingerprint)) in self.learnt:
            return True
        about_another = get_unnamed_subject(memory.subject, memory.content)
        return not about_another and (source, compute_former_fingerprint(memory)) in self.learnt

    def fetch(self, memory_ids: Iterable[UUID], *, owner: UUID) -> None:
        """Load these rows too."""
        wanted = list(memory_ids)
        if wanted:
            self.rows |= Memory.objects.filter(owner_id=owner).in_bulk(wanted)

    def find_current(self, memory_id: UUID) -> Memory | None:
        """Return the active row that replaces the row of this id, or None."""
        row = self.rows.get(memory_id)
        while memory_id in self.moved:
            row = self.moved[memory_id]
            if row.pk == memory_id:
                break
            memory_id = row.pk
        return row if row is not None and row.is_active else None

    def linkable(self, memory_id: UUID) -> UUID | None:
        """Return the id of the active row that replaces the row of this id, or None."""
        row = self.find_current(memory_id)
        if row is not None:
            return row.pk
        return memory_id if memory_id in self.beside and memory_id not in self.rows else None

    def record_active(self, memory: Memory) -> None:
        """Record a row that the batch inserted or activated."""
        self.active[bytes(memory.fingerprint)] = memory
        self.record_believed(memory)

    def record_believed(self, memory: Memory) -> None:
        """Record a row of the batch that is active or has ended."""
        self.rows[memory.id] = memory
        if memory.slot:
            self.slots.setdefault(memory.slot, {})[memory.pk] = memory

    def may_change(self, memory: Memory, count: int = 1) -> bool:
        """Return whether a memory may change so many others, and count them against a model's allowance."""
        return memory.written_by not in MODELS or self.allowance.take(count)

    def slot_of(self, memory: Memory) -> Sequence[Memory]:
        """Return the believed rows of the memory's slot."""
        return list(self.slots.get(memory.slot, {}).values()) if memory.slot else ()

    def affected_by(self, memory: Memory) -> Sequence[Memory]:
        """Return the believed rows of other slots that the memory may end, or that may have ended it."""
        slots = (changes.affected_slots(memory).keys() | changes.list_replacing_slots(memory)) - {memory.slot}
        found = {row.pk: row for slot in sorted(slots) for row in self.slots.get(slot, {}).values()}
        for memory_id in self.changed.get(memory.pk, ()):
            row = self.find_current(memory_id)
            if row is not None and row.pk not in self.slots.get(memory.slot, {}):
                found[row.pk] = row
        return list(found.values())


def _find_changed(drafts: Sequence[Draft], *, owner: UUID) -> dict[UUID, tuple[UUID, ...]]:
    """Return the rows, stored or earlier in the batch, that each draft may end or correct by its words."""
    stated = [draft.memory for draft in drafts if draft.memory.layer != Layer.EPISODIC]
    texts = {memory.pk: changes.word_change(memory) for memory in stated if memory.is_active}
    texts = {key: text for key, text in texts.items() if changes.may_tell_of_change(text)}
    words = {key: changes.get_search_words(text) for key, text in texts.items()}
    if not words:
        return {}
    stored = active_by_words(frozenset().union(*words.values()), longest=changes.LONGEST, owner=owner)
    order = {memory.pk: place for place, memory in enumerate(stated)}
    rows = [(-1, pk, content, content.lower()) for pk, content in stored]
    rows += [(order[one.pk], one.pk, one.content, one.content.lower()) for one in stated if one.is_active]
    return {
        key: tuple(
            pk
            for place, pk, content, lower in rows
            if place < order[key]
            and any(word in lower for word in words[key])
            and changes.find_change(text, content)
        )
        for key, text in texts.items()
    }


def load_believed(memories: Iterable[Memory], *, owner: UUID) -> dict[str, list[Memory]]:
    """Return the believed rows of the slots of these memories, and those that a change may end.

    Rows are returned as far as they can affect the memories.
    """
    with_slot = [memory for memory in memories if memory.slot]
    if not with_slot:
        return {}
    single = {
        memory.slot
        for memory in with_slot
        if conflicts.has_single_value(memory) or conflicts.has_proposed_single_value(memory)
    }
    many = {memory.slot for memory in with_slot} - single
    corrected = {
        conflicts.get_conversation(memory) for memory in with_slot if conflicts.is_correction(memory)
    } - {""}
    return believed_by_slot(single, many, corrected, owner=owner, naming=_naming(with_slot))


def _naming(memories: Iterable[Memory]) -> dict[str, Callable[[str, str], bool]]:
    """Return the slots that changes affect, each with a check of the rows that matter there."""
    things: dict[str, frozenset[str] | None] = {}
    replacing: set[str] = set()
    for memory in memories:
        replacing |= changes.list_replacing_slots(memory)
        for slot, named in changes.affected_slots(memory).items():
            before = things.get(slot, frozenset())
            things[slot] = None if named is None or before is None else before | named
    return {
        slot: partial(_matters, things=things.get(slot, frozenset()), replacing=slot in replacing)
        for slot in things.keys() | replacing
    }


def _matters(thing: str, content: str, *, things: frozenset[str] | None, replacing: bool) -> bool:
    """Return whether a row of an affected slot may end, or be ended by, a memory of the batch."""
    return changes.is_named(thing, things) or (replacing and changes.may_replace(content))


def get_period(memory: Memory) -> Period:
    """Return the key that distinguishes periods of the same statement."""
    return bytes(memory.fingerprint), memory.valid_from, memory.valid_until


def compute_digests(draft: Draft) -> set[bytes]:
    """Return the digests that an erasure of this draft would have left, one for each source and fingerprint.

    A draft without a source has none: a person or program may state an erased thing again.
    """
    keys = {bytes(draft.memory.fingerprint), compute_former_fingerprint(draft.memory)}
    return {
        compute_erasure_digest(settings.SECRET_KEY, key, source) for source in draft.sources for key in keys
    }


def compute_former_fingerprint(memory: Memory) -> bytes:
    """Return the fingerprint by rules 1; erasures and sources may still hold it. Later rules share theirs."""
    if memory.content.isascii() and not memory.subject:
        return bytes(memory.fingerprint)
    return drafting.compute_row_fingerprint(memory, rules=1)


def _split_similar(
    drafts: Sequence[Draft], proposals: Iterable[Sequence[UnionProposal]]
) -> tuple[set[UUID], set[UUID]]:
    """Return the similar memories that a draft may become one with or correct, and those to link only."""
    decisive: set[UUID] = set()
    beside: set[UUID] = set()
    for draft, found in zip(drafts, proposals, strict=False):
        corrects = conflicts.is_correction(draft.memory)
        for one in found:
            (decisive if one.union is not None or corrects else beside).add(one.similar.memory.pk)
    return decisive, beside


def _filter_active(memory_ids: set[UUID], *, owner: UUID) -> frozenset[UUID]:
    if not memory_ids:
        return frozenset()
    rows = list_active_memories(owner=owner).filter(id__in=memory_ids)
    return frozenset(rows.values_list("id", flat=True))


def _has_ended(row: Memory) -> bool:
    return row.ended_at is not None and row.retired_at is None and row.forgotten_at is None


def _erased(drafts: Sequence[Draft], *, owner: UUID) -> set[bytes]:
    wanted = {digest for draft in drafts for digest in compute_digests(draft)}
    return filter_erased(wanted, owner=owner)
