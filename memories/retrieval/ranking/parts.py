"""The parts of a ranking that are shown with a result: shares from 0 to 1.

The fused score compares memories with each other: what a signal adds to it is 0 for an only memory, and has
no bounds. So the parts are what holds of each memory by itself, where the signals have that.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from memories.retrieval.estimates import estimate_relevance
from memories.retrieval.index import OwnerIndex, compute_content_cosine
from memories.retrieval.ranking.priors import compute_frequency, compute_recency
from memories.retrieval.ranking.relevance import find_embedded, logistic
from memories.retrieval.ranking.weighing import Weighing, add_up
from memories.retrieval.signals import Probe, Signals

Float32 = NDArray[np.float32]
Rows = NDArray[np.int64]

_SPEAKER: Final = ("speaker", "subject")
#: What the conversation around a turn adds. For other memories, these repeat their own measures.
_AROUND: Final = (
    "asked_similarity", "asked_keyword", "session_keyword", "session_similarity", "session_tokens",
    "around_similarity", "session_sentence", "around_sentence", "question", "length", "names", "rarest",
)  # fmt: skip


def compute_parts(
    index: OwnerIndex, probe: Probe, found: Signals, weighing: Sequence[Weighing], rows: Rows, now: float
) -> dict[str, Float32]:
    """Return (m,) shares of rows by part, each from 0 to 1.

    similarity: How near the meaning is; see `_compute_similarity`.
    keyword: Share of the query's words that the memory holds or has related words for; rare ones count more.
    graph: What its links to the names of the query add to the fused score, as tanh(x / 2) of x logits.
    structure: The same of its speaker and the conversation around it; 0 for what speaks against it.
    time: Match with the time that the query names, or whether the memory names one that the query asks for.
    recency, frequency: As in the priors.

    Args:
        index: Memories of one owner.
        probe: Embedded query.
        found: Signals of the query.
        weighing: Weights of the fusion.
        rows: (m,) Row numbers.
        now: Seconds since 1970.
    """
    around = np.where(index.turns.place[rows] >= 0, add_up(found, weighing, rows, _AROUND), np.float32(0))
    times = [found.fused[name][rows] for name in ("date", "when") if name in found.fused]
    parts = {
        "similarity": _compute_similarity(index, probe, found, rows),
        "keyword": (found.match.covered[rows] + found.kinship.covered[rows]) / max(found.match.wanted, 1e-6),
        "graph": np.tanh(add_up(found, weighing, rows, ("graph",)) / 2),
        "structure": np.tanh((add_up(found, weighing, rows, _SPEAKER) + around) / 2),
        "time": np.max([np.zeros(rows.size, dtype=np.float32), *times], axis=0),
        "recency": compute_recency(index, rows, now),
        "frequency": 1 - 1 / compute_frequency(index, rows),
    }
    return {part: np.clip(values, 0, 1).astype(np.float32) for part, values in parts.items()}


def _compute_similarity(index: OwnerIndex, probe: Probe, found: Signals, rows: Rows) -> Float32:
    """Return (m,) how near the meaning of each row is to that of the query.

    By sentence vectors it is the estimate that the memory matters, else the cosine of the words' vectors, or
    of the stored ones on the reference scale; 0 without vectors.
    """
    similarity = np.zeros(rows.size, dtype=np.float32)
    if found.nearness is not None and index.tokens is not None:
        similarity = compute_content_cosine(index.tokens, found.nearness, rows)
    elif found.cosine is not None:
        similarity = probe.to_reference(found.cosine[rows]).astype(np.float32)
    embedded = find_embedded(index, probe, rows)
    if embedded.any() and probe.sentence is not None and index.sentences is not None:
        vectors = index.sentences.get_vectors(rows[embedded])
        logits = estimate_relevance(probe.sentence, vectors, need=probe.need)
        similarity[embedded] = logistic(logits.astype(np.float64))
    return similarity
