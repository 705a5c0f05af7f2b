"""Rank the memories of one owner for a query.

    space = TokenSpace.of(embedder) if isinstance(embedder, TokenEmbedder) else None
    index = OwnerIndex.build(rows, space)          # IndexRows, columns from one statement
    index = index.extend(changed)                  # a new index; known ids are replaced
    query = parse_query(text, index.speakers, now)
    probe = probe_of(query.meaning, embedder)      # or Probe() if embedding failed: keywords only
    ranked = rank_memories(index, query, probe, mask, now, top=20)

`mask` selects the eligible rows: `eligibility.mask_active`, `eligibility.mask_matching` and further filters
of the caller.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import numpy as np
from numpy.typing import NDArray

from memories import conf
from memories.retrieval.index import OwnerIndex
from memories.retrieval.query import Query
from memories.retrieval.ranking.former import FormerFacts, select_former, weigh_former
from memories.retrieval.ranking.outdated import Replaced, weigh_outdated
from memories.retrieval.ranking.parts import compute_parts
from memories.retrieval.ranking.priors import compute_prior
from memories.retrieval.ranking.relevance import compute_relevance
from memories.retrieval.ranking.weighing import Weighing, choose_weights, fuse
from memories.retrieval.signals import Probe, Signals, compute_signals, select_best

Float32 = NDArray[np.float32]
Rows = NDArray[np.int64]

_MORE: Final = 20  # rows ranked beyond twice `top`, so that priors can reorder near-equal ones

#: Where relevance is cut before its logit is taken.
_LEAST_RELEVANCE: Final = 1e-3
#: Rows whose relevance differs by no more are ordered by their keys.
_NEARLY_EQUAL: Final = 0.15

#: Smaller differences result from the order in which numbers are added.
_SCORE_DIGITS: Final = 3
_DIGITS: Final = 4


@dataclass(frozen=True, slots=True, eq=False)
class RankedMemories:
    """Ranked rows, best first. All sequences but `outdated` and `replacing` have the same length.

    Attributes:
        rows: Row numbers in the index.
        ids: Ids of these rows.
        score: Relevance plus priors. The rows are ordered by it.
        relevance: In [0, 1] on the reference scale.
        breakdown: By part, from 0 to 1: those of `compute_parts`, and what the relevance lost because a newer
            memory makes this one outdated (outdated), or gained because this one does so (replaces).
        outdated: Numbers of all rows that a newer one takes relevance from, returned or not.
        replacing: Numbers of the rows that take it.
        total: Number of eligible rows.
    """

    rows: Rows
    ids: tuple[Hashable, ...]
    score: Float32
    relevance: Float32
    breakdown: Mapping[str, Float32]
    outdated: Rows
    replacing: Rows
    total: int


def rank_memories(  # noqa: PLR0913 - independent options, passed by name
    index: OwnerIndex,
    query: Query,
    probe: Probe,
    mask: NDArray[np.bool_],
    now: datetime,
    *,
    top: int,
    weights: Mapping[str, float] | None = None,
    as_of: datetime | None = None,
    over: NDArray[np.bool_] | None = None,
) -> RankedMemories:
    """Return the `top` best rows among those that `mask` (n,) selects, and after them all that are outdated.

    Priors only reorder near-equal rows: no row precedes one that is more relevant by more than Σ
    PRIOR_SHARES.

    Args:
        index: Memories of one owner.
        query: Parsed query.
        probe: Embedded query.
        mask: (n,) Eligible rows.
        now: Aware time, for recency.
        top: Number of rows to return.
        weights: Weights of the fusion; None takes those fitted for the kind of probe (`conf.TOKEN_WEIGHTS`,
            `VECTOR_WEIGHTS` or `WORD_WEIGHTS`).
        as_of: Aware time that the query asks about; None for now.
        over: (f,) Which of `index.former.facts` are over at that time; None if none is.
    """
    found = compute_signals(index, query, probe, mask)
    weighing = choose_weights(index, found) if weights is None else (Weighing(weights),)
    scores = fuse(found, weighing, len(index)).round(_SCORE_DIGITS)
    rows = _in_order(index, scores, select_best(scores, mask, 2 * top + _MORE))[: 2 * top + _MORE]
    moment_of_question = (as_of or now).timestamp()
    former = select_former(index, query, scores, mask, over, moment=moment_of_question)
    if former.heirs.size:
        rows = _in_order(index, scores, np.union1d(rows, former.heirs[former.heirs >= 0]))
    moment = now.timestamp()
    prior = compute_prior(index, rows, moment)
    relevance, truth = _weigh_truth(
        index, query, probe, found, rows, prior, former, moment=moment_of_question
    )
    lost, gained, replacing = truth
    keys = _logit(relevance) + conf.FUSED_SHARE * scores[rows] + conf.PRIOR_LOGIT * prior
    order = order_by_keys(relevance, keys)
    weighed = relevance + prior
    weighed[order] = np.minimum.accumulate(weighed[order])
    order = order[(np.arange(order.size) < top) | (lost[order] > 0)]
    outdated, rows = rows[lost > 0], rows[order]
    parts = compute_parts(index, probe, found, weighing, rows, moment)
    return RankedMemories(
        rows=rows,
        ids=tuple(index.ids[row] for row in rows),
        score=weighed[order],
        relevance=relevance[order],
        breakdown=parts | {"outdated": lost[order], "replaces": gained[order]},
        outdated=outdated,
        replacing=replacing,
        total=int(np.count_nonzero(mask)),
    )


def _weigh_truth(
    index: OwnerIndex,
    query: Query,
    probe: Probe,
    found: Signals,
    rows: Rows,
    prior: Float32,
    former: FormerFacts,
    *,
    moment: float,
) -> tuple[Float32, Replaced]:
    """Return the relevance (m,) of rows now, and what it lost and gained by what is over or outdated."""
    relevance, logits = compute_relevance(index, query, probe, found, rows)
    former_relevance, _ = compute_relevance(index, query, probe, found, former.facts)
    lost, gained = weigh_former(former, former_relevance, rows, relevance)
    relevance = relevance - lost + gained
    replaced = weigh_outdated(index, query, probe, rows, relevance, logits, relevance + prior, moment=moment)
    return relevance + replaced.gained - replaced.lost, Replaced(
        lost + replaced.lost, gained + replaced.gained, replaced.replacing
    )


def _logit(relevance: Float32) -> Float32:
    likely = relevance.clip(_LEAST_RELEVANCE, 1 - _LEAST_RELEVANCE)
    return np.asarray(np.log(likely / (1 - likely)), dtype=np.float32)


def order_by_keys(relevance: Float32, keys: Float32) -> Rows:
    """Return the places of rows in descending order of their keys, as far as relevance permits.

    No row precedes another that is more relevant by over _NEARLY_EQUAL.

    Args:
        relevance: (n,) In [0, 1].
        keys: (n,) What orders rows of nearly equal relevance.
    """
    left = np.argsort(-keys, kind="stable").tolist()
    values = relevance.tolist()
    by_relevance = sorted(left, key=lambda place: values[place])
    taken, ordered = [False] * len(left), list[int]()
    while left:
        while taken[by_relevance[-1]]:
            by_relevance.pop()
        least = values[by_relevance[-1]] - _NEARLY_EQUAL
        first = next(at for at, place in enumerate(left) if values[place] >= least)
        taken[left[first]] = True
        ordered.append(left.pop(first))
    return np.array(ordered, dtype=np.int64)


def _in_order(index: OwnerIndex, scores: Float32, rows: Rows) -> Rows:
    """Sort rows best first, ties newest first, then by id.

    Row order and the last bits of a score differ between processes, so neither may decide the order.
    """
    created = index.number("created_at")[rows]
    ids = np.array([index.ids[row] for row in rows.tolist()])
    ordered: Rows = rows[np.lexsort((ids, -created, -scores[rows]))]
    return ordered
