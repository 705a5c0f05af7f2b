"""The in-memory search index of one owner, built from rows and extended with changed rows."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from memories.retrieval.index.arrays import Coded, Growing, Postings, Turns, unpack_rows
from memories.retrieval.index.graph import EntityField
from memories.retrieval.index.keyword import TermField
from memories.retrieval.index.lineage import FormerRows, Lineage, LineageColumns
from memories.retrieval.index.rows import IndexRows
from memories.retrieval.index.sentences import SentenceField
from memories.retrieval.index.tokens import TOKEN_DTYPE, TokenField, TokenSpace
from memories.text import count_names, hash_term, list_terms

T = TypeVar("T")

_NUMBERS: Final = (
    "layer", "position", "occurred_at", "restated_at", "created_at", "last_used_at", "valid_from",
    "valid_until", "ended_at", "retired_at", "importance", "confidence", "access_count", "length", "cues",
    "pinned",
)  # fmt: skip
_WORDS: Final = ("kind", "category", "status", "speaker", "session")
#: Columns from which other parts of the index are computed, besides terms, tokens, names and vectors.
_FIXED: Final = ("position", "length", "cues")
_MOST_NAMES: Final = 4
#: Speakers that are roles, not names. The word "user" in a query names nobody.
ROLES: Final = frozenset({"user", "assistant", "system", "tool", "ai", "用户", "助手"})
_ROW_BYTES: Final = 200  # approximate bytes per row of the ids and their map


@dataclass(frozen=True, slots=True, eq=False)
class OwnerIndex:
    """All data that a search reads.

    An index is immutable. `extend` returns the next version, which shares as much as possible with this one.

    Attributes:
        ids: Ids by row. Later versions append to the same list; the first `len(self)` belong to this version.
        slot: Row of each id. Later versions add to the same dict.
        numbers: Numeric columns, by their name in `IndexRows`.
        words: `Coded` columns, by name.
        names: (n,) Number of names in each text, without those of speakers, at most 4.
        spoken: Hashes of the terms of speakers' names.
        tokens: None without a token embedder.
        vectors: (n, d) Stored vectors; None without stored vectors.
        sentences: Vectors of the sentence model; None without that model.
        lineage: Where rows came from and what followed them.
        content: (n,) Hash of the terms, tokens, entities and vector of each row. A row whose hash changes
            cannot be updated in place.
    """

    ids: list[Hashable]
    slot: dict[Hashable, int]
    numbers: Mapping[str, Growing]
    words: Mapping[str, Coded]
    names: Growing
    spoken: frozenset[int]
    terms: TermField
    entities: EntityField
    turns: Turns
    tokens: TokenField | None
    vectors: Growing | None
    sentences: SentenceField | None
    lineage: Lineage
    content: Growing
    _kept: dict[str, Any] = field(default_factory=dict)
    _extended: list[bool] = field(default_factory=list)

    def kept(self, name: str, make: Callable[[], T]) -> T:
        """Return a value that depends on the index alone, and compute it on first use.

        Args:
            name: Key of the cached value.
            make: Function that computes it.
        """
        if name not in self._kept:
            self._kept[name] = make()
        made: T = self._kept[name]
        return made

    @classmethod
    def build(cls, rows: IndexRows, space: TokenSpace | None) -> OwnerIndex:
        """Build an index from all rows of an owner.

        Args:
            rows: All rows of the owner.
            space: `TokenSpace.of(embedder)`; None for an embedder without tokens.
        """
        numbers = {name: Growing.of(np.asarray(getattr(rows, name))) for name in _NUMBERS}
        words = {name: Coded.of(getattr(rows, name)) for name in _WORDS}
        turns = Turns.of(words["session"].codes, rows.position, ~words["session"].mask([""]))
        packed = Packed.of(rows, 0)
        terms = TermField.build(packed.terms, packed.term_counts.astype(np.float32), turns)
        spoken = _spoken(words["speaker"].names)
        return cls(
            ids=list(rows.ids),
            slot={key: row for row, key in enumerate(rows.ids)},
            numbers=numbers,
            words=words,
            names=Growing.of(_names(rows.cues, terms.postings, spoken)),
            spoken=spoken,
            terms=terms,
            entities=EntityField.build(packed.entities, packed.entity_keys, packed.entity_counts),
            turns=turns,
            tokens=TokenField.build(space, packed.tokens, packed.token_ids, packed.token_counts)
            if space
            else None,
            vectors=None if rows.vectors is None else Growing.of(rows.vectors),
            sentences=None if rows.sentences is None else SentenceField.build(rows.sentences),
            lineage=Lineage.build(_lineage_of(rows)),
            content=Growing.of(packed.content),
        )

    def extend(self, rows: IndexRows) -> OwnerIndex | None:
        """Return the next version, with new rows added and the columns of known rows updated.

        The cost grows with the number of rows given, plus one or two passes over the columns. The result
        ranks like an index built from all rows.

        Returns:
            None if the searchable content of a known row changed: the index must then be rebuilt.

        Raises:
            ValueError: If this version was extended before. Later versions write to the shared arrays.
        """
        if not len(rows):
            return self
        if self._extended:
            raise ValueError("this version of the index has a next one already")
        self._extended.append(True)
        present = np.array([key in self.slot for key in rows.ids], dtype=bool)
        changed = self if not present.any() else _changed(self, rows.chosen(present))
        if changed is None or present.all():
            return changed
        return _grown(changed, rows.chosen(~present))

    def __len__(self) -> int:
        return len(self.content.values)

    def column(self, name: str) -> NDArray[Any]:
        """Return a numeric column. Callers must not write to it."""
        return self.numbers[name].values

    def number(self, name: str) -> NDArray[np.float64]:
        """Return a numeric column as float64. Callers must not write to it."""
        return self.column(name).astype(np.float64, copy=False)

    def rows_of(self, ids: Iterable[Hashable]) -> NDArray[np.int64]:
        """Return the rows of those ids that the index holds."""
        size = len(self)
        found = [row for key in ids if (row := self.slot.get(key, size)) < size]
        return np.array(found, dtype=np.int64)

    def mentions(self, name: str) -> NDArray[np.bool_]:
        """Return (n,) whether each row holds every term of a name."""
        hashes = np.array([hash_term(term) for term in list_terms(name)], dtype=np.uint32)
        held = np.zeros(len(self), dtype=np.int64)
        for place in self.terms.postings.find(hashes):
            if place >= 0:
                held[self.terms.postings.rows(int(place))[0]] += 1
        whole: NDArray[np.bool_] = (held == hashes.size) & (hashes.size > 0)
        return whole

    @property
    def dialogue(self) -> NDArray[np.bool_]:
        """(n,) The turns of conversations in which two people or more are named: the roles are no people."""
        return self.kept("dialogue", lambda: _find_dialogue(self))

    @property
    def former(self) -> FormerRows:
        """What is no longer so."""
        turns = self.turns.place >= 0
        return self.kept("former", lambda: self.lineage.find_former(turns))

    @property
    def speakers(self) -> tuple[str, ...]:
        """Names of all speakers, sorted, without the empty name."""
        return self.kept("speakers", lambda: tuple(sorted(filter(None, self.words["speaker"].names))))

    @property
    def nbytes(self) -> int:
        """Approximate memory use in bytes, without data shared among owners."""
        parts = (
            *self.numbers.values(), *self.words.values(), self.names, self.terms, self.entities, self.turns,
            self.tokens, self.vectors, self.sentences, self.lineage, self.content, *self._kept.values(),
        )  # fmt: skip
        return sum(getattr(part, "nbytes", 0) for part in parts) + _ROW_BYTES * len(self)


def _changed(index: OwnerIndex, rows: IndexRows) -> OwnerIndex | None:
    """Update the columns of known rows. Return None if their searchable content differs."""
    at = index.rows_of(rows.ids)
    same = np.array_equal(index.content.values[at], _content(rows)) and all(
        np.array_equal(index.column(name)[at], getattr(rows, name)) for name in _FIXED
    )
    session = index.words["session"].changed(at, rows.session)
    if not same or session is not index.words["session"]:
        return None
    words = {name: column.changed(at, getattr(rows, name)) for name, column in index.words.items()}
    numbers = {name: column.changed(at, getattr(rows, name)) for name, column in index.numbers.items()}
    sentences = index.sentences
    if sentences is not None and rows.sentences is not None:
        sentences = sentences.changed(at, rows.sentences)
    lineage = index.lineage.changed(at, _lineage_of(rows))
    changed = replace(
        index, words=words, numbers=numbers, sentences=sentences, lineage=lineage, _kept={}, _extended=[]
    )
    return _with_names(changed)


def _with_names(index: OwnerIndex) -> OwnerIndex:
    """Count the names again if the set of speakers changed."""
    spoken = _spoken(index.words["speaker"].names)
    if spoken == index.spoken:
        return index
    names = Growing.of(_names(index.column("cues"), index.terms.postings, spoken))
    return replace(index, names=names, spoken=spoken, _kept={}, _extended=[])


def _grown(index: OwnerIndex, rows: IndexRows) -> OwnerIndex:
    """Add new rows."""
    first = len(index)
    packed = Packed.of(rows, first)
    words = {name: column.grown(getattr(rows, name)) for name, column in index.words.items()}
    numbers = {name: column.grown(getattr(rows, name)) for name, column in index.numbers.items()}
    index.ids.extend(rows.ids)
    index.slot.update(zip(rows.ids, range(first, first + len(rows)), strict=True))
    session = words["session"]
    turns = index.turns.extended(session.codes, numbers["position"].values, ~session.mask([""]), index.ids)
    grown = replace(
        index,
        numbers=numbers,
        words=words,
        names=index.names.grown(_names(rows.cues, packed.terms, index.spoken, first)),
        terms=index.terms.extended(packed.terms, packed.term_counts.astype(np.float32), turns),
        entities=index.entities.extended(packed.entities, packed.entity_keys, packed.entity_counts),
        turns=turns,
        tokens=index.tokens.extended(packed.tokens, packed.token_ids, packed.token_counts)
        if index.tokens
        else None,
        vectors=None if index.vectors is None or rows.vectors is None else index.vectors.grown(rows.vectors),
        sentences=None
        if index.sentences is None or rows.sentences is None
        else index.sentences.grown(rows.sentences),
        lineage=index.lineage.grown(_lineage_of(rows)),
        content=index.content.grown(packed.content),
        _kept={},
        _extended=[],
    )
    return _with_names(grown)


def _find_dialogue(index: OwnerIndex) -> NDArray[np.bool_]:
    speaker, session = index.words["speaker"], index.words["session"]
    roles = [name for name in speaker.names if not name or name.lower() in ROLES]
    rows = np.flatnonzero((index.turns.place >= 0) & ~speaker.mask(roles))
    pairs = np.unique(np.stack([session.codes[rows], speaker.codes[rows]], axis=1), axis=0)
    sessions, people = np.unique(pairs[:, 0], return_counts=True)
    found: NDArray[np.bool_] = (index.turns.place >= 0) & np.isin(session.codes, sessions[people > 1])
    return found


def _lineage_of(rows: IndexRows) -> LineageColumns:
    """Return the columns of a lineage; empty where rows have none."""
    nothing, never = [b""] * len(rows), np.zeros(len(rows), dtype=np.bool_)
    return LineageColumns(
        is_over=never if rows.is_over is None else rows.is_over,
        is_reworded=never if rows.is_reworded is None else rows.is_reworded,
        sources=rows.sources or nothing,
        successors=rows.successors or nothing,
    )


def _spoken(speakers: Iterable[str]) -> frozenset[int]:
    return frozenset(hash_term(term) for speaker in speakers for term in list_terms(speaker))


def _names(
    cues: NDArray[np.int64], postings: Postings, spoken: Collection[int], first: int = 0
) -> NDArray[np.float32]:
    """Count the names in each text, without speakers' names.

    The name of a speaker who is addressed carries no information.

    Args:
        cues: Cue bits of the rows from `first` on.
        postings: Postings of these rows alone.
    """
    count = count_names(cues)
    for place in postings.find(np.array(list(spoken), dtype=np.uint32)):
        if place >= 0:
            count[postings.rows(int(place))[0] - first] -= 1
    return count.clip(0, _MOST_NAMES).astype(np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Packed:
    """The searchable content of rows: postings, concatenated keys, and the number of keys of each row."""

    terms: Postings
    term_counts: NDArray[np.int64]
    tokens: Postings
    token_ids: NDArray[np.unsignedinteger]
    token_counts: NDArray[np.int64]
    entities: Postings
    entity_keys: NDArray[np.uint32]
    entity_counts: NDArray[np.int64]
    content: NDArray[np.int64]

    @classmethod
    def of(cls, rows: IndexRows, first: int) -> Packed:
        """Pack rows, the first of which gets the row number `first`."""
        terms, term_rows, term_counts = unpack_rows(rows.terms, "<u4", first)
        tokens, token_rows, token_counts = unpack_rows(rows.tokens, TOKEN_DTYPE, first)
        entities, entity_rows, entity_counts = unpack_rows(rows.entities, "<u4", first)
        return cls(
            Postings.build(terms, term_rows), term_counts,
            Postings.build(tokens, token_rows), tokens, token_counts,
            Postings.build(entities, entity_rows), entities.astype(np.uint32, copy=False), entity_counts,
            _content(rows),
        )  # fmt: skip


def _content(rows: IndexRows) -> NDArray[np.int64]:
    """Return a hash of the searchable content of each row."""
    vectors = [b""] * len(rows) if rows.vectors is None else [vector.tobytes() for vector in rows.vectors]
    parts = zip(rows.terms, rows.tokens, rows.entities, vectors, strict=True)
    return np.fromiter(map(hash, parts), dtype=np.int64, count=len(rows))
