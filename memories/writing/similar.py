"""Find active memories that are so similar to a draft that the two may be one.

Similarity only proposes; it never decides. The search is exact within the owner. Memories with the same
wording are found by an index, at a cost that does not depend on how much is stored; without a model, only
these become one. Where a model decides, the database compares a few drafts with all active memories; more
drafts are compared by one matrix product.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

import numpy as np
from django.db import connection
from numpy.typing import NDArray

from memories.conf import MOST_SIMILAR, WRITING
from memories.models import Memory
from memories.storage import Draft, active_by_object, active_by_wording, list_active_memories
from memories.text import get_unnamed_subject
from memories.values import Layer
from memsite.llm.embedding import Embedder, get_embedder

#: The columns read of a similar memory: thousands may be similar to a batch, and few of them are united with
#: a draft.
HEADER_COLUMNS: Final = ("id", "owner", "layer", "kind", "content", "subject", "fingerprint")
#: Up to this many drafts, the database searches the owner's vectors; for more, the vectors are fetched.
FEW: Final = 8
#: The header of halfvec_send: two int16 (dimensions, unused); big-endian float16 values follow.
_HEADER: Final = 4
#: Rows per matrix product: 512 × 10,000 float32 are 20 MB.
_BLOCK: Final = 512

#: OFFSET 0 keeps the look-up of the vector a look-up by key, even if the planner has no statistics of the
#: tables: with a plain join it read all vectors of an owner once for each memory.
_VECTOR: Final = """
    SELECT x.vector FROM memories_memoryembedding AS x
    WHERE x.owner_id = m.owner_id AND x.memory_id = m.id AND x.model = %(model)s OFFSET 0
"""
_IS_ACTIVE: Final = """
    m.owner_id = %(owner)s AND m.layer <> 'episodic'
    AND m.retired_at IS NULL AND m.ended_at IS NULL AND m.forgotten_at IS NULL
"""
_SEARCH: Final = f"""
WITH draft AS MATERIALIZED (
    SELECT place, layer, kind, vector::halfvec AS vector
    FROM unnest(%(layers)s::text[], %(kinds)s::text[], %(vectors)s::text[])
        WITH ORDINALITY AS d (layer, kind, vector, place)
)
SELECT d.place - 1, n.id, 1 - n.distance
FROM draft AS d CROSS JOIN LATERAL (
    SELECT m.id, e.vector <=> d.vector AS distance
    FROM memories_memory AS m CROSS JOIN LATERAL ({_VECTOR}) AS e
    WHERE {_IS_ACTIVE} AND m.layer = d.layer AND m.kind = d.kind
        AND e.vector <=> d.vector <= 1 - %(cosine)s
    ORDER BY distance LIMIT %(most)s
) AS n
"""  # noqa: S608 - built from the constants above, nothing from outside
_FETCH: Final = f"""
SELECT array_agg(m.id), array_agg(m.layer || '/' || m.kind), array_agg(halfvec_send(e.vector))
FROM memories_memory AS m CROSS JOIN LATERAL ({_VECTOR}) AS e
WHERE {_IS_ACTIVE} AND m.layer || '/' || m.kind = ANY(%(sorts)s)
"""  # noqa: S608 - as above

Float32 = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class SimilarMemory:
    """A memory that is similar to a draft.

    Attributes:
        memory: An active row with only the columns in `HEADER_COLUMNS` loaded, or the row of an earlier draft
            of the same batch.
        similarity: The reference similarity, from 0 to 1.
    """

    memory: Memory
    similarity: float


def find_similar(
    drafts: Sequence[Draft], *, owner: UUID, least: float | None = None
) -> list[tuple[SimilarMemory, ...]]:
    """Return, for each draft, up to three similar memories of its layer and kind, most similar first.

    A memory that states the same of the same slot counts as similar, whatever its wording. Episodes have no
    similar memories. Makes at most 4 statements, and none for episodes alone. If an embedding failed, only
    the comparison of vectors is missing.

    Args:
        drafts: The drafts.
        owner: The owner of the drafts and of the memories searched.
        least: The reference similarity, from 0 to 1, from which a memory is similar. If None, only memories
            with the same wording are, and, for a draft that corrects something, those of at least `similar`.
    """
    found: list[dict[UUID, SimilarMemory]] = [{} for _ in drafts]
    stored = [place for place, draft in enumerate(drafts) if _may_be_stored(draft)]
    if not stored:
        return [()] * len(drafts)
    _by_slot(drafts, stored, found, owner=owner)
    embedded = [place for place in stored if drafts[place].vector is not None]
    if least is None:
        _by_wording(drafts, stored, found, owner=owner)
        embedded = [place for place in embedded if drafts[place].memory.metadata.get("correction")]
    if embedded:
        model = drafts[embedded[0]].model  # the site may have changed to another model since
        seen = [place for place in embedded if drafts[place].model == model]
        measure = _Measure(get_embedder(model), WRITING.similar if least is None else least)
        _among_drafts(drafts, seen, found, measure)
        _among_stored(drafts, seen, found, measure, owner=owner)
    return [_nearest(draft.memory, of_one.values()) for draft, of_one in zip(drafts, found, strict=True)]


def get_cosine(reference: float, embedder: Embedder) -> float:
    """Return the raw cosine that the embedder's profile maps to this reference similarity."""
    raw, mapped = zip(*embedder.profile.points, strict=True)
    return float(np.interp(reference, mapped, raw))


