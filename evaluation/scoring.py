"""Compute evidence recall at k, its mean over questions and confidence intervals. Pure."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

#: Resamples of a bootstrap, and its seed: the same data give the same interval.
RESAMPLES: Final = 2_000
SEED: Final = 20_240_229
#: Most values drawn at once, so that thousands of questions do not need gigabytes.
_AT_ONCE: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over `count` questions with its 95 % interval: low ≤ mean ≤ high; all NaN for no questions."""

    mean: float
    low: float
    high: float
    count: int


def compute_evidence_recall(evidence: Collection[Hashable], found: Sequence[Hashable], k: int) -> float:
    """Return |evidence ∩ first k found| / |evidence|, in [0, 1].

    Args:
        evidence: What contains the answer; not empty.
        found: Results of the search, best first, no repeats.
        k: How many results count.

    Raises:
        ValueError: Without evidence, or if k < 1.
    """
    wanted = set(evidence)
    if not wanted or k < 1:
        raise ValueError("recall needs evidence and a k of at least 1")
    return len(wanted.intersection(found[:k])) / len(wanted)


def estimate_mean(values: Sequence[float]) -> Estimate:
    """Return the mean of one value per question, with a 95 % interval by the percentile bootstrap."""
    sample = np.asarray(values, dtype=np.float64)
    if not sample.size:
        return Estimate(float("nan"), float("nan"), float("nan"), 0)
    random = np.random.default_rng(SEED)
    drawn_at_once = max(1, _AT_ONCE // sample.size)
    means: list[float] = []
    while len(means) < RESAMPLES:
        drawn = random.integers(sample.size, size=(min(drawn_at_once, RESAMPLES - len(means)), sample.size))
        means.extend(sample[drawn].mean(axis=1))
    low, high = np.percentile(means, (2.5, 97.5))
    mean = float(sample.mean())
    return Estimate(mean, min(mean, float(low)), max(mean, float(high)), int(sample.size))


def estimate_mean_of_groups(values: Sequence[float], groups: Sequence[Hashable]) -> Estimate:
    """Return the mean of the values, with a 95 % interval by the bootstrap over whole groups.

    The questions of one person are alike, so their interval is wider than that of as many people's.

    Args:
        values: One value per question.
        groups: The group of each value, such as its person; as many as there are values.
    """
    sample = np.asarray(values, dtype=np.float64)
    if not sample.size:
        return Estimate(float("nan"), float("nan"), float("nan"), 0)
    places = {group: place for place, group in enumerate(dict.fromkeys(groups))}
    of = [places[group] for group in groups]
    sums, counts = np.bincount(of, weights=sample), np.bincount(of)
    random = np.random.default_rng(SEED)
    drawn = random.integers(len(places), size=(RESAMPLES, len(places)))
    means = sums[drawn].sum(axis=1) / counts[drawn].sum(axis=1)
    low, high = np.percentile(means, (2.5, 97.5))
    mean = float(sample.mean())
    return Estimate(mean, min(mean, float(low)), max(mean, float(high)), int(sample.size))


def compute_percentile(values: Sequence[float], percent: float) -> float:
    """Return the value that `percent` (0–100) of the values do not exceed; NaN for none."""
    return float(np.percentile(values, percent)) if values else float("nan")
