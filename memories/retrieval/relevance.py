"""Relevance: the fused score on the reference scale, so that one threshold means one thing in any store.

A fused score says which memory is best, not whether it is good. How good is read from what does not depend
on the other memories: the share of the query's words that the memory holds, answers by a related one or has
covered by the memory it is reached from, the cosine of what both say, and whether it comes from the speaker
and the time asked for. A logistic model of these (`conf.EVIDENCE`) gives each memory's evidence, and the
nearest sequence that falls in the order of the fused score gives relevance: so relevance never contradicts
the order.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from memories import conf
from memories.retrieval.index import OwnerIndex, content_cosine
from memories.retrieval.query import Query
from memories.retrieval.signals import Probe, Signals
from memories.text import analysis

Float32 = NDArray[np.float32]
Float64 = NDArray[np.float64]
Rows = NDArray[np.int64]
_RARE_SHARE = 0.01  # of an owner's memories
_RARE_LEAST = 3  # memories


def relevance_of(index: OwnerIndex, query: Query, probe: Probe, found: Signals, rows: Rows) -> Float32:
    """Relevance in [0, 1] of rows given best first by fused score.

    It never rises along them, but for two kinds: rows that hold a rare identifier of the query, whose
    relevance is 1, and rows with next to no evidence, which keep their own: neighbours do not lift those.
    """
    relevance = logistic(evidence(index, query, probe, found, rows))
    likely = relevance >= conf.LEAST_EVIDENCE
    relevance[likely] = never_rising(relevance[likely])
    relevance[holds_identifier(index, query, rows)] = 1.0
    return relevance.astype(np.float32)


def evidence(index: OwnerIndex, query: Query, probe: Probe, found: Signals, rows: Rows) -> Float64:
    """Logits that each row answers the query, from measures that are absolute."""
    weights = conf.EVIDENCE["unspaced" if any(map(analysis.is_unspaced, query.terms)) else "spaced"]
    held = (found.match.covered[rows] + found.kin.covered[rows]) / max(found.match.wanted, 1e-6)
    if "linked" in found.fused:
        held = held + np.float32(conf.LINKED_SHARE) * found.fused["linked"][rows]
    logits = weights["words"] * np.sqrt(np.minimum(held.astype(np.float64), 1))
    if found.near is not None and index.tokens is not None:
        logits += weights["base"] + weights["cosine"] * content_cosine(index.tokens, found.near, rows)
    elif found.cosine is not None:
        reference = probe.to_reference(found.cosine[rows])
        logits += weights["vector_base"] + weights["reference"] * reference
    else:
        logits += weights["words_base"]
    for name in ("speaker", "date"):
        if name in found.fused:
            logits += weights[name] * found.fused[name][rows]
    return logits


def holds_identifier(index: OwnerIndex, query: Query, rows: Rows) -> NDArray[np.bool_]:
    """Whether each row holds an identifier of the query that few memories hold."""
    postings = index.terms.postings
    limit = max(_RARE_LEAST, _RARE_SHARE * len(index))
    held = [postings.rows(int(place))[0] for place in postings.find(query.identifiers) if place >= 0]
    rare = [holders for holders in held if holders.size <= limit]
    return np.isin(rows, np.concatenate(rare)) if rare else np.zeros(rows.size, dtype=bool)


def never_rising(values: Float64) -> Float64:
    """The nearest sequence (least squares) that never rises: pool adjacent violators (Barlow et al. 1972)."""
    sums: list[float] = []
    sizes: list[int] = []
    for value in values.tolist():
        sums.append(value)
        sizes.append(1)
        while len(sums) > 1 and sums[-1] * sizes[-2] > sums[-2] * sizes[-1]:
            total, size = sums.pop(), sizes.pop()
            sums[-1] += total
            sizes[-1] += size
    return np.repeat(np.array(sums) / np.maximum(sizes, 1), sizes)


def logistic(logits: Float64) -> Float64:
    """1 / (1 + e^−x), in [0, 1]."""
    squashed: Float64 = 1 / (1 + np.exp(-np.clip(logits, -50, 50)))
    return squashed
