"""Which memories may answer at all: those that stand, and that the caller's filters leave."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from memories.retrieval.index import OwnerIndex
from memories.values import LAYERS

Mask = NDArray[np.bool_]


def standing(
    index: OwnerIndex, as_of: datetime, believed_at: datetime, reopened: NDArray[np.int64] | None = None
) -> Mask:
    """Rows true of the world at `as_of` as it was believed at `believed_at`.

    created ≤ believed_at < retired; valid_from ≤ as_of; and no end before `as_of` that was known by
    `believed_at`. Unknown times are open. reopened: rows that count as neither retired nor ended.
    """
    world, belief = as_of.timestamp(), believed_at.timestamp()
    over = (index.number("valid_until") <= world) & ~(index.number("ended_at") > belief)
    over |= index.number("retired_at") <= belief
    if reopened is not None:
        over[reopened] = False
    begun = (index.number("created_at") <= belief) & ~(index.number("valid_from") > world)
    return begun & ~over


def among(
    index: OwnerIndex,
    *,
    layers: Collection[str] = (),
    kinds: Collection[str] = (),
    categories: Collection[str] = (),
    statuses: Collection[str] = (),
    speaker: str = "",
    reopened: NDArray[np.int64] | None = None,
) -> Mask:
    """Rows that pass the filters given; an empty one lets all pass. reopened: rows of the status `active`."""
    mask = np.ones(len(index), dtype=bool)
    if layers:
        mask &= np.isin(index.column("layer"), [LAYERS.index(layer) for layer in layers])
    for column, wanted in (("kind", kinds), ("category", categories), ("status", statuses)):
        if wanted:
            passing = index.words[column].mask(wanted)
            if column == "status" and reopened is not None:
                passing[reopened] = "active" in wanted
            mask &= passing
    if speaker:
        mask &= index.words["speaker"].mask([speaker])
    return mask
