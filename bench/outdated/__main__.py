"""Fit the estimate of outdated statements, and write it to `memories/retrieval/estimates/outdated.npz`.

python -m bench.outdated [--check]

Learns from `pairs.tsv` (1 or 0, a question, an older statement, a newer one: whether the newer one makes the
older one outdated), from the scenarios of `scenarios.jsonl` and of the truth set, and from `diaries/` and the
everyday set, in which nothing is outdated. `--check` leaves out the truth set and, in turn, each person of
the everyday set, prints what the fit says of them, and writes nothing.
"""

from __future__ import annotations

import random
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating]

_FOLDER: Final = Path(__file__).parent
_AXES: Final = 128
_HIDDEN: Final = 8
_STEPS: Final = 1500
_RATE: Final = 0.02
_PENALTY: Final = 1e-4  # of squared weights of the network
_PAIR_PENALTY: Final = 0.01
_SENTENCE_PENALTY: Final = 0.05
_NEWTON: Final = 12
_SEEDS: Final = 3
_STRANGERS: Final = 5000
_SEED: Final = 7
#: Unrelated statements beside those of a scenario.
_AROUND: Final = 8
#: Parts of the examples, of which each is left out once.
_PARTS: Final = 4
#: Kinds of scenarios of which two of different kinds have nothing to do with each other.
_TOPICS: Final = frozenset({"home", "job", "partner", "tool", "preference", "habit"})


class _Case(NamedTuple):
    """A question, statements that answer it best, and pairs of them.

    Attributes:
        part: Which part of the examples it belongs to.
        older: Rows of the older statement of each pair.
        newer: Rows of the newer one.
        outdated: Whether the older one is outdated for this question.
    """

    part: int
    question: str
    texts: list[str]
    times: list[float]
    older: list[int]
    newer: list[int]
    outdated: list[bool]


class _Pair(NamedTuple):
    """Two statements of one person. `part`: as of `_Case`."""

    part: int
    older: str
    newer: str
    is_changed: bool


class _Examples(NamedTuple):
    """What is learnt from. `plain`: statements of diaries, each with its part."""

    pairs: list[_Pair]
    cases: list[_Case]
    plain: list[tuple[int, str]]

    def without(self, part: int) -> _Examples:
        """Return the pairs and statements of the other parts."""
        return _Examples(
            [one for one in self.pairs if one.part != part], [], [one for one in self.plain if one[0] != part]
        )


class _Vectors:
    """Unit vectors of texts, each embedded once."""

    def __init__(self) -> None:
        from memsite.llm.embedding import SentenceEmbedder  # noqa: PLC0415 - reads the settings

        self._embedder = SentenceEmbedder()
        self._passages: dict[str, Any] = {}

    def passages(self, texts: Sequence[str]) -> Floats:
        missing = sorted({text for text in texts if text not in self._passages})
        if missing:
            self._passages.update(zip(missing, self._embedder.embed_passages(missing), strict=True))
        return _unit(np.stack([self._passages[text] for text in texts]).astype(np.float64))

    def query(self, text: str) -> Floats:
        unit: Floats = _unit(self._embedder.embed_query(text).astype(np.float64)[None])[0]
        return unit


def _unit(vectors: Floats) -> Floats:
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), dtype=np.float64)


