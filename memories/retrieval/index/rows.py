"""The rows from which an index is built: the memories of one owner, by column."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

Float64 = NDArray[np.float64]
Float32 = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class IndexRows:
    """Columns of equal length n with one entry per memory, in any order.

    Attributes:
        ids: Unique keys (UUIDs).
        layer: Position in `values.LAYERS`.
        session: Conversation of the memory; empty outside conversations.
        position: Order within the session.
        occurred_at: Like all times in seconds since 1970, NaN for unknown.
        restated_at: When it was last said again, or a person last said that it is true.
        last_used_at: The later of last access and creation.
        importance: In [0, 1].
        confidence: In [0, 1].
        cues: Bits of `cues.Cue`.
        pinned: Whether the person pinned the memory.
        terms: Packed bytes from `analysis.analyse_text`.
        tokens: Packed bytes from `tokens.pack_tokens`; empty if not yet embedded.
        entities: Packed bytes from `naming.keys.pack_names`.
        vectors: (n, dimensions) unit vectors for embedders without tokens, zero if not yet embedded; else
            None.
        is_over: Whether it says what is no longer so: it ended, was corrected, or was taken back by the
            person; None if no row does.
        is_reworded: Whether a person edited it, so that its successor is the same memory; None if no row was.
        sources: Hashes of its sources, int64, packed; None if no row has one.
        successors: Id of the memory that replaced it; empty for none. None if no row has one.
        sentences: (n, dimensions) vectors of the sentence model in signed bytes, zero if not yet filled in;
            None without that model.
    """

    ids: Sequence[Hashable]
    layer: NDArray[np.uint8]
    kind: Sequence[str]
    category: Sequence[str]
    status: Sequence[str]
    speaker: Sequence[str]
    session: Sequence[str]
    position: NDArray[np.int64]
    occurred_at: Float64
    restated_at: Float64
    created_at: Float64
    last_used_at: Float64
    valid_from: Float64
    valid_until: Float64
    ended_at: Float64
    retired_at: Float64
    importance: Float32
    confidence: Float32
    access_count: NDArray[np.int64]
    length: NDArray[np.int64]
    cues: NDArray[np.int64]
    pinned: NDArray[np.bool_]
    terms: Sequence[bytes]
    tokens: Sequence[bytes]
    entities: Sequence[bytes]
    vectors: Float32 | None = None
    sentences: NDArray[np.int8] | None = None
    is_over: NDArray[np.bool_] | None = None
    is_reworded: NDArray[np.bool_] | None = None
    sources: Sequence[bytes] | None = None
    successors: Sequence[bytes] | None = None

    def __len__(self) -> int:
        return len(self.ids)

    def __post_init__(self) -> None:
        lengths = {len(value) for value in self._columns() if value is not None}
        if len(lengths) > 1:
            raise ValueError(f"columns of an index differ in length: {sorted(lengths)}")

    def chosen(self, mask: NDArray[np.bool_]) -> IndexRows:
        """Return the rows selected by a mask (n,)."""
        if mask.all():
            return self
        at = np.flatnonzero(mask)
        chosen: dict[str, Any] = {}
        for column in fields(self):
            value = getattr(self, column.name)
            if value is not None:
                as_array = isinstance(value, np.ndarray)
                value = value[at] if as_array else [value[row] for row in at.tolist()]
            chosen[column.name] = value
        return IndexRows(**chosen)

    def _columns(self) -> list[Sequence[object] | None]:
        return [getattr(self, column.name) for column in fields(self)]