@dataclass(frozen=True, slots=True)
class _Measure:
    """The embedder that measures similarity, and the least reference similarity that counts."""

    embedder: Embedder
    least: float

    @property
    def cosine(self) -> float:
        """Return the least raw cosine that counts."""
        return get_cosine(self.least, self.embedder)

    def make_similar(self, memory: Memory, cosine: float) -> SimilarMemory:
        """Return the similar memory with its reference similarity, from a raw cosine."""
        return SimilarMemory(memory, self.embedder.profile.to_reference(cosine))


def _may_be_stored(draft: Draft) -> bool:
    return draft.memory.layer != Layer.EPISODIC and draft.memory.is_active


def _get_kind(memory: Memory) -> str:
    return f"{memory.layer}/{memory.kind}"


def _nearest(memory: Memory, found: Iterable[SimilarMemory]) -> tuple[SimilarMemory, ...]:
    """Return the most similar memories about the same subject; others are never one with it."""
    about = get_unnamed_subject(memory.subject, memory.content)
    same = (one for one in found if get_unnamed_subject(one.memory.subject, one.memory.content) == about)
    return tuple(sorted(same, key=lambda one: -one.similarity)[:MOST_SIMILAR])


def _by_slot(
    drafts: Sequence[Draft], stored: Sequence[int], found: list[dict[UUID, SimilarMemory]], *, owner: UUID
) -> None:
    """Find memories that state the same of the same slot."""
    with_slot = [place for place in stored if drafts[place].memory.slot]
    slots = {drafts[place].memory.slot for place in with_slot}
    objects = {drafts[place].memory.object for place in with_slot}
    rows: dict[tuple[str, str, str], list[Memory]] = {}
    for row in active_by_object(slots, objects, owner=owner) if slots else ():
        rows.setdefault((row.slot, row.object, _get_kind(row)), []).append(row)
    for place in with_slot:
        memory = drafts[place].memory
        for row in rows.get((memory.slot, memory.object, _get_kind(memory)), ()):
            found[place][row.pk] = SimilarMemory(row, WRITING.similar)


def _by_wording(
    drafts: Sequence[Draft], stored: Sequence[int], found: list[dict[UUID, SimilarMemory]], *, owner: UUID
) -> None:
    """Find memories and earlier drafts with the same wording."""
    wanted = {bytes(drafts[place].memory.wording) for place in stored} - {b""}
    alike: dict[tuple[bytes, str], list[Memory]] = {}
    for row in active_by_wording(wanted, *HEADER_COLUMNS, "wording", owner=owner) if wanted else ():
        alike.setdefault((bytes(row.wording), _get_kind(row)), []).append(row)
    for place in stored:
        memory = drafts[place].memory
        rows = alike.setdefault((bytes(memory.wording), _get_kind(memory)), [])
        for row in rows[-MOST_SIMILAR:] if memory.wording else ():
            found[place][row.pk] = SimilarMemory(row, 1.0)
        rows.append(memory)


def _among_drafts(
    drafts: Sequence[Draft], seen: Sequence[int], found: list[dict[UUID, SimilarMemory]], measure: _Measure
) -> None:
    """Find similar earlier drafts of the batch."""
    sorts = np.array([_get_kind(drafts[place].memory) for place in seen])
    vectors = np.stack([np.asarray(drafts[place].vector, dtype=np.float32) for place in seen])
    for row, column, cosine in _product(vectors, vectors, sorts, sorts, measure, earlier=True):
        memory = drafts[seen[column]].memory
        found[seen[row]][memory.pk] = measure.make_similar(memory, cosine)


