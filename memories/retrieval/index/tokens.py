"""The tokens of an owner's memories, and the token space of an embedder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from memories.retrieval.index.arrays import Growing, Postings, kernels
from memories.retrieval.index.products import Products
from memories.text import STOP_CHARACTERS, STOP_WORDS

Float32 = NDArray[np.float32]
Float64 = NDArray[np.float64]
TOKEN_DTYPE: Final = "<u2"  # noqa: S105 - format of packed token ids
GATHERED: Final = (
    2_000  # up to this many tokens, an owner's vectors are gathered on each use (0.1 ms) instead of stored
)


class TokenSource(Protocol):
    """The part of `memsite.llm.embedding.embedding.TokenEmbedder` that this module uses."""

    @property
    def model(self) -> str: ...
    @property
    def token_vectors(self) -> Float32: ...
    def token_ids(self, texts: Sequence[str]) -> list[NDArray[np.uint32]]: ...
    def __hash__(self) -> int: ...


@dataclass(frozen=True, slots=True, eq=False)
class TokenSpace:
    """The tokens of an embedder.

    Attributes:
        vectors: (vocabulary, d) Vectors of the tokens.
        norms: (vocabulary,) Lengths of the vectors.
        empty: (vocabulary,) Whether each token is a function word or punctuation.
    """

    vectors: Float32
    norms: Float32
    empty: NDArray[np.bool_]

    @classmethod
    def of(cls, embedder: TokenSource) -> TokenSpace:
        """Return the space of an embedder, computed once per embedder.

        Raises:
            ValueError: If the vocabulary has more than 65,536 tokens.
        """
        return _space(embedder)


@lru_cache(maxsize=4)
def _space(embedder: TokenSource) -> TokenSpace:
    vectors = np.ascontiguousarray(embedder.token_vectors, dtype=np.float32)
    if len(vectors) > np.iinfo(np.uint16).max + 1:
        raise ValueError("token ids are kept in 16 bits: the vocabulary is too large")
    norms = np.maximum(np.linalg.norm(vectors, axis=1), 1e-6).astype(np.float32)
    empty = np.zeros(len(vectors), dtype=bool)
    marks = [*STOP_CHARACTERS, *".,!?;:'\"()-…*/。，！？；：、“”（）", "'s", "'t", "??", "!!", "..."]
    for word in [*STOP_WORDS, *(word.capitalize() for word in STOP_WORDS), *marks]:
        for text in (word, f"x{word}"):
            ids = embedder.token_ids([text])[0]
            if len(ids) == (1 if text == word else 2):
                empty[ids[-1]] = True
    return TokenSpace(vectors, norms, empty)


@dataclass(frozen=True, slots=True, eq=False)
class TokenField:
    """The tokens of an owner's memories.

    Attributes:
        postings: Rows of each token.
        _places: Position in `postings.keys` of each token of each row, concatenated.
        _starts: (n + 1) Start of each row in `_places`.
        _own: (distinct, d) Vectors of the owner's tokens; None if they are few and gathered on use.
        counts: (distinct,) Number of occurrences of each token.
        idf: (distinct,) Inverse document frequency.
        centre: (d,) Mean vector of all occurrences, weighted by idf.
        centre_dot: (distinct,) vectors · centre.
        unit: (distinct,) 1 / ‖vector‖, 0 for function words.
        squares: (distinct,) ‖vector‖², 0 for function words.
        _sums: (n, 3) The sums from which `length` is computed (see `_add_sums`). Versions share this array,
            so only the latest version may use it.
        length: (n,) √Σ idf²·‖vector‖², 0 for rows without tokens.
    """

    space: TokenSpace
    postings: Postings
    _places: Growing
    _starts: Growing
    _own: Growing | None
    counts: Float64
    idf: Float32
    centre: Float32
    centre_dot: Float32
    unit: Float32
    squares: Float32
    _sums: Growing
    length: Float32
    _products: Products

    @classmethod
    def build(
        cls,
        space: TokenSpace,
        postings: Postings,
        ids: NDArray[np.unsignedinteger],
        lengths: NDArray[np.int64],
    ) -> TokenField:
        """Build the field.

        Args:
            space: Token space of the embedder.
            postings: Rows of each token.
            ids: Tokens of all rows, concatenated.
            lengths: (n,) Number of tokens of each row.
        """
        sums = np.zeros((lengths.size, 3), dtype=np.float64)
        _add_sums(sums, space, postings, postings.row_counts())
        return cls._of(
            space,
            postings,
            places=Growing.of(_places_by_table(postings, ids, space)),
            starts=Growing.of(np.append(0, np.cumsum(lengths))),
            own=Growing.of(space.vectors[postings.keys]) if postings.keys.size > GATHERED else None,
            counts=_count_tokens(postings),
            sums=Growing.of(sums),
            products=Products(),
        )

    def extended(
        self, postings: Postings, ids: NDArray[np.unsignedinteger], lengths: NDArray[np.int64]
    ) -> TokenField:
        """Return the field with further rows added. A field can be extended only once."""
        space, rows = self.space, len(self.length)
        grown = self.postings.extended(postings)
        at = grown.find(postings.keys)
        counts = np.append(self.counts, np.zeros(grown.keys.size - self.counts.size))
        counts[at] += _count_tokens(postings)
        sums = self._sums.grown(np.zeros((lengths.size, 3)))
        _add_sums(sums.values, space, postings, grown.row_counts()[at])
        _move_sums(sums.values[:rows], space, self.postings, at[at < self.idf.size], grown.row_counts())
        own = self._own
        if own is not None:
            own = own.grown(space.vectors[grown.keys[self.idf.size :]])
        elif grown.keys.size > GATHERED:
            own = Growing.of(space.vectors[grown.keys])
        return self._of(
            space,
            grown,
            places=self._places.grown(grown.find(ids.astype(np.uint32))),
            starts=self._starts.grown(self.starts[-1] + np.cumsum(lengths)),
            own=own,
            counts=counts,
            sums=sums,
            products=self._products,
        )

    @classmethod
    def _of(
        cls,
        space: TokenSpace,
        postings: Postings,
        *,
        places: Growing,
        starts: Growing,
        own: Growing | None,
        counts: Float64,
        sums: Growing,
        products: Products,
    ) -> TokenField:
        keys, rows = postings.keys, len(sums.values)
        idf = np.log((rows + 1) / (postings.row_counts() + 0.5)).astype(np.float32)
        weight = counts * idf
        vectors = space.vectors[keys] if own is None else own.values
        centre = (weight.astype(np.float32) @ vectors) / max(float(weight.sum()), 1e-6)
        length = np.empty(rows, dtype=np.float32)
        kernels.lengths_of(sums.values, float(np.log(rows + 1)), length)
        empty = space.empty[keys]
        return cls(
            space=space,
            postings=postings,
            _places=places,
            _starts=starts,
            _own=own,
            counts=counts,
            idf=idf,
            centre=centre.astype(np.float32),
            centre_dot=vectors @ centre.astype(np.float32),
            unit=np.where(empty, np.float32(0), 1 / space.norms[keys]).astype(np.float32),
            squares=np.where(empty, np.float32(0), space.norms[keys] ** 2),
            _sums=sums,
            length=length,
            _products=products,
        )

    @property
    def places(self) -> NDArray[np.uint16]:
        """Position in `postings.keys` of each token of each row, concatenated."""
        return self._places.values

    @property
    def starts(self) -> NDArray[np.int64]:
        """(n + 1,) Start of each row in `places`."""
        return self._starts.values

    def idf_of(self, tokens: NDArray[np.uint32]) -> Float32:
        """Return the idf of any tokens; the highest possible for tokens the owner never used."""
        place = self.postings.find(tokens)
        unseen = np.float32(np.log((len(self.length) + 1) / 0.5))
        if not self.idf.size:
            return np.full(tokens.size, unseen, dtype=np.float32)
        return np.where(place >= 0, self.idf[place], unseen).astype(np.float32)

    def dots(self, tokens: NDArray[np.uint32]) -> Float32:
        """Return (len(tokens), distinct) dot products of distinct query tokens with the owner's tokens."""
        own = None if self._own is None else self._own.values
        return self._products.of(tokens, self.space.vectors, self.postings.keys, own)

    @property
    def nbytes(self) -> int:
        """Memory use in bytes, without the shared token space."""
        parts = (
            self.postings, self._places, self._starts, self.counts, self.idf, self.centre_dot, self.unit,
            self.squares, self._sums, self.length, self._products,
        )  # fmt: skip
        return sum(part.nbytes for part in parts) + (self._own.nbytes if self._own else 0)


