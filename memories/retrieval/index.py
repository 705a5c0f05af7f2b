"""One owner's memories in memory, ready to be searched: built from rows, extended by changed rows."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from memories.retrieval import analysis
from memories.retrieval.cues import names_in
from memories.retrieval.graph import EntityField
from memories.retrieval.keyword import TermField
from memories.retrieval.postings import Postings, unpack_rows
from memories.retrieval.rows import IndexRows
from memories.retrieval.structure import AROUND, Turns, summed_around
from memories.retrieval.vector import TOKEN_DTYPE, TokenField, TokenSpace

T = TypeVar("T")

_NUMBERS: Final = (
    "layer", "position", "occurred_at", "created_at", "last_used_at", "valid_from", "valid_until", "ended_at",
    "retired_at", "importance", "confidence", "access_count", "length", "cues",
)  # fmt: skip
_WORDS: Final = ("kind", "category", "status", "speaker", "session")
_MOST_NAMES: Final = 4
_ROW_BYTES: Final = 200  # what the id map and Python's own bookkeeping take for each row, about


@dataclass(frozen=True, slots=True, eq=False)
class Coded:
    """A column of repeated words: codes (n,) into names."""

    codes: NDArray[np.int64]
    names: tuple[str, ...]

    @classmethod
    def of(cls, words: Sequence[str], before: Coded | None = None) -> Coded:
        """Code words, going on from an earlier column if there is one."""
        code = {name: place for place, name in enumerate(before.names)} if before else {}
        fresh = [code.setdefault(word, len(code)) for word in words]
        codes = np.array(fresh, dtype=np.int64)
        return cls(np.concatenate([before.codes, codes]) if before else codes, tuple(code))

    def mask(self, words: Iterable[str]) -> NDArray[np.bool_]:
        """(n,) whether each row has one of these words."""
        wanted = set(words)
        chosen = np.array([name in wanted for name in self.names], dtype=bool)
        return chosen[self.codes] if self.names else np.zeros(0, dtype=bool)


@dataclass(frozen=True, slots=True, eq=False)
class OwnerIndex:
    """Everything a search reads. Never changes: `extend` gives a new one that shares what it can.

    ids: (n,) as given; slot: id → its row. alive: (n,) false for rows a later version replaced.
    numbers: numeric columns by name of `IndexRows`; words: `Coded` columns by name.
    names: (n,) how many names other than speakers' each text has, 4 at most.
    tokens is None without a token embedder, vectors without stored vectors.
    """

    ids: tuple[Hashable, ...]
    slot: Mapping[Hashable, int]
    alive: NDArray[np.bool_]
    numbers: Mapping[str, NDArray[np.generic]]
    words: Mapping[str, Coded]
    names: NDArray[np.float32]
    terms: TermField
    entities: EntityField
    turns: Turns
    tokens: TokenField | None
    vectors: NDArray[np.float32] | None
    _kept: dict[str, Any] = field(default_factory=dict)

    def kept(self, name: str, make: Callable[[], T]) -> T:
        """What depends on the index alone, made when a search first asks for it."""
        if name not in self._kept:
            self._kept[name] = make()
        made: T = self._kept[name]
        return made

    @classmethod
    def build(cls, rows: IndexRows, space: TokenSpace | None) -> OwnerIndex:
        """From all of an owner's rows. space: `TokenSpace.of(embedder)`, None for one without tokens."""
        return _assemble(None, rows, space)

    def extend(self, rows: IndexRows) -> OwnerIndex:
        """With rows added; those whose id is known take the place of the earlier version."""
        if not len(rows):
            return self
        return _assemble(self, rows, self.tokens.space if self.tokens else None)

    def __len__(self) -> int:
        return len(self.ids)

    def number(self, column: str) -> NDArray[np.float64]:
        """A numeric column as float64; not to be written to."""
        return self.numbers[column].astype(np.float64, copy=False)

    def rows_of(self, ids: Iterable[Hashable]) -> NDArray[np.int64]:
        """Rows of the ids that are known."""
        found = [self.slot[key] for key in ids if key in self.slot]
        return np.array(found, dtype=np.int64)

    def mentions(self, name: str) -> NDArray[np.bool_]:
        """(n,) whether each row holds every term of a name."""
        hashes = np.array([analysis.term_hash(term) for term in analysis.terms_of(name)], dtype=np.uint32)
        held = np.zeros(len(self), dtype=np.int64)
        for place in self.terms.postings.find(hashes):
            if place >= 0:
                held[self.terms.postings.rows(int(place))[0]] += 1
        whole: NDArray[np.bool_] = (held == hashes.size) & (hashes.size > 0)
        return whole

    @property
    def speakers(self) -> tuple[str, ...]:
        """Names of all who spoke, without the empty one."""
        return tuple(name for name in self.words["speaker"].names if name)

    @property
    def replaced(self) -> int:
        """Rows a later version replaced: past a fifth of all, build anew."""
        return int(len(self) - np.count_nonzero(self.alive))

    @property
    def nbytes(self) -> int:
        """Memory held, in bytes, about; what all owners share is not counted."""
        held: list[int] = [column.nbytes for column in self.numbers.values()]
        held += [column.codes.nbytes for column in self.words.values()]
        held += [self.names.nbytes, self.terms.nbytes, self.entities.nbytes, self.turns.nbytes]
        held += [self.tokens.nbytes if self.tokens else 0, 0 if self.vectors is None else self.vectors.nbytes]
        return sum(held) + _ROW_BYTES * len(self)


