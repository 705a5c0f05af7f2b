"""The entity index: which memories mention which entities. `bridging` searches it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memories.retrieval.index.arrays import Growing, Postings

HUB = 0.1  # an entity in a larger share of the memories is a hub, which is not followed
HUB_LEAST = 20  # memories; below this number an entity is never a hub


@dataclass(frozen=True, slots=True, eq=False)
class EntityField:
    """Index of memories by entity and of entities by memory. Relations count with subject and object.

    Attributes:
        postings: Rows of each entity.
        _entities: Entities of all rows, concatenated.
        _starts: (n + 1) Start of each row in `_entities`.
    """

    postings: Postings
    _entities: Growing
    _starts: Growing

    @classmethod
    def build(
        cls, postings: Postings, entities: NDArray[np.uint32], lengths: NDArray[np.int64]
    ) -> EntityField:
        """Build the field.

        Args:
            postings: Rows of each entity.
            entities: Entity keys of all rows, concatenated.
            lengths: (n,) Number of entities of each row.
        """
        return cls(postings, Growing.of(entities), Growing.of(np.append(0, np.cumsum(lengths))))

    def extended(
        self, postings: Postings, entities: NDArray[np.uint32], lengths: NDArray[np.int64]
    ) -> EntityField:
        """Return the field with further rows added."""
        return EntityField(
            self.postings.extended(postings),
            self._entities.grown(entities),
            self._starts.grown(self.starts[-1] + np.cumsum(lengths)),
        )

    @property
    def entities(self) -> NDArray[np.uint32]:
        """Entity keys of all rows, concatenated."""
        return self._entities.values

    @property
    def starts(self) -> NDArray[np.int64]:
        """(n + 1,) Start of each row in `entities`."""
        return self._starts.values

    @property
    def nbytes(self) -> int:
        """Memory use in bytes."""
        return self.postings.nbytes + self._entities.nbytes + self._starts.nbytes

    def rows(self, place: int) -> NDArray[np.int64]:
        """Return the rows that mention the entity at a place of the postings."""
        return self.postings.rows(place)[0]

    def of_row(self, row: int) -> NDArray[np.int64]:
        """Return the places of the entities that a row mentions."""
        return self.postings.find(self.entities[self.starts[row] : self.starts[row + 1]])


def hub_limit(rows: int) -> float:
    """Return the largest number of memories an entity may occur in before it counts as a hub."""
    return max(HUB_LEAST, HUB * rows)
