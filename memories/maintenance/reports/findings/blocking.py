"""Find pairs of texts about the same thing: pairs that share uncommon terms, within bounds. Plain numpy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from memories.maintenance.reports.findings.similar_pairs import Pairs

#: A term in more texts than this says little about any two of them.
MOST_TEXTS: Final = 64
#: The most pairs that shared terms may generate, those of the rarest terms first.
MOST_GENERATED: Final = 2_000_000
#: The most pairs returned, those with the greatest overlap.
MOST_PAIRS: Final = 20_000
#: The least overlap: the share, by idf, of the shorter text's terms that both texts must have.
LEAST_OVERLAP: Final = 0.15


def find_sharing_pairs(
    texts: Sequence[NDArray[np.uint32]],
    *,
    most_pairs: int = MOST_PAIRS,
    most_generated: int = MOST_GENERATED,
) -> Pairs:
    """Return pairs of texts by overlap = Σ idf(shared terms) / Σ idf(terms of the shorter), greatest first.

    idf(t) = ln(1 + n / texts with t). Only terms in at most 64 texts generate pairs and count as shared; all
    terms count in the denominator.

    Args:
        texts: The hashed terms of each text; repeats count once.
        most_pairs: The most pairs to return.
        most_generated: The most pairs to generate.
    """
    row, term = _columns(texts)
    if not len(row):
        return _none()
    order = np.lexsort((row, term))
    row, term = row[order], term[order]
    starts = np.flatnonzero(np.append(True, term[1:] != term[:-1]))
    counts = np.diff(np.append(starts, len(term)))
    idf = np.log1p(len(texts) / counts)
    idf_sums = np.bincount(row, weights=np.repeat(idf, counts), minlength=len(texts))
    chosen, complete = _rare(counts, most_generated)
    if not len(chosen):
        return _none(complete=complete)
    keys, shared = _shared(row, starts[chosen], counts[chosen], idf[chosen], len(texts))
    first, second = np.divmod(keys, len(texts))
    overlap = (shared / np.minimum(idf_sums[first], idf_sums[second])).round(9)
    enough = np.flatnonzero(overlap >= LEAST_OVERLAP)
    best = enough[np.lexsort((keys[enough], -overlap[enough]))][:most_pairs]
    return Pairs(first[best], second[best], overlap[best], complete and len(best) == len(enough))


def _columns(texts: Sequence[NDArray[np.uint32]]) -> tuple[NDArray[np.int64], NDArray[np.uint32]]:
    distinct = [np.unique(text) for text in texts]
    sizes = np.array([len(text) for text in distinct], dtype=np.int64)
    term = np.concatenate(distinct) if distinct else np.zeros(0, dtype=np.uint32)
    return np.repeat(np.arange(len(texts), dtype=np.int64), sizes), term


def _rare(counts: NDArray[np.int64], most: int) -> tuple[NDArray[np.int64], bool]:
    """Return the terms that generate pairs, rarest first, and whether none had to be left out."""
    shared = np.flatnonzero((counts > 1) & (counts <= MOST_TEXTS))
    shared = shared[np.argsort(counts[shared], kind="stable")]
    generated = np.cumsum(counts[shared] * (counts[shared] - 1) // 2)
    kept = shared[generated <= most]
    return kept, len(kept) == len(shared)


def _shared(
    row: NDArray[np.int64],
    starts: NDArray[np.int64],
    counts: NDArray[np.int64],
    idf: NDArray[np.float64],
    texts: int,
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return each pair once, as first · texts + second, with the idf of its shared terms."""
    keys, weights = [], []
    for count in np.unique(counts):
        same = np.flatnonzero(counts == count)
        held = row[starts[same][:, None] + np.arange(count)]
        left, right = np.triu_indices(int(count), 1)
        keys.append((held[:, left] * texts + held[:, right]).ravel())
        weights.append(np.repeat(idf[same], len(left)))
    unique, place = np.unique(np.concatenate(keys), return_inverse=True)
    return unique, np.bincount(place, weights=np.concatenate(weights)).astype(np.float64)


def _none(*, complete: bool = True) -> Pairs:
    empty = np.zeros(0, dtype=np.int64)
    return Pairs(empty, empty, np.zeros(0), complete)
