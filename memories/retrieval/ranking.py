"""Rank one owner's memories for a query. The door to the retrieval engine.

    space = TokenSpace.of(embedder) if isinstance(embedder, TokenEmbedder) else None
    index = OwnerIndex.build(rows, space)          # IndexRows, columns from one statement
    index = index.extend(changed)                  # a new index; known ids are replaced
    query = parse_query(text, index.speakers, now)
    probe = probe_of(query.meaning, embedder)      # or Probe() where embedding failed: words alone answer
    ranked = rank(index, query, probe, mask, now, top=20)

`mask` says which rows may answer (`eligibility.eligible`, and whatever else the caller filters by).
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import numpy as np
from numpy.typing import NDArray

from memories import conf
from memories.retrieval import weighing
from memories.retrieval.index import OwnerIndex
from memories.retrieval.query import Query
from memories.retrieval.relevance import relevance_of
from memories.retrieval.signals import Probe, Signals, best, fused, signals

Float32 = NDArray[np.float32]
Rows = NDArray[np.int64]

_MORE: Final = 20  # rows beyond twice those asked for, among which priors may order near-equals

#: Finer differences come of the order in which numbers were added up.
_SCORE_DIGITS: Final = 3
_DIGITS: Final = 4

#: Which fused signals make up each part of a breakdown.
PARTS: Final[Mapping[str, tuple[str, ...]]] = {
    "similarity": ("similarity", "tokens", "concepts"),
    "keyword": ("keyword",),
    "graph": ("graph",),
    "structure": (
        "asked_similarity", "asked_keyword", "session_keyword", "session_similarity", "session_tokens",
        "around_similarity", "speaker", "subject", "question", "length", "names", "rarest",
    ),
    "time": ("date", "when"),
}  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Ranked:
    """Best first, all of equal length.

    rows: of the index; ids: theirs. score: relevance and priors, what the order goes by.
    relevance: [0, 1] on the reference scale. breakdown: by part, what it added to the fused score
    (similarity, keyword, graph, structure, time) or its own value (recency, frequency).
    total: how many rows could have answered.
    """

    rows: Rows
    ids: tuple[Hashable, ...]
    score: Float32
    relevance: Float32
    breakdown: Mapping[str, Float32]
    total: int


def rank(
    index: OwnerIndex,
    query: Query,
    probe: Probe,
    mask: NDArray[np.bool_],
    now: datetime,
    *,
    top: int,
    weights: Mapping[str, float] | None = None,
) -> Ranked:
    """The `top` best of the rows that `mask` (n,) lets answer.

    weights: of the fusion; None takes those fitted for the kind of probe (conf.TOKEN_WEIGHTS and others).
    Priors order near-equals: no row comes before one that is more relevant by more than Σ PRIOR_SHARES.
    """
    found = signals(index, query, probe, mask)
    chosen = weights_for(found) if weights is None else weights
    scores = fused(found.fused, chosen, len(index)).round(_SCORE_DIGITS)
    rows = _in_order(index, scores, best(scores, mask, 2 * top + _MORE))[: 2 * top + _MORE]
    relevance = relevance_of(index, query, probe, found, rows)
    moment = now.timestamp()
    weighed = relevance + weighing.prior(index, rows, moment)
    order = np.argsort(-weighed.round(_DIGITS), kind="stable")[:top]
    rows = rows[order]
    return Ranked(
        rows=rows,
        ids=tuple(index.ids[row] for row in rows),
        score=weighed[order],
        relevance=relevance[order],
        breakdown=_breakdown(index, found, chosen, rows, moment),
        total=int(np.count_nonzero(mask)),
    )


def _in_order(index: OwnerIndex, scores: Float32, rows: Rows) -> Rows:
    """Best first. Of equal ones the newest; the order of rows and the last bits differ between processes."""
    created = index.number("created_at")[rows]
    ids = np.array([index.ids[row] for row in rows.tolist()])
    ordered: Rows = rows[np.lexsort((ids, -created, -scores[rows]))]
    return ordered


def weights_for(found: Signals) -> Mapping[str, float]:
    """The weights fitted for what is known of the query: tokens, a vector, or words alone."""
    if found.near is not None:
        return conf.TOKEN_WEIGHTS
    return conf.VECTOR_WEIGHTS if found.cosine is not None else conf.WORD_WEIGHTS


def _breakdown(
    index: OwnerIndex, found: Signals, weights: Mapping[str, float], rows: Rows, now: float
) -> dict[str, Float32]:
    parts = {part: np.zeros(rows.size, dtype=np.float32) for part in PARTS}
    for part, names in PARTS.items():
        for name in names:
            if name in weights and name in found.fused:
                parts[part] += np.float32(weights[name]) * found.fused[name][rows]
    parts["recency"] = weighing.recency(index, rows, now)
    parts["frequency"] = weighing.frequency(index, rows)
    return parts
