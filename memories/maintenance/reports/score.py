"""One number for how well a memory is doing: a weighted mean of terms, each in [0, 1]. Plain arithmetic.

    score = 100 · Σ weight · value / Σ weight

Most terms are *halved* by a share of bad ones: value = ½ ^ (share / half), which is 1 for none, ½ where
the share equals `half`, and falls with every further one, however many there are. Where there is no data
the value is the term's neutral one, so that what is not known does not count against anybody.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

#: Memories learnt that one person's memory has when it is neither thin nor crowded.
HEALTHY_SIZE: Final = (100, 500)
#: Share of what was learnt that may be forgotten before it looks like loss.
HEALTHY_FORGOTTEN: Final = 0.30


@dataclass(frozen=True, slots=True)
class Figures:
    """What the score looks at: counts, none negative.

    learnt: standing memories that are no episodes; the next eight are among them.
    in_use, steady: vitality over 0.7, and between 0.3 and 0.7; the rest is fading.
    contradicted: in a conflict that is open; copies: beyond the first of each set of duplicates.
    unsure: little confidence; stale: used once, not for long; never_used: not once, though not new.
    forgotten: what was learnt and is forgotten; put_away: of it, by a person in the last 30 days.
    kept, not_embedded: rows not forgotten, and those among them without a vector of the model in use.
    batches, failed: runs of learning that ended well, and that were given up.
    answered, fell_back: of these, where the model answered, and where it was asked in vain.
    useful, useless: citations that a person judged.
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
    """One part of the score. value in [0, 1]; neutral: its value where there is no data."""

    name: str
    weight: float
    value: float
    neutral: float


#: How much each term weighs; together 100, so that a term at 0 costs its weight in points.
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


def score(figures: Figures) -> float:
    """The weighted mean of the terms in [0, 100]. Nothing remembered yet: 97.5, for its size alone."""
    parts = terms(figures)
    return 100.0 * sum(part.weight * part.value for part in parts) / sum(part.weight for part in parts)


def terms(figures: Figures) -> tuple[Term, ...]:
    """Every term, in the order of `WEIGHTS`."""
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
    """What shares are taken of: what is learnt, and as much at most that a person put away lately.

    Without the second a mend would make the share of everything else that is wrong larger, and cost points.
    """
    return figures.learnt + min(figures.put_away, figures.learnt)


def conflicts(figures: Figures) -> float:
    """½ ^ (contradicted / looked at / 0.05), in (0, 1]; neutral 1: nothing learnt."""
    return halved(figures.contradicted, looked_at(figures), 0.05)


def duplicates(figures: Figures) -> float:
    """½ ^ (copies / looked at / 0.10), in (0, 1]; neutral 1: nothing learnt."""
    return halved(figures.copies, looked_at(figures), 0.10)


def confidence(figures: Figures) -> float:
    """½ ^ (unsure / looked at / 0.20), in (0, 1]; neutral 1: nothing learnt."""
    return halved(figures.unsure, looked_at(figures), 0.20)


def freshness(figures: Figures) -> float:
    """½ ^ (stale / looked at / 0.30), in (0, 1]; neutral 1: nothing learnt."""
    return halved(figures.stale, looked_at(figures), 0.30)


def usage(figures: Figures) -> float:
    """½ ^ (never_used / looked at / 0.50), in (0, 1]; neutral 1: nothing learnt."""
    return halved(figures.never_used, looked_at(figures), 0.50)


def vitality(figures: Figures) -> float:
    """(in_use + ½ · steady) / learnt, in [0, 1]; neutral 1: nothing learnt."""
    if not figures.learnt:
        return NEUTRAL["vitality"]
    return min(1.0, (figures.in_use + figures.steady / 2) / figures.learnt)


def success(figures: Figures) -> float:
    """½ ^ (failed / (batches + failed) / 0.25), in (0, 1]; neutral 1: nothing to learn from."""
    return halved(figures.failed, figures.batches + figures.failed, 0.25)


def answers(figures: Figures) -> float:
    """½ ^ (fell_back / (answered + fell_back) / 0.25), in (0, 1]; neutral 1: no model was asked."""
    return halved(figures.fell_back, figures.answered + figures.fell_back, 0.25)


def usefulness(figures: Figures) -> float:
    """½ ^ (useless / (useful + useless) / 0.50), in (0, 1]; neutral 1: nobody judged a citation."""
    return halved(figures.useless, figures.useful + figures.useless, 0.50)


def retention(figures: Figures) -> float:
    """1 while at most 30 % of what was learnt is lost, then ½ ^ ((share − 0.30) / 0.20), in (0, 1].

    share = (forgotten − min(put away, learnt)) / (learnt + forgotten); neutral 1: nothing learnt. What a
    person put away lately is no loss, as long as it is no more than what is left.
    """
    whole = figures.learnt + figures.forgotten
    if not whole:
        return NEUTRAL["retention"]
    lost = max(0, figures.forgotten - min(figures.put_away, figures.learnt))
    return float(0.5 ** (max(0.0, lost / whole - HEALTHY_FORGOTTEN) / 0.20))


def size(figures: Figures) -> float:
    """1 from 100 to 500 memories learnt; below ½ + ½ · looked at / 100, above 500 / learnt; in (0, 1].

    Neutral ½: nothing learnt, which is where the formula begins.
    """
    least, most = HEALTHY_SIZE
    if figures.learnt < least:
        return NEUTRAL["size"] + (1 - NEUTRAL["size"]) * min(1.0, looked_at(figures) / least)
    return min(1.0, most / figures.learnt)


def searchable(figures: Figures) -> float:
    """½ ^ (not_embedded / kept / 0.10), in (0, 1]; neutral 1: nothing kept."""
    return halved(figures.not_embedded, figures.kept, 0.10)


def halved(bad: int, whole: int, half: float) -> float:
    """½ ^ (bad / whole / half) in (0, 1]; 1 where there is no whole. The share is at most 1."""
    if whole <= 0:
        return 1.0
    return float(0.5 ** (min(1.0, bad / whole) / half))


#: The value of each term where there is no data.
NEUTRAL: Final[Mapping[str, float]] = {name: 0.5 if name == "size" else 1.0 for name in WEIGHTS}
