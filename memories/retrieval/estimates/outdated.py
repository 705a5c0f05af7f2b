"""Estimate which of the memories that answer a question a newer one among them makes outdated.

"Handed in my badge at the shipyard, on Monday I start at the harbour office" ends "I do the accounts at a
shipyard", but no rule of `memories.writing.changes` could end the older memory by such words without ending
others wrongly. If both answer one question about what is so now, the newer one probably replaces the older
one. So nothing is ended: the older one is only less relevant to that question.

The estimate has two steps, both fitted by `training.outdated`: a network over the vectors of two memories
says whether the newer one ends what the older one says; another weighs that with the question, and with how
much either memory matters to it. Likings, skills, relatives and conditions end no other of their kind.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from memories.retrieval.estimates.network import Network, Projection, join_features

Floats = NDArray[np.floating]
Places = NDArray[np.int64]

OUTDATED_FILE: Final = Path(__file__).with_name("outdated.npz")
#: The best memories of a search that are compared with each other.
STATEMENTS: Final = 16
#: Logit from which a memory is outdated if just two sayings are compared. With n pairs it is higher by ln n:
#: the more sayings answer, the less probable is it of a pair that one ends the other. A lower bound leaves
#: the new statement alone after more changes, and hides more that is still true: see docs/evaluation.md.
_LEAST: Final = -2.5
#: Logit of the first step below which the question decides nothing.
_LEAST_END: Final = -2.0
#: A statement ends one thing: memories of another saying only if their cosine with that is so high, or the
#: logit is so far over the bound.
_SAME: Final = 0.9
_SURER: Final = 1.5
_USUAL_COSINE: Final = 0.85
_COSINE_STEP: Final = 0.05


class OutdatedModel(NamedTuple):
    """The fitted values.

    Attributes:
        pair: Projection of statements.
        ends: Network over the features of an older and a newer one.
        question: Projection of questions.
        decides: Network over the features of a question and two statements.
    """

    pair: Projection
    ends: Network
    question: Projection
    decides: Network


class Statements(NamedTuple):
    """What answers a question best: n memories.

    Attributes:
        vectors: (n, d) Unit vectors.
        times: (n,) When each was stated, in seconds.
        logits: (n,) How much each matters to the question; see `estimate_relevance`.
        sayings: (n,) Equal numbers for memories of one saying, which is a message and what was learnt from
            it; None if each is a saying of its own.
    """

    vectors: Floats
    times: Floats
    logits: Floats
    sayings: Places | None = None


def find_replacements(
    query: Floats,
    statements: Statements,
    *,
    may_replace: NDArray[np.bool_] | None = None,
    caution: float = 0.0,
    model: OutdatedModel | None = None,
) -> Places:
    """Return (n,) the place of the newer statement that most probably makes each outdated, or -1.

    Args:
        query: (d,) Unit vector of the question.
        statements: What answers it.
        may_replace: (n, n) Whether the second of two statements may make the first outdated, if it is newer;
            None if each may.
        caution: Logit that is added to the bound.
        model: Fitted values; None for those of `outdated.npz`.
    """
    found = np.full(len(statements.times), -1)
    is_newer = statements.times[:, None] < statements.times[None, :]
    has_vector = np.asarray(statements.vectors.any(axis=1), dtype=np.bool_)
    is_newer &= has_vector[:, None] & has_vector[None, :]
    sayings = np.arange(len(found)) if statements.sayings is None else statements.sayings
    older, newer = np.nonzero(is_newer if may_replace is None else is_newer & may_replace)
    if older.size:
        least = _LEAST + caution + np.log(len(set(zip(sayings[older], sayings[newer], strict=True))))
        logits = estimate_outdated(model or _load(), query, statements, older, newer)
        best = dict[int, int]()  # the statement that each newer one most probably ends
        for place in np.argsort(-logits, kind="stable"):
            old, new = int(older[place]), int(newer[place])
            if logits[place] < least:
                break
            first = best.setdefault(new, old)
            is_sure = logits[place] >= least + _SURER or sayings[first] == sayings[old]
            if found[old] < 0 and (is_sure or _say_the_same(statements.vectors, first, old)):
                found[old] = new
    return found


def _say_the_same(vectors: Floats, one: int, other: int) -> bool:
    """Return whether two statements are so near that what ends one ends the other, too."""
    return float(vectors[one] @ vectors[other]) >= _SAME


def estimate_outdated(
    model: OutdatedModel, query: Floats, statements: Statements, older: Places, newer: Places
) -> Floats:
    """Return the logits (m,) that the newer of two statements makes the older one outdated for a question."""
    ends = model.ends.compute_logits(
        compare_statements(model.pair, statements.vectors[older], statements.vectors[newer])
    )
    decided = model.decides.compute_logits(
        weigh_question(model.question, query, statements, older, newer, ends)
    )
    return np.where(ends < _LEAST_END, -np.inf, decided)


def compare_statements(pair: Projection, older: Floats, newer: Floats) -> Floats:
    """Return the features (m, f) of pairs of unit vectors (m, d)."""
    above = (np.einsum("nd,nd->n", older, newer) - _USUAL_COSINE) / _COSINE_STEP
    return join_features(pair.apply(older), pair.apply(newer), above, above**2).astype(np.float32)


def weigh_question(
    question: Projection,
    query: Floats,
    statements: Statements,
    older: Places,
    newer: Places,
    ends: Floats,
) -> Floats:
    """Return the features (m, f) of a question and pairs of statements.

    Args:
        question: Projection of questions.
        query: (d,) Unit vector of the question.
        statements: What answers it.
        older: (m,) Place of the older statement of each pair.
        newer: (m,) Place of the newer one.
        ends: (m,) Logits that the newer one ends what the older one says.
    """
    matters = statements.logits
    first, second = matters[older], matters[newer]
    least = np.minimum(first, second)
    cosines = np.einsum("nd,nd->n", statements.vectors[older], statements.vectors[newer])
    columns = (
        ends, first, second, least, (cosines - _USUAL_COSINE) / _COSINE_STEP,
        ends * _share(least), _share(first), _share(second),
    )  # fmt: skip
    projected = np.repeat(question.apply(query[None]), len(older), axis=0)
    return np.hstack([np.stack(columns, axis=1), projected]).astype(np.float32)


def _share(logits: Floats) -> Floats:
    shares: Floats = 1 / (1 + np.exp(-np.clip(logits, -30, 30)))
    return shares


def make_model(stored: dict[str, Floats]) -> OutdatedModel:
    """Return the model of stored arrays."""
    return OutdatedModel(
        pair=Projection.of(stored, "pair"),
        ends=Network.of(stored, "ends"),
        question=Projection.of(stored, "question"),
        decides=Network.of(stored, "decides"),
    )


@lru_cache(maxsize=1)
def _load() -> OutdatedModel:
    with np.load(OUTDATED_FILE) as file:
        return make_model({name: file[name].astype(np.float32) for name in file.files})
