"""The weights of the fusion, for turns and for statements, and what the signals then add up to."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memories import conf
from memories.retrieval.index import OwnerIndex
from memories.retrieval.signals import Signals, fuse_signals

Float32 = NDArray[np.float32]
Rows = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Weighing:
    """Weights, and the rows (n,) that they are for; None for all."""

    weights: Mapping[str, float]
    rows: NDArray[np.bool_] | None = None


def choose_weights(index: OwnerIndex, found: Signals) -> tuple[Weighing, ...]:
    """Return the weights fitted for the available signals: tokens, a vector, or keywords alone.

    Statements with a sentence vector have weights of their own if the query has such a vector, too.
    """
    if found.nearness is None:
        return (Weighing(conf.VECTOR_WEIGHTS if found.cosine is not None else conf.WORD_WEIGHTS),)
    if found.sentence is None or index.sentences is None:
        return (Weighing(conf.TOKEN_WEIGHTS),)
    statements = ~index.dialogue & index.sentences.filled
    if statements.all():
        return (Weighing(conf.STATEMENT_WEIGHTS),)
    if not statements.any():
        return (Weighing(conf.TOKEN_WEIGHTS),)
    return Weighing(conf.TOKEN_WEIGHTS, ~statements), Weighing(conf.STATEMENT_WEIGHTS, statements)


def fuse(found: Signals, weighing: Sequence[Weighing], count: int) -> Float32:
    """Return (n,) fused scores, each row by its own weights."""
    total = np.zeros(count, dtype=np.float32)
    for one in weighing:
        fused = fuse_signals(found.fused, one.weights, count)
        total = fused if one.rows is None else np.where(one.rows, fused, total)
    return total


def add_up(found: Signals, weighing: Sequence[Weighing], rows: Rows, names: Collection[str]) -> Float32:
    """Return (m,) what the named signals add to the fused scores of rows."""
    total = np.zeros(rows.size, dtype=np.float32)
    for one in weighing:
        share = np.float32(1) if one.rows is None else one.rows[rows]
        for name in names:
            if name in one.weights and name in found.fused:
                total += share * np.float32(one.weights[name]) * found.fused[name][rows]
    return total
