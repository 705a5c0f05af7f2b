"""Compute one score for an owner's memories: a weighted mean of terms, each from 0 to 1. Plain arithmetic.

    score = 100 · Σ weight · value / Σ weight

Most terms are *halved* by a share of bad ones: value = ½ ^ (share / half), which is 1 for none, ½ if the
share equals `half`, and decreases with every further one. Without data, the value is the term's neutral one,
so that missing data does not lower the score.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from memories.conf import REPORT


@dataclass(frozen=True, slots=True)
class Figures:
    """The counts from which the score is computed; none is negative.

    Attributes:
        learnt: Active and disputed memories without episodes; the next eight are subsets of it.
        in_use: Vitality above 0.7.
        steady: Vitality between 0.3 and 0.7; the rest is fading.
        contradicted: In an open conflict.
        copies: Beyond the first of each set of duplicates.
        unsure: With low confidence.
        stale: Used at some time, but not recently.
        never_used: Never used, although not new.
        forgotten: Learnt and forgotten.
        put_away: Those of them that a person forgot in the last 30 days.
        kept: All rows that are not forgotten.
        not_embedded: Those of them without a vector of the model in use.
        batches: Runs of learning that completed.
        failed: Runs of learning that failed for good.
        answered: Completed runs that the model answered.
        fell_back: Completed runs for which the model failed.
        useful: Citations that a person marked as useful.
        useless: Citations that a person marked as not useful.
    """

    learnt: int = 0
    in_use: int = 0
    steady: int = 0
    contradicted: int = 0
    copies: int = 0
    unsure: int = 0
    stale: int = 0
    never_used: int = 0
    forgotten: int = 0
    put_away: int = 0
    kept: int = 0
    not_embedded: int = 0
    batches: int = 0
    failed: int = 0
    answered: int = 0
    fell_back: int = 0
    useful: int = 0
    useless: int = 0


@dataclass(frozen=True, slots=True)
class Term:
    """One part of the score.

    Attributes:
        value: From 0 to 1.
        neutral: The value without data.
    """

    name: str
    weight: float
    value: float
    neutral: float


#: The weights of the terms. They sum to 100, so that a term of 0 costs its weight in points.
WEIGHTS: Final[Mapping[str, float]] = {
    "conflicts": 15.0,
    "duplicates": 15.0,
    "confidence": 10.0,
    "freshness": 10.0,
    "usage": 10.0,
    "vitality": 10.0,
    "success": 5.0,
    "answers": 5.0,
    "usefulness": 5.0,
    "retention": 5.0,
    "size": 5.0,
    "searchable": 5.0,
}


def compute_score(figures: Figures) -> float:
    """Return the weighted mean of the terms, from 0 to 100. Without memories, the size makes it 97.5."""
    parts = compute_terms(figures)
    return 100.0 * sum(part.weight * part.value for part in parts) / sum(part.weight for part in parts)


def compute_terms(figures: Figures) -> tuple[Term, ...]:
    """Return every term, in the order of `WEIGHTS`."""
    values = {
        "conflicts": conflicts(figures),
        "duplicates": duplicates(figures),
        "confidence": confidence(figures),
        "freshness": freshness(figures),
        "usage": usage(figures),
        "vitality": vitality(figures),
        "success": success(figures),
        "answers": answers(figures),
        "usefulness": usefulness(figures),
        "retention": retention(figures),
        "size": size(figures),
        "searchable": searchable(figures),
    }
    return tuple(Term(name, weight, values[name], NEUTRAL[name]) for name, weight in WEIGHTS.items())


def looked_at(figures: Figures) -> int:
    """Return the number that shares refer to: learnt memories, plus up to as many put away lately.

    Without the second part, fixing a finding would increase the share of all other findings, and cost points.
    """
    return figures.learnt + min(figures.put_away, figures.learnt)


def conflicts(figures: Figures) -> float:
    """Return ½ ^ (contradicted / looked at / 0.05), in (0, 1]; neutral 1: nothing learnt."""
    return halved(figures.contradicted, looked_at(figures), 0.05)


def duplicates(figures: Figures) -> float:
    """Return ½ ^ (copies / looked at / 0.10), in (0, 1]; neutral 1: nothing learnt."""
    return halved(figures.copies, looked_at(figures), 0.10)


def confidence(figures: Figures) -> float:
    """Return ½ ^ (unsure / looked at / 0.20), in (0, 1]; neutral 1: nothing learnt."""
    return halved(figures.unsure, looked_at(figures), 0.20)


def freshness(figures: Figures) -> float:
    """Return ½ ^ (stale / looked at / 0.30), in (0, 1]; neutral 1: nothing learnt."""
    return halved(figures.stale, looked_at(figures), 0.30)


def usage(figures: Figures) -> float:
    """Return ½ ^ (never_used / looked at / 0.50), in (0, 1]; neutral 1: nothing learnt."""
    return halved(figures.never_used, looked_at(figures), 0.50)


def vitality(figures: Figures) -> float:
    """Return (in_use + ½ · steady) / learnt, in [0, 1]; neutral 1: nothing learnt."""
    if not figures.learnt:
        return NEUTRAL["vitality"]
    return min(1.0, (figures.in_use + figures.steady / 2) / figures.learnt)


def success(figures: Figures) -> float:
    """Return ½ ^ (failed / (batches + failed) / 0.25), in (0, 1]; neutral 1: nothing to learn from."""
    return halved(figures.failed, figures.batches + figures.failed, 0.25)


def answers(figures: Figures) -> float:
    """Return ½ ^ (fell_back / (answered + fell_back) / 0.25), in (0, 1]; neutral 1: no model was asked."""
    return halved(figures.fell_back, figures.answered + figures.fell_back, 0.25)


def usefulness(figures: Figures) -> float:
    """Return ½ ^ (useless / (useful + useless) / 0.50), in (0, 1]; neutral 1: no citation was judged."""
    return halved(figures.useless, figures.useful + figures.useless, 0.50)


def retention(figures: Figures) -> float:
    """Return 1 if at most 30 % of what was learnt is lost, else ½ ^ ((share − 0.30) / 0.20), in (0, 1].

    share = (forgotten − min(put away, learnt)) / (learnt + forgotten); neutral 1: nothing learnt. What a
    person forgot lately is no loss, as long as it is no more than what is left.
    """
    whole = figures.learnt + figures.forgotten
    if not whole:
        return NEUTRAL["retention"]
    lost = max(0, figures.forgotten - min(figures.put_away, figures.learnt))
    return float(0.5 ** (max(0.0, lost / whole - REPORT.healthy_forgotten) / 0.20))


def size(figures: Figures) -> float:
    """Return 1 for 100 to 500 learnt memories; ½ + ½ · looked at / 100 below, 500 / learnt above; in (0, 1].

    Neutral ½: nothing learnt, which is where the formula begins.
    """
    least, most = REPORT.healthy_least, REPORT.healthy_most
    if figures.learnt < least:
        return NEUTRAL["size"] + (1 - NEUTRAL["size"]) * min(1.0, looked_at(figures) / least)
    return min(1.0, most / figures.learnt)


def searchable(figures: Figures) -> float:
    """Return ½ ^ (not_embedded / kept / 0.10), in (0, 1]; neutral 1: nothing kept."""
    return halved(figures.not_embedded, figures.kept, 0.10)


def halved(bad: int, whole: int, half: float) -> float:
    """Return ½ ^ (bad / whole / half), in (0, 1]; 1 if the whole is 0. The share is at most 1."""
    if whole <= 0:
        return 1.0
    return float(0.5 ** (min(1.0, bad / whole) / half))


#: The value of each term without data.
NEUTRAL: Final[Mapping[str, float]] = {name: 0.5 if name == "size" else 1.0 for name in WEIGHTS}
