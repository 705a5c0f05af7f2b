"""Load the rows of an owner's index from PostgreSQL in one statement, all of them or only the changed ones.

The columns arrive as aggregates in one row, with numbers packed in binary form. Loading 10,000 memories
therefore costs one round trip and creates no Python object per number.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any, Final
from uuid import UUID

import numpy as np
from django.db import connection
from numpy.typing import NDArray

from memories.retrieval.index import IndexRows
from memories.values import LAYERS, Writer
from memsite.llm.embedding import SENTENCE_DIMENSIONS

_FLOATS: Final = (
    "occurred_at",
    "restated_at",
    "created_at",
    "last_used_at",
    "valid_from",
    "valid_until",
    "ended_at",
    "retired_at",
    "importance",
    "confidence",
)
_INTEGERS: Final = ("layer", "position", "access_count", "length", "cues", "pinned", "is_over", "is_reworded")
_TEXTS: Final = ("kind", "category", "status", "speaker", "session")
_BLOBS: Final = ("terms", "tokens", "entities", "sources", "successors")

_TYPES: Final[dict[str, type[np.generic]]] = {
    "layer": np.uint8,
    "pinned": np.bool_,
    "is_over": np.bool_,
    "is_reworded": np.bool_,
    "importance": np.float32,
    "confidence": np.float32,
}

_NAN: Final = "'NaN'::float8"


def _epoch(column: str) -> str:
    return f"coalesce(extract(epoch FROM {column})::float8, {_NAN})"


#: Whether a memory says what is no longer so, or never was. What was merged still is so, in other words.
_IS_OVER: Final = f"""CASE WHEN m.forgotten_at IS NOT NULL THEN m.forgotten_by = '{Writer.PERSON}'
        WHEN m.retired_at IS NOT NULL THEN coalesce(n.reason, '') NOT IN ('', 'merged', 'compressed')
        ELSE m.valid_until IS NOT NULL END"""
#: The memory that replaced one that is retired or ended. Few are.
_SUCCESSOR: Final = """LEFT JOIN LATERAL (
        SELECT x.memory_id, x.reason FROM memories_memorylink AS x
        WHERE x.owner_id = m.owner_id AND x.other_id = m.id AND x.kind = 'supersedes'
            AND (m.retired_at IS NOT NULL OR m.valid_until IS NOT NULL)
        ORDER BY x.created_at DESC, x.id DESC LIMIT 1
    ) AS n ON true"""
_PACKED_SOURCES: Final = (
    "string_agg(int8send(hashtextextended(x.reference, 0)), ''::bytea ORDER BY x.id) AS sources"
)
_SOURCES_JOINED: Final = f"""LEFT JOIN (
        SELECT x.memory_id, {_PACKED_SOURCES} FROM memories_memorysource AS x
        WHERE x.owner_id = %(owner)s GROUP BY x.memory_id
    ) AS s ON s.memory_id = m.id"""  # noqa: S608 - built from constants
_SOURCES_LOOKED_UP: Final = f"""LEFT JOIN LATERAL (
        SELECT {_PACKED_SOURCES} FROM memories_memorysource AS x
        WHERE x.owner_id = m.owner_id AND x.memory_id = m.id
    ) AS s ON true"""  # noqa: S608 - built from constants
_LAYER: Final = " ".join(f"WHEN '{layer}' THEN {number}" for number, layer in enumerate(LAYERS))
_AGGREGATES: Final = ", ".join(
    [
        *(f"string_agg(float8send(r.{name}), ''::bytea) AS {name}" for name in _FLOATS),
        *(f"string_agg(int4send(r.{name}), ''::bytea) AS {name}" for name in _INTEGERS),
        *(f"array_agg(r.{name}) AS {name}" for name in (*_TEXTS, *_BLOBS)),
    ]
)
_STATEMENT: Final = f"""
SELECT max(r.version), string_agg(uuid_send(r.id), ''::bytea), {{vectors}}, {{sentences}}, {_AGGREGATES}
FROM (
    SELECT m.id, {{version}} AS version,
        CASE m.layer {_LAYER} END AS layer,
        m.kind, m.category, m.status, m.speaker,
        CASE WHEN m.layer = 'episodic' THEN m.session ELSE '' END AS session,
        m.turn AS position,
        {_epoch("m.occurred_at")} AS occurred_at,
        {_epoch("m.restated_at")} AS restated_at,
        {_epoch("m.created_at")} AS created_at,
        {_epoch("greatest(m.created_at, m.last_accessed_at)")} AS last_used_at,
        {_epoch("m.valid_from")} AS valid_from,
        {_epoch("m.valid_until")} AS valid_until,
        {_epoch("m.ended_at")} AS ended_at,
        {_epoch("m.retired_at")} AS retired_at,
        m.importance, m.confidence, m.access_count,
        m.content_words AS length, m.cues, m.pinned::int AS pinned, m.terms, m.entity_terms AS entities,
        coalesce(e.tokens, ''::bytea) AS tokens, e.vector, {{sentence}} AS sentence,
        coalesce(s.sources, ''::bytea) AS sources, coalesce(uuid_send(n.memory_id), ''::bytea) AS successors,
        ({_IS_OVER})::int AS is_over, (coalesce(n.reason, '') = 'edited')::int AS is_reworded
    FROM {{memories}}
    {{embeddings}}
    {{sources}}
    {_SUCCESSOR}
    WHERE m.owner_id = %(owner)s AND {{chosen}}
    ORDER BY m.id
) AS r
"""  # noqa: S608 - built from the constants above, nothing from outside
_JOINED: Final = """LEFT JOIN memories_memoryembedding AS e
        ON e.owner_id = m.owner_id AND e.memory_id = m.id AND e.model = %(model)s"""
#: OFFSET 0 keeps the planner from flattening the inner SELECT, which would join all embeddings, or read all
#: memories of the owner, for a few changed rows.
_LOOKED_UP: Final = """LEFT JOIN LATERAL (
        SELECT x.tokens, x.vector FROM memories_memoryembedding AS x
        WHERE x.owner_id = m.owner_id AND x.memory_id = m.id AND x.model = %(model)s OFFSET 0
    ) AS e ON true"""
_VECTORS: Final = "array_agg(halfvec_send(r.vector))"
_SENTENCES_JOINED: Final = """
    LEFT JOIN memories_sentencevector AS v
        ON v.owner_id = m.owner_id AND v.memory_id = m.id AND v.model = %(sentences)s"""
_SENTENCES_LOOKED_UP: Final = """
    LEFT JOIN LATERAL (
        SELECT x.vector, x.version FROM memories_sentencevector AS x
        WHERE x.owner_id = m.owner_id AND x.memory_id = m.id AND x.model = %(sentences)s OFFSET 0
    ) AS v ON true"""
_CHANGED: Final = """
        SELECT x.id FROM memories_memory AS x WHERE x.owner_id = %(owner)s AND x.index_version > %(after)s"""
#: A sentence vector that was filled in counts as a change of its memory.
_FILLED: Final = """
        UNION SELECT x.memory_id FROM memories_sentencevector AS x
        WHERE x.owner_id = %(owner)s AND x.version > %(after)s AND x.model = %(sentences)s"""
_CHANGED_MEMORIES: Final = """({changed}
    ) AS c CROSS JOIN LATERAL (
        SELECT x.* FROM memories_memory AS x WHERE x.owner_id = %(owner)s AND x.id = c.id OFFSET 0
    ) AS m"""


def _statement(*, changed: bool, vectors: bool, sentences: bool) -> str:
    """Return the statement that loads all rows or the changed ones, with or without both kinds of vectors."""
    filled = (_SENTENCES_LOOKED_UP if changed else _SENTENCES_JOINED) if sentences else ""
    ids = _CHANGED + _FILLED if sentences else _CHANGED
    return _STATEMENT.format(
        vectors=_VECTORS if vectors else "NULL",
        sentences="array_agg(r.sentence)" if sentences else "NULL",
        version="greatest(m.index_version, v.version)" if sentences else "m.index_version",
        sentence="v.vector" if sentences else "NULL",
        sources=_SOURCES_LOOKED_UP if changed else _SOURCES_JOINED,
        embeddings=(_LOOKED_UP if changed else _JOINED) + filled,
        memories=_CHANGED_MEMORIES.format(changed=ids) if changed else "memories_memory AS m",
        chosen="true" if changed else "m.index_version > %(after)s",
    )


#: Keys: whether only changed rows are loaded, whether vectors are, and whether sentence vectors are.
_STATEMENTS: Final = {
    key: _statement(changed=key[0], vectors=key[1], sentences=key[2])
    for key in product((False, True), repeat=3)
}

#: halfvec_send: two int16 (dimensions, unused), then the values as big-endian float16.
_HEADER: Final = 4


def load_rows(
    *,
    owner: UUID,
    model: str,
    after: int = 0,
    dimensions: int | None = None,
    sentence_model: str = "",
) -> tuple[IndexRows, int]:
    """Load the rows of an owner that changed after an index version. One statement.

    Args:
        owner: Owner of the memories.
        model: Embedding model whose tokens and vectors are loaded.
        after: Index version; 0 loads all rows.
        dimensions: Length of the vectors to load; None for a token embedder, which needs no vectors.
        sentence_model: Sentence model whose vectors are loaded; empty for none. Rows whose vectors were
            filled in after the version count as changed.

    Returns:
        The rows, and the highest version among them (`after` if there are none).
    """
    statement = _STATEMENTS[after > 0, dimensions is not None, bool(sentence_model)]
    values: dict[str, UUID | str | int] = {
        "owner": owner,
        "model": model,
        "after": after,
        "sentences": sentence_model,
    }
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        version, ids, vectors, sentences, *columns = cursor.fetchone()
    unpacked = _unpack_sentences(sentences or []) if sentence_model else None
    if version is None:
        return _rows([], None, None, unpacked), after
    return _rows(_split_ids(bytes(ids)), columns, _unpack_vectors(vectors, dimensions), unpacked), version


def _rows(
    ids: list[bytes],
    columns: list[Any] | None,
    vectors: NDArray[np.float32] | None,
    sentences: NDArray[np.int8] | None,
) -> IndexRows:
    names = (*_FLOATS, *_INTEGERS, *_TEXTS, *_BLOBS)
    by_name = dict(zip(names, columns, strict=True)) if columns else dict.fromkeys(names, b"")
    values: dict[str, Any] = {"ids": ids, "vectors": vectors, "sentences": sentences}
    for name in _FLOATS:
        values[name] = np.frombuffer(bytes(by_name[name]), ">f8").astype(_TYPES.get(name, np.float64))
    for name in _INTEGERS:
        values[name] = np.frombuffer(bytes(by_name[name]), ">i4").astype(_TYPES.get(name, np.int64))
    for name in _TEXTS:
        values[name] = list(by_name[name])
    for name in _BLOBS:
        values[name] = [bytes(blob) for blob in by_name[name]]
    return IndexRows(**values)


def _split_ids(packed: bytes) -> list[bytes]:
    return [packed[start : start + 16] for start in range(0, len(packed), 16)]


def _unpack_sentences(sent: Sequence[bytes | None]) -> NDArray[np.int8]:
    missing = bytes(SENTENCE_DIMENSIONS)
    whole = b"".join(
        bytes(one) if one is not None and len(one) == SENTENCE_DIMENSIONS else missing for one in sent
    )
    return np.frombuffer(whole, np.int8).reshape(len(sent), SENTENCE_DIMENSIONS)


def _unpack_vectors(
    sent: Sequence[bytes | None] | None, dimensions: int | None
) -> NDArray[np.float32] | None:
    if dimensions is None or sent is None:
        return None
    size = _HEADER + 2 * dimensions
    missing = bytes(size)
    whole = b"".join(bytes(one) if one is not None and len(one) == size else missing for one in sent)
    grid = np.frombuffer(whole, np.uint8).reshape(len(sent), size)[:, _HEADER:]
    return np.ascontiguousarray(grid).view(">f2").astype(np.float32)
