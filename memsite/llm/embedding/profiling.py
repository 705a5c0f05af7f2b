"""Measures what an embedder's cosines mean, on pairs of texts that people have labelled.

The reference scale says: 0.50 is what 95 % of unrelated pairs stay under, 0.65 the middle of pairs on
one topic, 0.70 the middle of questions and their answers, 0.85 what 95 % of paraphrases reach, 0.90
what 95 % of near-verbatim pairs reach. Between these it is linear, with 0 and 1 at its ends.
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
#: Points that cannot be told apart are put this far from each other, so that the map stays a function.
STEP: Final = 0.01


@dataclass(frozen=True)
class Anchor:
    """A percentile (0–100) of the cosines of a label's pairs, and where the reference scale puts it."""

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
#: Measured and shown, but no point of the scale hangs on it.
SHOWN_ONLY: Final = ("far_paraphrase",)
LABELS: Final = tuple(anchor.label for anchor in ANCHORS) + SHOWN_ONLY


@dataclass(frozen=True)
class Pair:
    """Two texts, how they stand to each other (one of LABELS) and their language (`en`, `zh` …)."""

    label: str
    language: str
    a: str
    b: str


@dataclass(frozen=True)
class Measured:
    """The cosines of a label's pairs in one language, or in `all`: how many, and their PERCENTILES."""

    label: str
    language: str
    count: int
    percentiles: tuple[float, ...]


@dataclass(frozen=True)
class Fit:
    """A fitted profile. raw: each anchor's cosine as measured.

    pooled: groups of anchors that came out in the wrong order: the embedder cannot tell these
    apart, and the map puts all of a group at its mean, `STEP` from each other.
    """

    profile: SimilarityProfile
    raw: tuple[float, ...]
    pooled: tuple[tuple[Anchor, ...], ...]


def read_pairs(path: Path) -> list[Pair]:
    """Pairs from a file of one JSON object a line: label, language, a, b; other keys are ignored.

    Raises InvalidInput for a line that is none, and where a label of the scale has no pair.
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


def cosines(embedder: Embedder, pairs: Sequence[Pair], progress: Progress = iter) -> Cosines:
    """The cosine of each pair, in order. progress: wraps the batches, as tqdm does. Raises ModelError."""
    found = []
    for start in progress(range(0, len(pairs), BATCH_PAIRS)):
        batch = pairs[start : start + BATCH_PAIRS]
        vectors = embedder.embed([text for pair in batch for text in (pair.a, pair.b)]).astype(np.float64)
        found.append(np.sum(vectors[0::2] * vectors[1::2], axis=1))
    return np.concatenate(found)


def measure(pairs: Sequence[Pair], raw: Cosines) -> list[Measured]:
    """Percentiles by label, over all languages and in each."""
    languages = ["all", *sorted({pair.language for pair in pairs})]
    return [
        Measured(label, language, len(chosen), tuple(np.percentile(chosen, PERCENTILES).tolist()))
        for label in LABELS
        for language in languages
        if len(chosen := _chosen(pairs, raw, label, language))
    ]


def fit(pairs: Sequence[Pair], raw: Cosines) -> Fit:
    """The piecewise linear map through the anchors' cosines.

    Cosines that do not rise with their reference are replaced by the rising sequence nearest in least
    squares (pool adjacent violators, all anchors of equal weight).
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
    """Places in groups whose means rise strictly; the isotonic regression of the values is these means."""
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
    """Each place at its group's mean, but rising by STEP at least, and all under 1."""
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
