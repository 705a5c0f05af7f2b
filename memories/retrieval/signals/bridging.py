"""The graph signal: find memories about people whom a question only names by their relation to another.

"Where does Anna's sister work?" needs two memories: one that says who the sister is, and one that says where
she works and shares no name with the question. A *bridge* is a memory that matches the question and mentions
an entity of the question. The match of a bridge is passed on, over its other entities, to the memories that
mention these. Turns of conversations receive nothing: there the signal helps no more than it harms.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from memories.retrieval.index import EntityField, hub_limit, idf, kernels
from memories.retrieval.signals.fusion import Float32, Mask
from memories.text import hash_name, hash_term, list_name_candidates, list_terms

if TYPE_CHECKING:
    from memories.retrieval.index import Match, OwnerIndex
    from memories.retrieval.query import Query

#: Number of bridges used in each of the two steps.
_BRIDGES: Final = 8
#: A memory below this share of the best match is not a bridge.
_LEAST_MATCH: Final = 0.6
#: Number of content words up to which a memory is about all entities it mentions. Above it, the share that is
#: passed on falls with (words)⁻².
_ABOUT: Final = 8
#: Share passed on over an entity of n other memories: 1 / (1 + _DAMPING · ln n).
_DAMPING: Final = 0.5
#: Share of a match that is passed on: if the question names a relation, if it does not, and from memories one
#: bridge away to those two bridges away.
_TIED: Final = 1.0
_UNTIED: Final = 0.1
_NEXT: Final = 0.75
#: A bridge that covers no more than this share of the words besides names says nothing about the relation.
_LEAST_BEYOND: Final = 0.1
#: Score of a memory that mentions an entity of the question, whatever its words: this share of the best
#: match, or of _LEAST_BEST if that is higher.
_NAMED: Final = 0.1
_LEAST_BEST: Final = 3.0

_TIE = re.compile(r"['’]s?\s+\w|\b(?:[Mm]y|[Oo]ur)\s+\w|\bof\s+(?:my|our|the\s+\w+\s+of|[A-Z])|的")

Rows = NDArray[np.int64]


def compute_bridging_signals(
    index: OwnerIndex, query: Query, match: Match, fused: dict[str, Float32], eligible: Mask
) -> dict[str, Float32]:
    """Compute named (n,) signals; none if nothing is reached.

    `graph`: the keyword and token match that each memory receives from its bridge, in units of the measures
    (z-scores). `linked`: the share of the question's words that the bridge covers, after damping, in [0, 1].
    """
    field = index.entities
    names = _named(field, query.text)
    named = np.array(list(names.values()), dtype=np.int64)
    outside = index.kept("outside talk", lambda: (index.turns.place < 0).astype(np.float32))
    if not named.size or not index.kept("any facts", outside.any):
        return {}
    walk = _Walk(field, named)
    tokens = fused["tokens"] if "tokens" in fused else np.zeros_like(fused["keyword"])
    bridges = walk.strongest(fused["keyword"], tokens, eligible)
    strength = fused["keyword"][bridges] + tokens[bridges]
    tied = _TIE.search(query.text) is not None
    strong = strength > _LEAST_MATCH * strength.max(initial=0)
    bridges, share = bridges[strong], _shares(index, walk, bridges[strong], tied=tied)
    covered = _covered(index, query, match, bridges, [*names])
    walk.hand_on(bridges, share * strength[strong], share * covered)
    if tied:
        walk.further(eligible)
    walk.name(_NAMED * max(float(strength.max(initial=0)), _LEAST_BEST))
    return {"graph": walk.graph * outside, "linked": walk.linked * outside} if walk.graph.any() else {}


def _named(field: EntityField, text: str) -> dict[str, int]:
    """Return the entities that a question names, each with its place in the postings."""
    keys = [key for key in dict.fromkeys(list_name_candidates(text)) if key] if field.entities.size else []
    places = field.postings.find(np.fromiter(map(hash_name, keys), dtype=np.uint32, count=len(keys)))
    return {key: place for key, place in zip(keys, places.tolist(), strict=True) if place >= 0}


def _covered(index: OwnerIndex, query: Query, match: Match, rows: Rows, names: list[str]) -> Float32:
    """Return the share of the question's words that each row covers; 0 if it covers little but names."""
    terms = dict.fromkeys(term for name in names for term in list_terms(name))
    hashes = np.fromiter(map(hash_term, terms), dtype=np.uint32, count=len(terms))
    own_terms = np.isin(query.hashes, hashes)
    places = index.terms.postings.find(query.hashes[own_terms])
    counts, size = index.terms.postings.row_counts(), index.terms.size
    own = sum(
        worth * idf(size, int(counts[place]))
        for place, worth in zip(places.tolist(), query.worth[own_terms].tolist(), strict=True)
        if place >= 0
    )
    beyond = match.covered[rows] - np.float32(own)
    whole = np.minimum(match.covered[rows] / max(match.wanted, 1e-6), 1)
    shares: Float32 = np.where(beyond > _LEAST_BEYOND * max(match.wanted - own, 0), whole, 0).astype(
        np.float32
    )
    return shares


def _shares(index: OwnerIndex, walk: _Walk, rows: Rows, *, tied: bool) -> Float32:
    """Return the share of its match that each bridge passes on.

    The share is lower if the question names no relation or the bridge none of its entities, and for long
    bridges.
    """
    ties = np.array([tied and walk.names(row) for row in rows.tolist()], dtype=bool)
    words = np.maximum(index.column("length")[rows].astype(np.float32), 1)
    whole = np.where(ties, np.float32(_TIED), np.float32(_UNTIED))
    shares: Float32 = whole * np.minimum(np.float32(1), _ABOUT / words) ** 2
    return shares


class _Walk:
    """The values passed on so far: `graph` and `linked`, both (n,)."""

    def __init__(self, field: EntityField, named: Rows) -> None:
        self.field, self.named = field, named
        rows = field.starts.size - 1
        self.limit = hub_limit(rows)
        self.graph, self.linked = np.zeros((2, rows), dtype=np.float32)

    def names(self, row: int) -> bool:
        """Return whether a row mentions an entity of the question."""
        return bool(np.isin(self.field.of_row(row), self.named).any())

    def strongest(self, first: Float32, second: Float32, eligible: Mask) -> Rows:
        """Return the eligible rows with entities and the largest positive first + second, largest first."""
        rows = np.empty(_BRIDGES, dtype=np.int64)
        return rows[: kernels.largest(first, second, eligible, self.field.starts, rows)]

    def name(self, value: float) -> None:
        """Raise the rows that mention an entity of the question."""
        for entity in self.named.tolist():
            rows = self.field.rows(entity)
            if rows.size <= self.limit:
                share = 1 / (1 + _DAMPING * np.log(rows.size))
                self.graph[rows] = np.maximum(self.graph[rows], np.float32(share * value))

    def hand_on(self, rows: Rows, values: Float32, covered: Float32) -> None:
        """Pass values on to rows that share an entity with `rows`, except over named entities and hubs."""
        postings = self.field.postings
        kernels.hand_on(
            rows, values, covered, self.named, postings.holders, postings.begins, postings.ends,
            postings.in_order, postings.places, self.field.entities, self.field.starts,
            self.limit, _DAMPING, self.graph, self.linked,
        )  # fmt: skip

    def further(self, eligible: Mask) -> None:
        """Pass values on once more, from the rows that received most."""
        rows = self.strongest(self.graph, np.zeros_like(self.graph), eligible)
        self.hand_on(rows, np.float32(_NEXT) * self.graph[rows], np.float32(_NEXT) * self.linked[rows])
