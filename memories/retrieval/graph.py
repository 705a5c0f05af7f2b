"""The graph arm: memories that touch what the query names, and those one step further."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memories.retrieval.postings import Postings, gather

Float32 = NDArray[np.float32]
SECOND_HOP = 0.4  # of what a memory named directly would get
HUB = 0.1  # an entity in more than this share of the memories leads everywhere, so nowhere
HUB_LEAST = 20  # memories; in a small store nothing is a hub


@dataclass(frozen=True, slots=True, eq=False)
class EntityField:
    """Which memories touch which entities (relations: subject and object), both ways round.

    postings: entity → rows. entities, starts: those of each row, and where each row's begin (n + 1).
    """

    postings: Postings
    entities: NDArray[np.uint32]
    starts: NDArray[np.int64]

    @property
    def nbytes(self) -> int:
        """Memory held, in bytes."""
        return self.postings.nbytes + self.entities.nbytes + self.starts.nbytes

    def rows(self, place: int) -> NDArray[np.int64]:
        """Rows that touch the entity at this place of the postings."""
        return self.postings.rows(place)[0]

    def of_row(self, row: int) -> NDArray[np.int64]:
        """Places of the entities that a row touches."""
        return self.postings.find(self.entities[self.starts[row] : self.starts[row + 1]])


def hub_limit(rows: int) -> float:
    """How many of so many memories may touch an entity that still leads anywhere."""
    return max(HUB_LEAST, HUB * rows)


def walk(field: EntityField, names: NDArray[np.uint32]) -> Float32:
    """(n,) in [0, 1]: 1 for a memory that touches the rarest entity named, less for commoner ones and for
    memories reached through another entity of such a memory; 0 for the rest.

    names: hashes of all the query could name; those that are no entity are ignored.
    """
    scores = np.zeros(field.starts.size - 1, dtype=np.float32)
    if not field.entities.size:
        return scores
    places = field.postings.find(names)
    named = np.unique(places[places >= 0])
    _spread(field, named, np.float32(1.0), scores)
    touched = np.flatnonzero(scores)
    if not touched.size:
        return scores
    neighbours = _entities_of(field, touched)
    further = neighbours[~np.isin(neighbours, named)]
    _spread(field, further, np.float32(SECOND_HOP), scores)
    return scores


def _entities_of(field: EntityField, rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """Places of the distinct entities that rows touch, hubs left out."""
    at = gather(field.starts[rows], field.starts[rows + 1] - field.starts[rows])
    places = np.unique(field.postings.find(field.entities[at]))
    return places[field.postings.row_counts()[places] <= hub_limit(field.starts.size - 1)]


def _spread(field: EntityField, places: NDArray[np.int64], weight: np.float32, scores: Float32) -> None:
    """Raise the rows of these entities to `weight`, less for entities of many rows."""
    sizes = field.postings.row_counts()[places]
    order = np.argsort(-sizes)
    sizes, places = sizes[order], places[order]
    share = weight / (1 + np.log(np.maximum(sizes, 1))).astype(np.float32)
    at = gather(field.postings.starts[places], sizes)
    rows = field.postings.rows_at(at)
    values = np.zeros_like(scores)
    values[rows] = np.repeat(share, sizes)  # rarest entity last: it stands
    np.maximum(scores, values, out=scores)
