"""Which memories may answer at all: those that stand, and that the caller's filters leave."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from memories.candidates import LAYERS
from memories.retrieval.index import OwnerIndex

Mask = NDArray[np.bool_]


def standing(index: OwnerIndex, as_of: datetime, believed_at: datetime) -> Mask:
    """Rows true of the world at `as_of` as it was believed at `believed_at`.

    created ≤ believed_at < retired; valid_from ≤ as_of; and no end before `as_of` that was known by
    `believed_at`. Unknown times are open.
    """
    world, belief = as_of.timestamp(), believed_at.timestamp()
    believed = (index.number("created_at") <= belief) & ~(index.number("retired_at") <= belief)
    begun = ~(index.number("valid_from") > world)
    ended = (index.number("valid_until") <= world) & ~(index.number("ended_at") > belief)
    return index.alive & believed & begun & ~ended


def among(
    index: OwnerIndex,
    *,
    layers: Collection[str] = (),
    kinds: Collection[str] = (),
    categories: Collection[str] = (),
    statuses: Collection[str] = (),
    speaker: str = "",
) -> Mask:
    """Rows that pass the filters given; an empty one lets all pass."""
    mask = index.alive.copy()
    if layers:
        mask &= np.isin(index.numbers["layer"], [LAYERS.index(layer) for layer in layers])
    for column, wanted in (("kind", kinds), ("category", categories), ("status", statuses)):
        if wanted:
            mask &= index.words[column].mask(wanted)
    if speaker:
        mask &= index.words["speaker"].mask([speaker])
    return mask
