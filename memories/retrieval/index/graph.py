"""Which memories speak of which entities: what the graph arm walks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memories.retrieval.index.arrays import Growing, Postings

HUB = 0.1  # an entity in more than this share of the memories leads everywhere, so nowhere
HUB_LEAST = 20  # memories; in a small store nothing is a hub


@dataclass(frozen=True, slots=True, eq=False)
class EntityField:
    """Which memories touch which entities (relations: subject and object), both ways round.

    postings: entity → rows. _entities, _starts: those of each row, and where each row's begin (n + 1).
    """

    postings: Postings
    _entities: Growing
    _starts: Growing

    @classmethod
    def build(
        cls, postings: Postings, entities: NDArray[np.uint32], lengths: NDArray[np.int64]
    ) -> EntityField:
        """entities: of all rows, one row's after the other's; lengths: (n,) how many each row has."""
        return cls(postings, Growing.of(entities), Growing.of(np.append(0, np.cumsum(lengths))))

    def extended(
        self, postings: Postings, entities: NDArray[np.uint32], lengths: NDArray[np.int64]
    ) -> EntityField:
        """With those of further rows."""
        return EntityField(
            self.postings.extended(postings),
            self._entities.grown(entities),
            self._starts.grown(self.starts[-1] + np.cumsum(lengths)),
        )

    @property
    def entities(self) -> NDArray[np.uint32]:
        """Keys of all rows, one row's after the other's."""
        return self._entities.values

    @property
    def starts(self) -> NDArray[np.int64]:
        """(n + 1,) where each row's begin in `entities`."""
        return self._starts.values

    @property
    def nbytes(self) -> int:
        """Memory held, in bytes."""
        return self.postings.nbytes + self._entities.nbytes + self._starts.nbytes

    def rows(self, place: int) -> NDArray[np.int64]:
        """Rows that touch the entity at this place of the postings."""
        return self.postings.rows(place)[0]

    def of_row(self, row: int) -> NDArray[np.int64]:
        """Places of the entities that a row touches."""
        return self.postings.find(self.entities[self.starts[row] : self.starts[row + 1]])


def hub_limit(rows: int) -> float:
    """How many of so many memories may touch an entity that still leads anywhere."""
    return max(HUB_LEAST, HUB * rows)