def _assemble(old: OwnerIndex | None, rows: IndexRows, space: TokenSpace | None) -> OwnerIndex:
    first = len(old) if old else 0
    slot = dict(old.slot) if old else {}
    alive = np.ones(first + len(rows), dtype=bool)
    if old:
        alive[:first] = old.alive
        alive[[slot[key] for key in rows.ids if key in slot]] = False
    slot.update(zip(rows.ids, range(first, first + len(rows)), strict=True))
    numbers = {name: _joined(old.numbers[name] if old else None, getattr(rows, name)) for name in _NUMBERS}
    words = {name: Coded.of(getattr(rows, name), old.words[name] if old else None) for name in _WORDS}
    turns = _turns(words["session"], numbers["position"], alive)
    terms = _terms(old, rows, turns, alive)
    return OwnerIndex(
        ids=(*(old.ids if old else ()), *rows.ids),
        slot=slot,
        alive=alive,
        numbers=numbers,
        words=words,
        names=_names(numbers["cues"].astype(np.int64), terms.postings, words["speaker"].names),
        terms=terms,
        entities=_entities(old, rows),
        turns=turns,
        tokens=_tokens(old, rows, space) if space else None,
        vectors=_vectors(old, rows),
    )


def _joined(old: NDArray[np.generic] | None, new: NDArray[np.generic]) -> NDArray[np.generic]:
    return np.asarray(new) if old is None else np.concatenate([old, np.asarray(new).astype(old.dtype)])


def _turns(session: Coded, position: NDArray[np.generic], alive: NDArray[np.bool_]) -> Turns:
    return Turns.of(session.codes, position.astype(np.int64), alive & ~session.mask([""]))


def _terms(old: OwnerIndex | None, rows: IndexRows, turns: Turns, alive: NDArray[np.bool_]) -> TermField:
    values, at, lengths = unpack_rows(rows.terms, "<u4", len(old) if old else 0)
    postings = Postings.build(values, at)
    own = lengths.astype(np.float32)
    if old:
        postings = old.terms.postings.merged(postings)
        own = np.concatenate([old.terms.own, own])
    context = summed_around(own, turns, AROUND)
    return TermField.of(postings, own, context, turns, int(np.count_nonzero(alive)))


def _names(cues: NDArray[np.int64], postings: Postings, speakers: Sequence[str]) -> NDArray[np.float32]:
    """A speaker addressed by name tells nothing: these are taken off the names counted."""
    count = names_in(cues)
    spoken = {analysis.term_hash(term) for speaker in speakers for term in analysis.terms_of(speaker)}
    for place in postings.find(np.array(list(spoken), dtype=np.uint32)):
        if place >= 0:
            count[postings.rows(int(place))[0]] -= 1
    return count.clip(0, _MOST_NAMES).astype(np.float32)


def _entities(old: OwnerIndex | None, rows: IndexRows) -> EntityField:
    values, at, lengths = unpack_rows(rows.entities, "<u4", len(old) if old else 0)
    postings = Postings.build(values, at)
    starts = np.append(0, np.cumsum(lengths))
    if old:
        before = old.entities
        postings = before.postings.merged(postings)
        values = np.concatenate([before.entities, values])
        starts = np.concatenate([before.starts, before.starts[-1] + starts[1:]])
    return EntityField(postings, values.astype(np.uint32, copy=False), starts)


def _tokens(old: OwnerIndex | None, rows: IndexRows, space: TokenSpace) -> TokenField:
    values, at, lengths = unpack_rows(rows.tokens, TOKEN_DTYPE, len(old) if old else 0)
    postings = Postings.build(values, at)
    ids = values.astype(np.uint16, copy=False)
    known = old.tokens if old else None
    if known:
        postings = known.postings.merged(postings)
        ids = np.concatenate([known.ids, ids])
        lengths = np.concatenate([np.diff(known.starts), lengths])
    return TokenField.of(space, postings, ids, lengths, known)


def _vectors(old: OwnerIndex | None, rows: IndexRows) -> NDArray[np.float32] | None:
    if rows.vectors is None:
        return None
    if old is None or old.vectors is None:
        return rows.vectors
    return np.concatenate([old.vectors, rows.vectors])


def column_names() -> tuple[str, ...]:
    """Names of the columns of `IndexRows`, for whoever loads them."""
    return tuple(column.name for column in fields(IndexRows))