def _among_stored(
    drafts: Sequence[Draft],
    seen: Sequence[int],
    found: list[dict[UUID, SimilarMemory]],
    measure: _Measure,
    *,
    owner: UUID,
) -> None:
    look = _searched if len(seen) <= FEW else _multiplied
    pairs = look([drafts[place] for place in seen], measure, owner=owner)
    headers = list_active_memories(owner=owner).only(*HEADER_COLUMNS)
    rows = headers.in_bulk({memory_id for _, memory_id, _ in pairs}) if pairs else {}
    for place, memory_id, cosine in pairs:
        if memory_id in rows:
            found[seen[place]][memory_id] = measure.make_similar(rows[memory_id], cosine)


def _searched(drafts: Sequence[Draft], measure: _Measure, *, owner: UUID) -> list[tuple[int, UUID, float]]:
    """Return (draft, memory, cosine) tuples, found by the database."""
    values: dict[str, Any] = {
        "owner": owner,
        "model": measure.embedder.model,
        "layers": [draft.memory.layer for draft in drafts],
        "kinds": [draft.memory.kind for draft in drafts],
        "vectors": [f"[{','.join(f'{value:.5g}' for value in draft.vector)}]" for draft in drafts],
        "cosine": measure.cosine,
        "most": MOST_SIMILAR,
    }
    with connection.cursor() as cursor:
        cursor.execute(_SEARCH, values)
        return [(int(place), memory_id, float(cosine)) for place, memory_id, cosine in cursor.fetchall()]


def _multiplied(drafts: Sequence[Draft], measure: _Measure, *, owner: UUID) -> list[tuple[int, UUID, float]]:
    """Return (draft, memory, cosine) tuples, found by one matrix product."""
    sorts = np.array([_get_kind(draft.memory) for draft in drafts])
    values: dict[str, Any] = {
        "owner": owner,
        "model": measure.embedder.model,
        "sorts": sorted(set(sorts.tolist())),
    }
    with connection.cursor() as cursor:
        cursor.execute(_FETCH, values)
        ids, theirs, sent = cursor.fetchone()
    if not ids:
        return []
    vectors = np.stack([np.asarray(draft.vector, dtype=np.float32) for draft in drafts])
    pairs = _product(vectors, _unpacked(sent), sorts, np.array(theirs), measure)
    return [(row, ids[column], cosine) for row, column, cosine in pairs]


def _product(
    ours: Float32,
    theirs: Float32,
    sorts: NDArray[Any],
    their_sorts: NDArray[Any],
    measure: _Measure,
    *,
    earlier: bool = False,
) -> list[tuple[int, int, float]]:
    """Return (row, column, cosine) of the three most similar columns of the same layer and kind for each row.

    If `earlier` is set, only columns before the row count.
    """
    codes = {sort: code for code, sort in enumerate(set(sorts.tolist()) | set(their_sorts.tolist()))}
    rows = np.array([codes[sort] for sort in sorts.tolist()], dtype=np.int16)
    columns = np.array([codes[sort] for sort in their_sorts.tolist()], dtype=np.int16)
    found = []
    for start in range(0, len(ours), _BLOCK):
        block = slice(start, start + _BLOCK)
        cosines = ours[block] @ theirs.T
        cosines[rows[block, None] != columns[None, :]] = -1
        if earlier:
            cosines[np.triu_indices(len(cosines), start, len(theirs))] = -1
        top = _greatest(cosines, MOST_SIMILAR)
        above = np.argwhere(np.take_along_axis(cosines, top, 1) >= measure.cosine)
        for row, rank in above.tolist():
            column = int(top[row, rank])
            found.append((start + row, column, float(cosines[row, column])))
    return found


def _greatest(values: Float32, most: int) -> NDArray[np.int64]:
    """Return the columns of the greatest values of each row, unordered."""
    if values.shape[1] <= most:
        return np.broadcast_to(np.arange(values.shape[1]), values.shape)
    return np.argpartition(values, -most, axis=1)[:, -most:]


def _unpacked(sent: Sequence[bytes]) -> Float32:
    whole = np.frombuffer(b"".join(bytes(one) for one in sent), np.uint8)
    grid = whole.reshape(len(sent), -1)[:, _HEADER:]
    return np.ascontiguousarray(grid).view(">f2").astype(np.float32)