def _read_cases(people: Sequence[Any], scenarios: Sequence[Any], vectors: _Vectors) -> Iterator[_Case]:
    from memories.retrieval.estimates import STATEMENTS  # noqa: PLC0415 - reads the settings
    from memories.retrieval.query import wants_current  # noqa: PLC0415 - as above

    chance = random.Random(_SEED)  # noqa: S311 - examples, no secret
    for part, scenario in enumerate(scenarios):
        around = chance.sample(scenario.background, min(_AROUND, len(scenario.background)))
        statements = [*scenario.statements, *around]
        times = [one.at.timestamp() for one in statements]
        for one in scenario.questions:
            if one.as_of is not None or not wants_current(one.text):
                continue
            pairs = [
                (old, new, statements[old].id in one.stale and statements[new].id in one.right)
                for old in range(len(scenario.statements))
                for new in range(len(statements))
                if times[old] < times[new] and statements[old].id in {*one.right, *one.stale}
                if statements[old].id in one.right or statements[new].id in one.right
            ]
            if pairs:
                texts = [it.text for it in statements]
                yield _Case(part % _PARTS, one.text, texts, times, *map(list, zip(*pairs, strict=True)))
    for part, person in enumerate(people):
        memories, held = person.memories, vectors.passages([one.text for one in person.memories])
        for question in person.questions:
            best = np.argsort(-(held @ vectors.query(question.text)))[:STATEMENTS].tolist()
            texts, times = [memories[at].text for at in best], [memories[at].at.timestamp() for at in best]
            right = [place for place, at in enumerate(best) if memories[at].id in question.memories]
            pairs = [(a, b, False) for a in right for b in range(len(best)) if times[b] > times[a]]
            if pairs:
                yield _Case(part % _PARTS, question.text, texts, times, *map(list, zip(*pairs, strict=True)))


def _read_examples(people: Sequence[Any], scenarios: Sequence[Any], vectors: _Vectors) -> _Examples:
    pairs, cases = list[_Pair](), list(_read_cases(people, scenarios, vectors))
    for place, row in enumerate((_FOLDER / "pairs.tsv").read_text(encoding="utf-8").splitlines()):
        label, question, old, new = row.split("\t")
        pairs.append(_Pair(place % _PARTS, old, new, label == "1"))
        cases.append(_Case(place % _PARTS, question, [old, new], [0.0, 1.0], [0], [1], [label == "1"]))
    topical = list[tuple[int, str, str, _Pair]]()
    for place, scenario in enumerate(scenarios):
        part, texts = place % _PARTS, {one.id: one.text for one in scenario.statements}
        for one in (question for question in scenario.questions if question.as_of is None):
            found = [
                _Pair(part, texts[old], texts[new], is_changed=True) for old in one.stale for new in one.right
            ]
            pairs += found
            if scenario.kind in _TOPICS:
                topical += [(part, scenario.language, scenario.kind, pair) for pair in found]
        if scenario.kind == "both":
            pairs += _pair_all([one.text for one in scenario.statements], part)
    chance = random.Random(_SEED)  # noqa: S311 - examples, no secret
    for _ in range(_STRANGERS):
        one, other = chance.choices(topical, k=2)
        if one[:2] == other[:2] and one[2] != other[2]:
            pairs.append(_Pair(one[0], one[3].older, other[3].newer, is_changed=False))
    plain = list[tuple[int, str]]()
    for place, person in enumerate(people):
        part, diary = place % _PARTS, [one.text for one in sorted(person.memories, key=lambda one: one.at)]
        plain += [(part, text) for text in diary]
        pairs += _pair_all(diary, part)
    return _Examples(pairs, cases, plain)


def _pair_all(texts: Sequence[str], part: int) -> Iterator[_Pair]:
    """Yield all pairs of texts that stay true, the older first."""
    for old, new in combinations(texts, 2):
        yield _Pair(part, old, new, is_changed=False)


def _fit_logit(features: Floats, labels: Floats, penalty: float) -> Floats:
    """Return weights (f + 1,) and bias of a logistic regression in which both classes weigh the same.

    By Newton's method on standardised features.
    """
    centre, spread = features.mean(axis=0), features.std(axis=0) + 1e-9
    inputs = np.hstack([(features - centre) / spread, np.ones((len(features), 1))])
    importance = np.where(labels > 0, 0.5 / labels.mean(), 0.5 / (1 - labels.mean())) / len(labels)
    ridge = penalty * np.diag(np.append(np.ones(features.shape[1]), 0.0))
    weights = np.zeros(inputs.shape[1])
    for _ in range(_NEWTON):
        likely = 1 / (1 + np.exp(-np.clip(inputs @ weights, -30, 30)))
        slope = inputs.T @ (importance * (likely - labels)) + ridge @ weights
        curve = (inputs * (importance * likely * (1 - likely))[:, None]).T @ inputs + ridge
        weights -= np.linalg.solve(curve + 1e-9 * np.eye(len(weights)), slope)
    scaled = weights[:-1] / spread
    return np.append(scaled, weights[-1] - centre @ scaled)


