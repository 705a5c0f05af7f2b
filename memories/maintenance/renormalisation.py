"""Derive stored memories again after a change of the normalisation rules.

Fingerprint, terms, wording, slot, names and graph rows are derived from a memory's fields. Each chunk is one
transaction that locks the owner's ledger and advances the owner's cursor. So a run that is killed at any
point has completed whole chunks, and the next run continues after them.
"""

from __future__ import annotations

from collections.abc import Collection, Generator, Mapping, Sequence
from typing import Final
from uuid import UUID

from django.db import connection, transaction
from django.db.models import QuerySet
from django.utils import timezone

from memories.models import (
    EventType,
    Ledger,
    LinkKind,
    Memory,
    MemoryEmbedding,
    Mention,
    Renormalisation,
    SentenceVector,
)
from memories.storage import (
    active_by_fingerprint,
    graph_index,
    list_disputes_of,
    load_sources,
    lock_ledger,
    open_batch,
)
from memories.text import RULES, analyse_text, simplify
from memories.values import Layer, Status
from memories.writing import drafting
from memsite.serving.postgres import across_owners

#: Memories per transaction; other writers of the owner wait that long.
CHUNK: Final = 200
ACTOR: Final = "normalising"
MERGED: Final = "merged"
_DERIVED: Final = ("fingerprint", "wording", "slot", "terms", "content_words", "cues")
#: Which of two equal memories stays: first the disputed one, because its dispute stays open, then the active
#: one.
_ORDER: Final = (Status.DISPUTED, Status.ACTIVE, Status.PENDING)

_SOURCES: Final = """
UPDATE memories_memorysource AS s SET fingerprint = %(new)s
WHERE s.owner_id = %(owner)s AND s.memory_id = %(memory)s AND s.fingerprint = %(old)s AND NOT EXISTS (
    SELECT 1 FROM memories_memorysource AS x
    WHERE x.owner_id = s.owner_id AND x.reference = s.reference AND x.fingerprint = %(new)s
)
"""


@across_owners()
def list_owners_left() -> list[UUID]:
    """Return the owners with memories derived by older rules. For the sweep and the command."""
    done = Renormalisation.objects.filter(rules=RULES, finished=True).values("owner_id")
    return list(
        Ledger.objects.exclude(owner_id__in=done).order_by("owner_id").values_list("owner_id", flat=True)
    )


def count_memories_left(*, owner: UUID) -> int:
    """Return how many memories a run would still process."""
    state = _state(owner=owner)
    return 0 if state.finished else _behind(state.through, owner=owner).count()


def renormalise_memories(*, owner: UUID) -> Generator[int, None, None]:
    """Derive again what follows from the normalisation of an owner's memories, chunk by chunk.

    Continues where a stopped run with the same rules ended; does nothing after a finished one.

    Yields:
        The number of memories in each chunk.
    """
    finished = _state(owner=owner).finished
    while not finished:
        with transaction.atomic():
            lock_ledger(owner=owner)
            state = _state(owner=owner)  # another run may have continued meanwhile
            rows = [] if state.finished else list(_behind(state.through, owner=owner).order_by("id")[:CHUNK])
            derive_again(rows, owner=owner)
            finished = len(rows) < CHUNK
            _note(rows[-1].pk if rows else state.through, finished=finished, owner=owner)
        yield len(rows)


def derive_again(rows: Sequence[Memory], *, owner: UUID) -> None:
    """Derive everything that depends on these memories' fields. The ledger must be locked."""
    if not rows:
        return
    names = drafting.load_names(owner)
    before = {row.pk: _derived(row) for row in rows}
    by_id = {row.pk: row for row in rows}
    for row in rows:
        _identify(row, by_id, owner=owner)
        analysis = analyse_text(row.content)
        row.terms, row.content_words, row.cues = analysis.terms, analysis.length, analysis.cues
        row.wording = drafting.compute_wording(row)
        row.slot = drafting.compute_slot_digest(row, names)
    changed = [row for row in rows if _derived(row) != before[row.pk]]
    _drop_vectors(rows, owner=owner)
    _write(changed, owner=owner)
    graph_index.reindex_memories(rows, owner=owner, named=_named(rows, owner=owner))


def _derived(row: Memory) -> tuple[object, ...]:
    values = (getattr(row, name) for name in _DERIVED)
    return tuple(bytes(value) if isinstance(value, memoryview) else value for value in values)


def _identify(
    row: Memory, rows: dict[UUID, Memory], *, owner: UUID, waiting: frozenset[UUID] = frozenset()
) -> None:
    """Set the fingerprint of a row by the current rules, and unite it with a row that has the same one.

    Two episodes stay two: the later one keeps its fingerprint.

    Args:
        row: The memory.
        rows: The memories of the chunk, one object for each.
        owner: The owner.
        waiting: Rows that wait for this one to give up its fingerprint.
    """
    old, new = bytes(row.fingerprint), drafting.compute_row_fingerprint(row)
    if old == new:
        return
    other = _holder(new, row, rows, owner=owner)
    if other is not None and drafting.compute_row_fingerprint(other) != new and other.pk not in waiting:
        _identify(other, rows, owner=owner, waiting=waiting | {row.pk})
        other = _holder(new, row, rows, owner=owner)
    if other is not None and (row.layer == Layer.EPISODIC or drafting.compute_row_fingerprint(other) != new):
        return
    if other is not None:
        _unite(row, other, owner=owner)
    row.fingerprint = new
    Memory.objects.filter(owner_id=owner, pk=row.pk).update(fingerprint=new)
    with connection.cursor() as cursor:
        cursor.execute(_SOURCES, {"owner": owner, "memory": row.pk, "old": old, "new": new})


