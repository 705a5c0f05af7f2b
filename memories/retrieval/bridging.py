"""The graph arm: what a question reaches by way of somebody it names only by their tie to another.

"Where does Anna's sister work?" is answered by two memories: one that says who the sister is, and one that
says where she works and shares no name with the question. A *bridge* is a memory that matches the question
and speaks of someone it names; over the other entities of the bridge its match is handed on to the memories
that speak of these. Turns of talk receive nothing: on conversations it helps no more than it harms.
"""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from memories.retrieval.fusion import Float32, Mask
from memories.retrieval.graph import EntityField, hub_limit

if TYPE_CHECKING:
    from memories.retrieval.index import OwnerIndex
    from memories.retrieval.keyword import Match
    from memories.retrieval.query import Query

#: Bridges looked at in each of the two steps.
_BRIDGES: Final = 8
#: A memory that matches less than this share of the best one is no bridge.
_LEAST_MATCH: Final = 0.6
#: Content words up to which a memory is about all it names; of more words, each name weighs (words)⁻² less.
_ABOUT: Final = 8
#: What an entity of n other memories hands on: 1 / (1 + _DAMPING · ln n).
_DAMPING: Final = 0.5
#: What is handed on of a match: when the question names somebody by a tie, when it does not, and to
#: memories two bridges away of what those one away receive.
_TIED: Final = 1.0
_UNTIED: Final = 0.1
_NEXT: Final = 0.75
#: What speaks of somebody the question names, whatever its words: this share of the best match, or of this.
_NAMED: Final = 0.1
_LEAST_BEST: Final = 3.0

_TIE = re.compile(r"['’]s?\s+\w|\b(?:my|our)\s+\w|\bof\s+(?:my|our|the\s+\w+\s+of|[A-Z])|的", re.IGNORECASE)

Rows = NDArray[np.int64]


def signals(
    index: OwnerIndex, query: Query, match: Match, fused: dict[str, Float32], eligible: Mask
) -> dict[str, Float32]:
    """Named (n,) signals, none of them where nothing is reached.

    graph: in units of the measures (z-scores), what each memory is handed of its bridge's keyword and token
    match. linked: [0, 1], the share of the question's words that the bridge covers, as far as handed on.
    """
    field = index.entities
    places = field.postings.find(query.names)
    named = frozenset(places[places >= 0].tolist())
    tied = _TIE.search(query.text) is not None
    if not named or "keyword" not in fused:
        return {}
    outside = index.kept("outside talk", lambda: index.turns.place < 0)
    if not outside.any():
        return {}
    strength = fused["keyword"] + fused.get("tokens", np.float32(0))
    covered = match.covered / max(match.wanted, 1e-6)
    bridges = _bridges(index, strength, eligible)
    walk = _Walk(field, len(index), named)
    best = max(float(strength[bridges].max(initial=0)), _LEAST_BEST)
    walk.name(_NAMED * best)
    for row in bridges.tolist():
        ties = tied and walk.names(row)
        words = max(float(index.numbers["length"][row]), 1.0)
        share = (_TIED if ties else _UNTIED) * min(1.0, _ABOUT / words) ** 2
        walk.hand_on(row, share * float(strength[row]), share * min(float(covered[row]), 1.0))
    if tied:
        walk.further(eligible)
    graph, linked = np.where(outside, walk.graph, 0), np.where(outside, walk.linked, 0)
    return {"graph": graph, "linked": linked} if graph.any() else {}


def _bridges(index: OwnerIndex, strength: Float32, eligible: Mask) -> Rows:
    """The rows of the best matches that speak of any entity, those far behind the best left out."""
    among = np.where(
        eligible & index.kept("names somebody", lambda: np.diff(index.entities.starts) > 0), strength, 0
    )
    rows = _largest(among.astype(np.float32))
    chosen: Rows = rows[among[rows] > _LEAST_MATCH * among.max(initial=0)]
    return chosen


def _largest(values: Float32) -> Rows:
    count = min(_BRIDGES, values.size)
    rows = np.argpartition(values, values.size - count)[values.size - count :]
    return rows[values[rows] > 0]


class _Walk:
    """What has been handed on so far: graph, linked (n,)."""

    def __init__(self, field: EntityField, rows: int, named: AbstractSet[int]) -> None:
        self.field, self.named, self.limit = field, named, hub_limit(rows)
        self.graph = np.zeros(rows, dtype=np.float32)
        self.linked = np.zeros(rows, dtype=np.float32)

    def names(self, row: int) -> bool:
        """Whether a row speaks of anyone the question names."""
        return not self.named.isdisjoint(self._entities(row))

    def name(self, value: float) -> None:
        """Raise the rows that speak of who is named."""
        for entity in self.named:
            rows = self.field.rows(entity)
            if rows.size <= self.limit:
                self._raise(rows, value, 0.0)

    def hand_on(self, row: int, value: float, covered: float) -> None:
        """Over each entity of a row but those named to all others that speak of it; hubs lead nowhere."""
        for entity in self._entities(row):
            rows = self.field.rows(entity)
            if entity not in self.named and 1 < rows.size <= self.limit:
                self._raise(rows[rows != row], value, covered)

    def further(self, eligible: Mask) -> None:
        """One step more, from the rows that received most."""
        graph, linked = self.graph.copy(), self.linked.copy()
        for row in _largest(np.where(eligible & (linked > 0), graph, 0).astype(np.float32)).tolist():
            self.hand_on(row, _NEXT * float(graph[row]), _NEXT * float(linked[row]))

    def _entities(self, row: int) -> set[int]:
        return set(self.field.of_row(row).tolist())

    def _raise(self, rows: Rows, value: float, covered: float) -> None:
        share = 1 / (1 + _DAMPING * np.log(max(rows.size, 1)))
        self.graph[rows] = np.maximum(self.graph[rows], np.float32(share * value))
        self.linked[rows] = np.maximum(self.linked[rows], np.float32(share * covered))