def _fit_difference(positive: Floats, negative: Floats) -> Floats:
    """Return weights and bias (d + 1,) that separate two sets of vectors."""
    labels = np.concatenate([np.ones(len(positive)), np.zeros(len(negative))])
    return _fit_logit(np.concatenate([positive, negative]), labels, _SENTENCE_PENALTY)


def _fit(examples: _Examples, vectors: _Vectors) -> Any:  # noqa: ANN401 - a class that reads the settings
    """Fit both steps. The second learns from values of a first step that did not see its examples."""
    from memories.retrieval.estimates import compare_all  # noqa: PLC0415 - reads the settings

    compared, outdated = [], []
    for part in range(_PARTS):
        model = _fit_first(examples.without(part), vectors)
        for case in (one for one in examples.cases if one.part == part):
            rows = np.array(case.older), np.array(case.newer)
            held, question = vectors.passages(case.texts), vectors.query(case.question)
            compared.append(compare_all(model, question, held, *rows))
            outdated.append(case.outdated)
    features, labels = np.concatenate(compared).astype(np.float64), np.concatenate(outdated).astype(float)
    hidden, output = _fit_network(features, labels)
    return _fit_first(examples, vectors)._replace(hidden=hidden, output=output)


def _fit_first(examples: _Examples, vectors: _Vectors) -> Any:  # noqa: ANN401 - as above
    from memories.retrieval.estimates import OutdatedModel, compute_pair_features  # noqa: PLC0415 - as above

    old = vectors.passages([pair.older for pair in examples.pairs])
    new = vectors.passages([pair.newer for pair in examples.pairs])
    labels = np.array([pair.is_changed for pair in examples.pairs], dtype=np.float64)
    every = np.concatenate([old, new])
    mean, empty = every.mean(axis=0), np.zeros(0)
    _, axes = np.linalg.eigh(np.cov((every - mean).T))
    model = OutdatedModel(mean, axes[:, ::-1][:, :_AXES].T, empty, empty, empty, empty, empty)
    plain = vectors.passages([text for _, text in examples.plain])
    return model._replace(
        pair=_fit_logit(compute_pair_features(model, old, new), labels, _PAIR_PENALTY),
        state=_fit_difference(old[labels > 0], plain),
        change=_fit_difference(new[labels > 0], plain),
    )


def _fit_network(features: Floats, labels: Floats) -> tuple[Floats, Floats]:
    """Return weights (f + 1, h) and (h + 1,) of a network with one hidden layer; both classes weigh the same.

    It is the mean of several, each from other random weights: one network with all their hidden units.
    """
    centre, spread = features.mean(axis=0), features.std(axis=0) + 1e-9
    scaled = np.hstack([(features - centre) / spread, np.ones((len(features), 1))])
    importance = np.where(labels > 0, 0.5 / labels.mean(), 0.5 / (1 - labels.mean()))
    hidden, output = zip(*(_descend(scaled, labels, importance, seed) for seed in range(_SEEDS)), strict=True)
    joined = np.hstack(hidden)
    bias = joined[-1] - (joined[:-1] * (centre / spread)[:, None]).sum(axis=0)
    weights = np.vstack([joined[:-1] / spread[:, None], bias])
    return weights, np.append(
        np.concatenate([one[:-1] for one in output]), sum(one[-1] for one in output)
    ) / _SEEDS