def _holder(key: bytes, row: Memory, rows: dict[UUID, Memory], *, owner: UUID) -> Memory | None:
    """Return another active memory with this fingerprint; two active rows cannot share one."""
    found = active_by_fingerprint([key], owner=owner).get(key) if row.is_active else None
    return None if found is None or found.pk == row.pk else rows.setdefault(found.pk, found)


def _unite(row: Memory, other: Memory, *, owner: UUID) -> None:
    """Unite two equal active memories: strengthen one, retire the other and link it as superseded."""
    # sources are unique by reference and fingerprint, and both memories may have the same source
    former = bytes(row.fingerprint)
    kept, gone = sorted((row, other), key=lambda one: (_ORDER.index(Status(one.status)), one.pk))
    used = [one.last_accessed_at for one in (kept, gone) if one.last_accessed_at is not None]
    with open_batch(owner=owner, actor=ACTOR, reason=MERGED) as batch:
        batch.change(gone, EventType.UPDATED, status=Status.DEPRECATED, retired_at=batch.now)
        batch.change(
            kept,
            EventType.UPDATED,
            occurrence_count=kept.occurrence_count + gone.occurrence_count,
            access_count=kept.access_count + gone.access_count,
            last_accessed_at=max(used, default=None),
            restated_at=kept.restated_at
            if gone.status == Status.PENDING
            else max(kept.last_stated_at, gone.last_stated_at),
            confidence=max(kept.confidence, gone.confidence),
            importance=max(kept.importance, gone.importance),
            base_importance=max(kept.base_importance, gone.base_importance),
            pinned=kept.pinned or gone.pinned,
            sensitive=kept.sensitive or gone.sensitive,
            tags=list(dict.fromkeys((*kept.tags, *gone.tags))),
            participants=list(dict.fromkeys((*kept.participants, *gone.participants))),
            metadata={**gone.metadata, **kept.metadata},
        )
        batch.link(kept, gone.pk, LinkKind.SUPERSEDES, reason=MERGED)
        for reference in load_sources([gone.pk], owner=owner).get(gone.pk, ()):
            batch.add_source(kept, reference, former)
        for opponent in _opponents(gone, owner=owner) - {kept.pk}:
            batch.link(kept, opponent, LinkKind.DISPUTES, reason=MERGED)


def _opponents(memory: Memory, *, owner: UUID) -> set[UUID]:
    return {end for pair in list_disputes_of([memory.pk], owner=owner) for end in pair} - {memory.pk}


def _drop_vectors(rows: Sequence[Memory], *, owner: UUID) -> None:
    """Delete vectors of texts that are not in simplified characters; the sweep embeds these texts again."""
    ids = [row.pk for row in rows if simplify(row.content) != row.content]
    if ids:
        MemoryEmbedding.objects.filter(owner_id=owner, memory_id__in=ids).delete()
        SentenceVector.objects.filter(owner_id=owner, memory_id__in=ids).delete()
        _touch(ids, owner=owner)


def _write(changed: Sequence[Memory], *, owner: UUID) -> None:
    """Store the derived columns, and increment the index version of the rows."""
    if changed:
        Memory.objects.bulk_update(changed, _DERIVED, batch_size=CHUNK)
        _touch([row.pk for row in changed], owner=owner)


def _touch(ids: Collection[UUID], *, owner: UUID) -> None:
    version = lock_ledger(owner=owner).index_version + 1
    Memory.objects.filter(owner_id=owner, id__in=list(ids)).update(index_version=version)
    Ledger.objects.filter(owner_id=owner).update(index_version=version)


def _named(rows: Sequence[Memory], *, owner: UUID) -> Mapping[UUID, tuple[str, ...]]:
    """Return the names that each memory mentions, as written. Their stored hashes follow the old rules."""
    mentions = Mention.objects.filter(owner_id=owner, memory_id__in=[row.pk for row in rows])
    found: dict[UUID, tuple[str, ...]] = {}
    for memory_id, name in mentions.order_by("id").values_list("memory_id", "entity__name"):
        found[memory_id] = (*found.get(memory_id, ()), name)
    return found


def _state(*, owner: UUID) -> Renormalisation:
    stored = Renormalisation.objects.filter(owner_id=owner, rules=RULES).first()
    return stored or Renormalisation(owner_id=owner, rules=RULES)


def _behind(through: UUID | None, *, owner: UUID) -> QuerySet[Memory]:
    rows = Memory.objects.filter(owner_id=owner)
    return rows if through is None else rows.filter(id__gt=through)


def _note(through: UUID | None, *, finished: bool, owner: UUID) -> None:
    Renormalisation.objects.update_or_create(
        owner_id=owner,
        defaults={"through": through, "finished": finished, "rules": RULES, "updated_at": timezone.now()},
    )
