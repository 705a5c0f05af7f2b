"""Estimate how much a memory matters to an input, from both sentence vectors.

The estimate does not depend on the other memories: the same input and memory have the same relevance for an
owner of six and of a hundred thousand. It is a sum of three logits: whether this memory matters to this
input; whether the input is of a person who asks about their own life, or wants something made to suit it; and
how near both are to each other beyond what is usual for the memory. `training.relevance` fits them, on people
of many writers.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from memories.retrieval.estimates.network import Network, Projection, join_features

Floats = NDArray[np.floating]

RELEVANCE_FILE: Final = Path(__file__).with_name("relevance.npz")
#: The logit of the input alone is cut here.
MOST_NEED: Final = 3.0
#: How much more it counts that an input needs nothing: among hundreds of memories, some fit it by chance.
_NO_NEED_WEIGHT: Final = 2.5
#: Nearest references whose mean cosine tells how near a memory is to everything.
_NEAREST: Final = 10
#: Usual cosine of an input and a memory, and by how much it differs.
_USUAL_COSINE: Final = 0.83
_COSINE_STEP: Final = 0.06
#: Share of the nearness to everything that is subtracted from a cosine, what remains usually, and its spread.
_HUB_SHARE: Final = 0.6
_USUAL_REST: Final = 0.31
_REST_STEP: Final = 0.03


class RelevanceModel(NamedTuple):
    """The fitted values, for vectors of d dimensions.

    Attributes:
        pair: Projection of inputs and memories.
        matters: Network over the features of an input and a memory.
        input: Projection of inputs.
        needs: Network over a projected input.
        references: (r, d) Statements of many people.
        shares: (4,) Shares of the three logits, and the constant that is added.
    """

    pair: Projection
    matters: Network
    input: Projection
    needs: Network
    references: Floats
    shares: Floats


def estimate_need(query: Floats, *, model: RelevanceModel | None = None) -> float:
    """Return the logit that an input asks about the person's own life or wants something made to suit it.

    General knowledge, arithmetic, translation, writing to order and small talk are below 0.

    Args:
        query: (d,) Unit vector of the input.
        model: Fitted values; None for those of `relevance.npz`.
    """
    model = model or _load()
    logit = model.needs.compute_logits(model.input.apply(query[None]))[0]
    return float(np.clip(logit, -MOST_NEED, MOST_NEED))


def estimate_relevance(
    query: Floats,
    memories: Floats,
    *,
    need: float,
    model: RelevanceModel | None = None,
) -> Floats:
    """Return the logits (n,) that memories matter to an input.

    Args:
        query: (d,) Unit vector of the input.
        memories: (n, d) Unit vectors.
        need: See `estimate_need`.
        model: Fitted values; None for those of `relevance.npz`.
    """
    model = model or _load()
    features, rest = compute_features(model.pair, model.references, query, memories)
    matters = model.matters.compute_logits(features)
    by_pair, by_need, by_rest, constant = model.shares.tolist()
    weighed_need = need * (_NO_NEED_WEIGHT if need < 0 else 1.0)
    logits: Floats = by_pair * matters + by_need * weighed_need + by_rest * rest + constant
    return logits


def compute_features(
    pair: Projection, references: Floats, query: Floats, memories: Floats
) -> tuple[Floats, Floats]:
    """Return the features (n, f) of an input and memories, and their nearness beyond what is usual (n,).

    A memory that is near to everything (a hub) is near to each input, too.
    """
    count = len(memories)
    cosines = memories @ query
    hubs = _compute_hubs(references, memories)
    rest = (cosines - _HUB_SHARE * hubs - _USUAL_REST) / _REST_STEP
    above = (cosines - _USUAL_COSINE) / _COSINE_STEP
    query_hub = np.full(count, (_compute_hubs(references, query[None])[0] - _USUAL_COSINE) / _COSINE_STEP)
    features = join_features(
        np.repeat(pair.apply(query[None]), count, axis=0),
        pair.apply(memories),
        above, above**2, rest, (hubs - _USUAL_COSINE) / _COSINE_STEP, query_hub,
    )  # fmt: skip
    return features.astype(np.float32), rest


def _compute_hubs(references: Floats, vectors: Floats) -> Floats:
    """Return the mean cosine (n,) of each vector with the references that are nearest to it."""
    cosines = vectors @ references.T
    nearest = np.partition(cosines, -_NEAREST, axis=1)[:, -_NEAREST:]
    hubs: Floats = nearest.mean(axis=1)
    return hubs


@lru_cache(maxsize=1)
def _load() -> RelevanceModel:
    with np.load(RELEVANCE_FILE) as file:
        stored = {name: file[name].astype(np.float32) for name in file.files}
    return make_model(stored)


def make_model(stored: dict[str, Floats]) -> RelevanceModel:
    """Return the model of stored arrays."""
    references = stored["references"].astype(np.float32)
    return RelevanceModel(
        pair=Projection.of(stored, "pair"),
        matters=Network.of(stored, "matters"),
        input=Projection.of(stored, "input"),
        needs=Network.of(stored, "needs"),
        references=references / np.linalg.norm(references, axis=1, keepdims=True),
        shares=stored["shares"],
    )