def _places_by_table(
    postings: Postings, ids: NDArray[np.unsignedinteger], space: TokenSpace
) -> NDArray[np.uint16]:
    """Return the place of each token. For a million tokens, a table is faster than `Postings.find`."""
    table = np.zeros(len(space.vectors), dtype=np.uint16)
    table[postings.keys] = np.arange(postings.keys.size)
    return np.asarray(table[ids])


def _count_tokens(postings: Postings) -> Float64:
    """Return the number of occurrences of each key in all rows."""
    counts = np.append(0, np.cumsum(postings.counts[: postings.used], dtype=np.float64))
    occurrences: Float64 = counts[postings.ends] - counts[postings.begins]
    return occurrences


def _add_sums(sums: Float64, space: TokenSpace, postings: Postings, holders: NDArray[np.int64]) -> None:
    """Add Σ w, Σ w·l and Σ w·l² over the tokens of each row, with w = ‖vector‖² and l = ln(holders + ½).

    With L = ln(n + 1) the idf of a token is L − l, so Σ idf²·w of a row equals L²·Σw − 2L·Σwl + Σwl². The
    sums therefore do not change with the number of rows. `holders` is the number of rows that hold each key.
    """
    weight = space.norms[postings.keys].astype(np.float64) ** 2
    logs = np.log(holders + 0.5)
    values = np.stack([weight, weight * logs, weight * logs**2], axis=1)
    every = np.arange(postings.keys.size)
    kernels.add_held(values, every, postings.holders, postings.counts, postings.begins, postings.ends, sums)


def _move_sums(
    sums: Float64,
    space: TokenSpace,
    postings: Postings,
    places: NDArray[np.int64],
    holders: NDArray[np.int64],
) -> None:
    """Update the sums of rows that hold the keys at `places` to new numbers of holders."""
    weight = space.norms[postings.keys[places]].astype(np.float64) ** 2
    before, after = np.log(postings.row_counts()[places] + 0.5), np.log(holders[places] + 0.5)
    none = np.zeros(places.size)
    values = np.stack([none, weight * (after - before), weight * (after**2 - before**2)], axis=1)
    kernels.add_held(values, places, postings.holders, postings.counts, postings.begins, postings.ends, sums)


def pack_tokens(ids: NDArray[np.unsignedinteger]) -> bytes:
    """Pack token ids as little-endian uint16. Raise ValueError for an id over 65,535."""
    if ids.size and int(ids.max()) > np.iinfo(np.uint16).max:
        raise ValueError("token ids are kept in 16 bits")
    return ids.astype(TOKEN_DTYPE).tobytes()