def _descend(inputs: Floats, labels: Floats, importance: Floats, seed: int) -> tuple[Floats, Floats]:
    """Fit one network by Adam (Kingma and Ba, ICLR 2015)."""
    random_state = np.random.default_rng(seed)
    values = [
        random_state.normal(0, 0.3, (inputs.shape[1], _HIDDEN)),
        random_state.normal(0, 0.3, _HIDDEN + 1),
    ]
    means, squares = ([np.zeros_like(one) for one in values] for _ in range(2))
    for step in range(1, _STEPS + 1):
        active = np.tanh(inputs @ values[0])
        error = importance * (1 / (1 + np.exp(-(active @ values[1][:-1] + values[1][-1]))) - labels)
        back = error[:, None] * values[1][:-1] * (1 - active**2)
        slopes = (
            inputs.T @ back / len(labels) + _PENALTY * values[0],
            np.append(active.T @ error, error.sum()) / len(labels) + _PENALTY * values[1],
        )
        for place, slope in enumerate(slopes):
            means[place] = 0.9 * means[place] + 0.1 * slope
            squares[place] = 0.999 * squares[place] + 0.001 * slope**2
            rate = _RATE * np.sqrt(1 - 0.999**step) / (1 - 0.9**step)
            values[place] = values[place] - rate * means[place] / (np.sqrt(squares[place]) + 1e-8)
    return values[0], values[1]


def main() -> None:
    """Fit on everything and write, or with `--check` fit on a part and print what the rest gives."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    is_check = parser.parse_args().check
    from bench.fusion import set_up  # noqa: PLC0415 - reads the settings

    set_up()
    from evaluation.quality import EVERYDAY_SET, TRUTH_SET, read_everyday_set, read_truth_set  # noqa: PLC0415
    from memories.retrieval.estimates import OUTDATED_FILE  # noqa: PLC0415

    vectors = _Vectors()
    people, scenarios = read_everyday_set(EVERYDAY_SET), read_truth_set(_FOLDER / "scenarios.jsonl")
    others, diaries = read_truth_set(TRUTH_SET), read_everyday_set(_FOLDER / "diaries")
    if is_check:
        for place, person in enumerate(people):
            seen = [*people[:place], *people[place + 1 :], *diaries]
            model = _fit(_read_examples(seen, scenarios, vectors), vectors)
            _print_check(person.name, model, _read_cases([person], [], vectors), vectors)
        _print_check("truth set", model, _read_cases([], others, vectors), vectors)
        return
    model = _fit(_read_examples([*people, *diaries], [*scenarios, *others], vectors), vectors)
    mean, axes, pair, state, change, hidden, output = (np.float32(value) for value in model)
    np.savez(
        OUTDATED_FILE,
        mean=mean,
        axes=axes,
        pair=pair,
        state=state,
        change=change,
        hidden=hidden,
        output=output,
    )


def _print_check(
    name: str,
    model: Any,  # noqa: ANN401 - `OutdatedModel`, from a module that reads the settings
    cases: Iterator[_Case],
    vectors: _Vectors,
) -> None:
    """Print how many outdated statements are found, and how many others are taken for outdated."""
    from memories.retrieval.estimates import find_replacements  # noqa: PLC0415 - reads the settings

    found, stale, wrong, right = 0, 0, 0, 0
    for case in cases:
        held, question = vectors.passages(case.texts), vectors.query(case.question)
        marks = find_replacements(question, held, np.array(case.times), model=model)
        replaced = {old for old, is_outdated in zip(case.older, case.outdated, strict=True) if is_outdated}
        others = set(case.older) - replaced
        found, stale = found + sum(marks[one] >= 0 for one in replaced), stale + len(replaced)
        wrong, right = wrong + sum(marks[one] >= 0 for one in others), right + len(others)
    print(
        f"{name}: {found} of {stale} outdated statements found; {wrong} of {right} others taken for outdated"
    )


if __name__ == "__main__":
    main()
