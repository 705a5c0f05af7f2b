"""Select the memories that a search may find: those active at its time that pass its filters."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from memories.retrieval.index import OwnerIndex
from memories.values import LAYERS, Layer, Status

Mask = NDArray[np.bool_]


def mask_active(
    index: OwnerIndex, as_of: datetime, believed_at: datetime, reopened: NDArray[np.int64] | None = None
) -> Mask:
    """Return the rows that were true at `as_of` according to what was known at `believed_at`.

    These satisfy created ≤ believed_at < retired and valid_from ≤ as_of, and have no end before `as_of` that
    was known by `believed_at`. An unknown time sets no bound.

    Args:
        index: Memories of one owner.
        as_of: Time in the world.
        believed_at: Time of knowledge.
        reopened: Rows that count as neither retired nor ended.
    """
    world, belief = as_of.timestamp(), believed_at.timestamp()
    begun = (index.number("created_at") <= belief) & ~(index.number("valid_from") > world)
    return begun & ~_mask_over(index, as_of, believed_at, reopened)


def mask_former(
    index: OwnerIndex, as_of: datetime, believed_at: datetime, reopened: NDArray[np.int64] | None = None
) -> Mask:
    """Return (f,) which of `index.former.facts` are over: ended, corrected, or forgotten by the person.

    Args: as of `mask_active`.
    """
    facts = index.former.facts
    if not facts.size:
        return np.zeros(0, dtype=bool)
    over = _mask_over(index, as_of, believed_at, reopened)
    return (over | index.words["status"].mask([Status.FORGOTTEN]))[facts]


def _mask_over(
    index: OwnerIndex, as_of: datetime, believed_at: datetime, reopened: NDArray[np.int64] | None
) -> Mask:
    """Return the rows that were over at `as_of` according to what was known at `believed_at`."""
    world, belief = as_of.timestamp(), believed_at.timestamp()
    over: Mask = (index.number("valid_until") <= world) & ~(index.number("ended_at") > belief)
    over |= index.number("retired_at") <= belief
    if reopened is not None:
        over[reopened] = False
    return over


def mask_matching(
    index: OwnerIndex,
    *,
    layers: Collection[Layer] = (),
    kinds: Collection[str] = (),
    categories: Collection[str] = (),
    statuses: Collection[str] = (),
    speaker: str = "",
    reopened: NDArray[np.int64] | None = None,
) -> Mask:
    """Return the rows that pass the filters. An empty filter excludes nothing.

    Args:
        index: Memories of one owner.
        layers: Allowed layers.
        kinds: Allowed kinds.
        categories: Allowed categories.
        statuses: Allowed statuses.
        speaker: Required speaker.
        reopened: Rows whose status counts as `active`.
    """
    mask = np.ones(len(index), dtype=bool)
    if layers:
        mask &= np.isin(index.column("layer"), [LAYERS.index(layer) for layer in layers])
    for column, wanted in (("kind", kinds), ("category", categories), ("status", statuses)):
        if wanted:
            passing = index.words[column].mask(wanted)
            if column == "status" and reopened is not None:
                passing[reopened] = Status.ACTIVE in wanted
            mask &= passing
    if speaker:
        mask &= index.words["speaker"].mask([speaker])
    return mask
