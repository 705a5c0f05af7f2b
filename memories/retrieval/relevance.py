"""Relevance: the fused score mapped to the reference scale.

On that scale a threshold means the same in every store. A fused score orders memories but does not say
whether the best one is good. Relevance uses evidence that does not depend on the other memories: the share of
the query's words that the memory holds, matches by a related word or inherits from its bridge; the cosine of
the contents; and whether speaker and time match. A logistic model of this evidence (`conf.EVIDENCE`) gives a
value for each memory. The nearest sequence that never rises along the order of the fused score gives
relevance, so relevance never contradicts the order.
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
    """Return the relevance in [0, 1] of rows, given best first by fused score.

    Relevance never rises along the rows, with two exceptions: rows that hold a rare identifier of the query
    have relevance 1, and rows with almost no evidence keep their own value, so that their neighbours do not
    raise it.
    """
    relevance = logistic(evidence(index, query, probe, found, rows))
    likely = relevance >= conf.LEAST_EVIDENCE
    relevance[likely] = never_rising(relevance[likely])
    relevance[holds_identifier(index, query, rows)] = 1.0
    return relevance.astype(np.float32)


def evidence(index: OwnerIndex, query: Query, probe: Probe, found: Signals, rows: Rows) -> Float64:
    """Return the logit that each row answers the query. The measures do not depend on the other rows."""
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
    """Return whether each row holds an identifier of the query that few memories hold."""
    postings = index.terms.postings
    limit = max(_RARE_LEAST, _RARE_SHARE * len(index))
    held = [postings.rows(int(place))[0] for place in postings.find(query.identifiers) if place >= 0]
    rare = [holders for holders in held if holders.size <= limit]
    return np.isin(rows, np.concatenate(rare)) if rare else np.zeros(rows.size, dtype=bool)


def never_rising(values: Float64) -> Float64:
    """Return the nearest sequence (least squares) that never rises.

    Uses the pool adjacent violators algorithm (Barlow et al. 1972).
    """
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
    """Return 1 / (1 + e^−x), in [0, 1]."""
    squashed: Float64 = 1 / (1 + np.exp(-np.clip(logits, -50, 50)))
    return squashed
