"""Estimate which of the statements that answer a question a newer one among them makes outdated.

"Handed in my badge at the shipyard, on Monday I start at the harbour office" ends "I do the accounts at a
shipyard", but no rule of `memories.writing.changes` could end the older memory by such words without ending
others wrongly. If both answer one question about what is so now, the newer one probably replaces the older
one. So nothing is ended: the older one is only less relevant to that question.

The estimate has two steps, both fitted by `bench.outdated` and stored in `outdated.npz`. Logistic regressions
on vectors estimate whether a change connects two statements, and whether a statement tells a state or a
change. A network with one hidden layer weighs these and the cosines.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating]

OUTDATED_FILE: Final = Path(__file__).with_name("outdated.npz")
#: The best statements of a search that are compared with each other.
STATEMENTS: Final = 10
#: Probability from which a statement is outdated, where both classes weigh the same. Of everyday questions of
#: people whom the fit did not see, 72.2 instead of 73.6 % find their answer among the first 5.
_LEAST: Final = 0.85


class OutdatedModel(NamedTuple):
    """The fitted values, for vectors of d dimensions, k axes, f features and h hidden units.

    Attributes:
        mean: (d,) Mean of the vectors that the fit saw.
        axes: (k, d) Directions on which two vectors are compared.
        pair: (4 k + 3,) Weights of the pair features, and the bias.
        state: (d + 1,) Weights and bias: a statement tells a state that may change.
        change: (d + 1,) Weights and bias: a statement tells what is so now, or a change.
        hidden: (f + 1, h) Weights and biases of the hidden units.
        output: (h + 1,) Weights and bias of the logit.
    """

    mean: Floats
    axes: Floats
    pair: Floats
    state: Floats
    change: Floats
    hidden: Floats
    output: Floats


def find_replacements(
    query: Floats,
    statements: Floats,
    times: Floats,
    *,
    may_replace: NDArray[np.bool_] | None = None,
    model: OutdatedModel | None = None,
) -> NDArray[np.int64]:
    """Return (n,) the place of the newer statement that most probably makes each outdated, or -1.

    Args:
        query: (d,) Unit vector of the question.
        statements: (n, d) Unit vectors of the statements that answer it best.
        times: (n,) When each was stated, in seconds.
        may_replace: (n, n) Whether the second of two statements may make the first outdated, if it is newer;
            None if each may.
        model: Fitted values; None for those of `outdated.npz`.
    """
    found = np.full(len(statements), -1)
    is_newer = times[:, None] < times[None, :]
    older, newer = np.nonzero(is_newer if may_replace is None else is_newer & may_replace)
    if older.size:
        model = model or _load()
        features = compare_all(model, query, statements, older, newer)
        logits = np.tanh(_apply(features, model.hidden)) @ model.output[:-1] + model.output[-1]
        for place in np.argsort(logits, kind="stable"):  # the most probable one last
            if logits[place] >= np.log(_LEAST / (1 - _LEAST)):
                found[older[place]] = newer[place]
    return found


def compare_all(
    model: OutdatedModel,
    query: Floats,
    statements: Floats,
    older: NDArray[np.int64],
    newer: NDArray[np.int64],
) -> Floats:
    """Return the features (m, f) of pairs of statements for a question.

    Args:
        model: The fitted values; only those of the first step are used.
        query: (d,) Unit vector of the question.
        statements: (n, d) Unit vectors.
        older: (m,) Rows of the older statement of each pair.
        newer: (m,) Rows of the newer one.
    """
    answering = statements @ query
    states, changes = _apply(statements, model.state), _apply(statements, model.change)
    pair = _apply(compute_pair_features(model, statements[older], statements[newer]), model.pair)
    least = np.minimum(answering[older], answering[newer])
    columns = (
        pair, answering[older], answering[newer], answering[older] - answering[newer], least,
        np.einsum("nd,nd->n", statements[older], statements[newer]),
        states[older], changes[newer], states[newer], changes[older], pair * least,
    )  # fmt: skip
    return np.stack(columns, axis=1)


def compute_pair_features(model: OutdatedModel, older: Floats, newer: Floats) -> Floats:
    """Return the features (n, 4 k + 2) of pairs of unit vectors (n, d).

    They are the cosine and its square; and, on each axis, the product of both, their distance, and each.
    """
    cosine = np.einsum("nd,nd->n", older, newer)[:, None]
    before, after = (older - model.mean) @ model.axes.T, (newer - model.mean) @ model.axes.T
    return np.hstack([cosine, cosine**2, before * after, np.abs(before - after), before, after])


def _apply(values: Floats, weights: Floats) -> Floats:
    """Return the values (n, d) times weights (d + 1, …), of which the last row is the bias."""
    applied: Floats = values @ weights[:-1] + weights[-1]
    return applied


@lru_cache(maxsize=1)
def _load() -> OutdatedModel:
    with np.load(OUTDATED_FILE) as stored:
        return OutdatedModel(**{name: stored[name] for name in OutdatedModel._fields})
