"""What the database hands over for the index: one owner's memories by column."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memories.values import LAYERS

Float64 = NDArray[np.float64]
Float32 = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class IndexRows:
    """Columns of equal length n, one entry a memory, in any order.

    ids: unique keys (UUIDs). layer: index into `candidates.LAYERS`.
    session: the empty string for what belongs to no conversation; position: order within the session.
    terms, tokens, entities: packed bytes as `analysis.analyse`, `vector.pack_tokens` and
        `naming.keys.pack_names` give them; empty tokens: not embedded yet.
    vectors: (n, dimensions) unit rows for embedders without tokens, zero rows: not embedded yet; else None.
    times: seconds since 1970, NaN for none. last_used: the later of last access and creation.
    importance, confidence: [0, 1].  cues: bits of `cues.Cue`.
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
    terms: Sequence[bytes]
    tokens: Sequence[bytes]
    entities: Sequence[bytes]
    vectors: Float32 | None = None

    def __len__(self) -> int:
        return len(self.ids)

    def __post_init__(self) -> None:
        lengths = {len(value) for value in self._columns() if value is not None}
        if len(lengths) > 1:
            raise ValueError(f"columns of an index differ in length: {sorted(lengths)}")

    def chosen(self, mask: NDArray[np.bool_]) -> IndexRows:
        """Those of the rows that the mask (n,) chooses."""
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


def layer_code(layer: str) -> int:
    """Position of a layer in `candidates.LAYERS`. Raises ValueError for an unknown one."""
    return LAYERS.index(layer)
