"""Measure what an embedder's cosines mean, on pairs of texts labelled by people.

Points of the reference scale: 95 % of unrelated pairs are below 0.50; 0.65 is the median of pairs on one
topic; 0.70 is the median of questions and their answers; 95 % of paraphrases reach 0.85; 95 % of
near-verbatim pairs reach 0.90. The scale is linear between these points, and ends at 0 and 1.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from memsite.errors import InvalidInput
from memsite.llm.embedding.embedding import Embedder, SimilarityProfile

Cosines = NDArray[np.float64]
Progress = Callable[[Sequence[int]], Iterable[int]]

PERCENTILES: Final = (5, 25, 50, 75, 95)
BATCH_PAIRS: Final = 32
#: Distance between points whose measured order is wrong, so that the map stays a function.
STEP: Final = 0.01


@dataclass(frozen=True)
class Anchor:
    """A percentile (0–100) of the cosines of a label's pairs, and its value on the reference scale."""

    label: str
    percentile: int
    reference: float


ANCHORS: Final = (
    Anchor("unrelated", 95, 0.50),
    Anchor("same_topic", 50, 0.65),
    Anchor("question_answer", 50, 0.70),
    Anchor("paraphrase", 5, 0.85),
    Anchor("near_verbatim", 5, 0.90),
)
#: Measured and shown, but not used for the scale.
SHOWN_ONLY: Final = ("far_paraphrase",)
LABELS: Final = tuple(anchor.label for anchor in ANCHORS) + SHOWN_ONLY


@dataclass(frozen=True)
class Pair:
    """Two texts, their relation (one of LABELS) and their language (`en`, `zh` …)."""

    label: str
    language: str
    a: str
    b: str


@dataclass(frozen=True)
class Measured:
    """The cosines of a label's pairs in one language, or in `all`: their count and their PERCENTILES."""

    label: str
    language: str
    count: int
    percentiles: tuple[float, ...]


@dataclass(frozen=True)
class Fit:
    """A fitted profile.

    Attributes:
        profile: The map.
        raw: Each anchor's measured cosine.
        pooled: Groups of anchors measured in the wrong order. The embedder cannot tell them apart, so the map
            puts all of a group at its mean, `STEP` from each other.
    """

    profile: SimilarityProfile
    raw: tuple[float, ...]
    pooled: tuple[tuple[Anchor, ...], ...]


def read_pairs(path: Path) -> list[Pair]:
    """Read pairs from a file with one JSON object per line: label, language, a, b; other keys are ignored.

    Raises:
        InvalidInput: For a line that is not a pair, and if a label of the scale has no pair.
    """
    pairs = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            read = json.loads(line)
            pair = Pair(read["label"], read["language"], read["a"], read["b"])
        except (ValueError, TypeError, KeyError) as error:
            raise InvalidInput(f"{path.name}, line {number}: not a labelled pair") from error
        if pair.label not in LABELS:
            raise InvalidInput(f"{path.name}, line {number}: no label is named {pair.label!r}")
        pairs.append(pair)
    missing = {anchor.label for anchor in ANCHORS} - {pair.label for pair in pairs}
    if missing:
        raise InvalidInput(f"{path.name} has no pair labelled {', '.join(sorted(missing))}")
    return pairs


def compute_cosines(embedder: Embedder, pairs: Sequence[Pair], progress: Progress = iter) -> Cosines:
    """Return the cosine of each pair, in order.

    Args:
        embedder: The model to measure.
        pairs: The pairs.
        progress: Wraps the batches, as tqdm does.

    Raises:
        ModelError: If the embedder fails.
    """
    found = []
    for start in progress(range(0, len(pairs), BATCH_PAIRS)):
        batch = pairs[start : start + BATCH_PAIRS]
        vectors = embedder.embed([text for pair in batch for text in (pair.a, pair.b)]).astype(np.float64)
        found.append(np.sum(vectors[0::2] * vectors[1::2], axis=1))
    return np.concatenate(found)


def measure_cosines(pairs: Sequence[Pair], raw: Cosines) -> list[Measured]:
    """Return percentiles by label, over all languages and for each language."""
    languages = ["all", *sorted({pair.language for pair in pairs})]
    return [
        Measured(label, language, len(chosen), tuple(np.percentile(chosen, PERCENTILES).tolist()))
        for label in LABELS
        for language in languages
        if len(chosen := _chosen(pairs, raw, label, language))
    ]


def fit_profile(pairs: Sequence[Pair], raw: Cosines) -> Fit:
    """Fit the piecewise linear map through the anchors' cosines.

    Cosines that do not rise with their reference are replaced by the closest rising sequence in least squares
    (pool adjacent violators, all anchors of equal weight).
    """
    measured = [
        float(np.percentile(_chosen(pairs, raw, anchor.label, "all"), anchor.percentile))
        for anchor in ANCHORS
    ]
    groups = pool_adjacent_violators(measured)
    points = list(zip(_spread(groups, measured), (anchor.reference for anchor in ANCHORS), strict=True))
    bottom = min(0.0, points[0][0] - STEP)
    profile = SimilarityProfile(points=((bottom, 0.0), *points, (1.0, 1.0)))
    pooled = tuple(tuple(ANCHORS[place] for place in group) for group in groups if len(group) > 1)
    return Fit(profile, tuple(measured), pooled)


def pool_adjacent_violators(values: Sequence[float]) -> list[list[int]]:
    """Group positions so that the means of the groups rise strictly.

    The means are the isotonic regression of the values.
    """
    groups: list[list[int]] = []
    for place in range(len(values)):
        groups.append([place])
        while len(groups) > 1 and _mean(values, groups[-2]) >= _mean(values, groups[-1]):
            last = groups.pop()
            groups[-1] += last
    return groups


def _mean(values: Sequence[float], places: Sequence[int]) -> float:
    return sum(values[place] for place in places) / len(places)


def _spread(groups: Sequence[Sequence[int]], values: Sequence[float]) -> list[float]:
    """Return each position at its group's mean, rising by at least STEP, and all below 1."""
    points: list[float] = []
    for group in groups:
        first = _mean(values, group) - STEP * (len(group) - 1) / 2
        for position in range(len(group)):
            lowest = points[-1] + STEP if points else STEP - 1.0
            points.append(max(first + STEP * position, lowest))
    overshoot = max(0.0, points[-1] + STEP - 1.0)
    return [round(point - overshoot, 4) for point in points]


def _chosen(pairs: Sequence[Pair], raw: Cosines, label: str, language: str) -> Cosines:
    mask = [pair.label == label and language in ("all", pair.language) for pair in pairs]
    chosen: Cosines = raw[np.array(mask, dtype=bool)]
    return chosen
