"""The vector arm: how near a query is in meaning, from token vectors or from one vector a memory.

Three measures. SIF: cosine of idf-weighted mean token vectors (Arora, Liang and Ma, ICLR 2017, with idf for
their frequency weight), the memory's length estimated as if its tokens were orthogonal, so that no vector
need be kept. MAXS: Σ idf(t) · max cosine of query token t over the tokens of the memory and, by weight, of
the turns around it, cosines under 0.3 → 0.
Dense: the plain cosine, for embedders without tokens.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from memories.retrieval import kernels
from memories.retrieval.postings import Postings
from memories.retrieval.structure import AROUND, Turns, kernel_arrays
from memories.retrieval.vocabulary import STOP_CHARACTERS, STOP_WORDS

Float32 = NDArray[np.float32]
TOKEN_DTYPE = "<u2"  # noqa: S105 - how token ids are packed
DOTS_KEPT = 512  # query tokens whose products with an owner's tokens are kept
NEAR = 0.3  # cosine under which two tokens have nothing in common


class TokenSource(Protocol):
    """What is asked of an embedder that has tokens (`memsite.llm.embedding.TokenEmbedder`)."""

    @property
    def model(self) -> str: ...
    @property
    def token_vectors(self) -> Float32: ...
    def token_ids(self, texts: Sequence[str]) -> list[NDArray[np.uint32]]: ...
    def __hash__(self) -> int: ...


@dataclass(frozen=True, slots=True, eq=False)
class TokenSpace:
    """An embedder's tokens: vectors (vocabulary, d), their lengths, and which are function words."""

    vectors: Float32
    norms: Float32
    empty: NDArray[np.bool_]

    @classmethod
    def of(cls, embedder: TokenSource) -> TokenSpace:
        """The space of an embedder, computed once per embedder. Raises ValueError over 65,536 tokens."""
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
    """An owner's memories as tokens.

    postings: token → rows. ids, starts: tokens of each row in order, and where each row's begin (n + 1).
    vectors: (distinct, d) vectors of the owner's tokens, in the order of `postings.keys`.
    idf: (distinct,); centre: (d,) mean of all tokens said, by idf; centre_dot: (distinct,) vectors · centre.
    places: of each token of `ids`, where it stands in `postings.keys`.
    unit: (distinct,) 1 / ‖vector‖, 0 for function words.
    squares: (distinct,) ‖vector‖², 0 for function words.
    length: (n,) √Σ idf²·‖vector‖², 0 for rows without tokens.
    """

    space: TokenSpace
    postings: Postings
    ids: NDArray[np.uint16]
    places: NDArray[np.uint16]
    starts: NDArray[np.int64]
    vectors: Float32
    idf: Float32
    centre: Float32
    centre_dot: Float32
    unit: Float32
    squares: Float32
    length: Float32
    _dots: dict[int, Float32] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        space: TokenSpace,
        postings: Postings,
        ids: NDArray[np.uint16],
        lengths: NDArray[np.int64],
        known: TokenField | None = None,
    ) -> TokenField:
        """lengths: tokens of each row. known: an earlier field whose token vectors may be used again."""
        keys = postings.keys
        same = known is not None and np.array_equal(known.postings.keys, keys)
        vectors = known.vectors if known is not None and same else space.vectors[keys]
        idf = np.log((len(lengths) + 1) / (postings.row_counts() + 0.5)).clip(min=0).astype(np.float32)
        said = np.add.reduceat(postings.counts.astype(np.float32), postings.starts[:-1]) if len(keys) else idf
        weight = said * idf
        centre = ((weight @ vectors) / max(float(weight.sum()), 1e-6)).astype(np.float32)
        starts = np.append(0, np.cumsum(lengths))
        table = np.zeros(len(space.vectors), dtype=np.uint16)
        table[keys] = np.arange(len(keys))
        places = table[ids]
        length = np.empty(len(lengths), dtype=np.float32)
        kernels.slice_sums(((idf * space.norms[keys]) ** 2).astype(np.float32), places, starts, length)
        np.sqrt(length, out=length)
        squares = np.where(space.empty[keys], np.float32(0), space.norms[keys] ** 2)
        unit = np.where(space.empty[keys], np.float32(0), 1 / space.norms[keys]).astype(np.float32)
        return cls(
            space,
            postings,
            ids,
            places,
            starts,
            vectors,
            idf,
            centre,
            vectors @ centre,
            unit,
            squares,
            length,
        )

    def idf_of(self, tokens: NDArray[np.uint32]) -> Float32:
        """idf of any tokens; the highest for those the owner never used."""
        place = self.postings.find(tokens)
        unseen = np.float32(np.log((len(self.length) + 1) / 0.5))
        if not self.idf.size:
            return np.full(tokens.size, unseen, dtype=np.float32)
        return np.where(place >= 0, self.idf[place], unseen).astype(np.float32)

    def dots(self, tokens: NDArray[np.uint32]) -> Float32:
        """(len(tokens), distinct) dot products of a query's tokens with the owner's.

        The last `DOTS_KEPT` rows are kept: questions share most of their words, and the product over
        all of an owner's tokens is the dearest step of a search.
        """
        known = {token: row for token in tokens.tolist() if (row := self._dots.pop(token, None)) is not None}
        missing = [token for token in tokens.tolist() if token not in known]
        if missing:
            known |= dict(zip(missing, self.space.vectors[missing] @ self.vectors.T, strict=True))
        self._dots.update(known)
        for token in list(self._dots)[: max(0, len(self._dots) - DOTS_KEPT)]:
            self._dots.pop(token, None)
        return np.stack([known[token] for token in tokens.tolist()])

    @property
    def nbytes(self) -> int:
        """Memory held, in bytes, the shared token space aside."""
        parts = (
            self.ids,
            self.places,
            self.starts,
            self.vectors,
            self.idf,
            self.centre_dot,
            self.unit,
            self.squares,
            self.length,
        )
        return self.postings.nbytes + sum(part.nbytes for part in parts) + DOTS_KEPT * self.idf.nbytes


@dataclass(frozen=True, slots=True, eq=False)
class Nearness:
    """What the token measures say. sif, maxs: (n,), maxs with the turns around.

    toward: (distinct,) dot product of each of the owner's tokens with the sum of the query's content tokens,
        0 for function words; size: length of that sum.
    """

    sif: Float32
    maxs: Float32
    toward: Float32
    size: float


def nearness(field: TokenField, tokens: NDArray[np.uint32], turns: Turns) -> Nearness:
    """SIF and MAXS of the query's tokens over all rows. No tokens: zeros."""
    if not tokens.size or not field.idf.size:
        sif, maxs = np.zeros((2, field.length.size), dtype=np.float32)
        return Nearness(sif, maxs, np.zeros_like(field.idf), 0.0)
    space = field.space
    distinct, times = np.unique(tokens, return_counts=True)
    weight = field.idf_of(distinct)
    vectors = space.vectors[distinct]
    dots = field.dots(distinct)
    sif = _sif(field, vectors, (weight * times).astype(np.float32), dots)
    said = (times * ~space.empty[distinct]).astype(np.float32)
    content = said > 0
    cosine = dots[content] * field.unit
    cosine /= space.norms[distinct[content]][:, None]
    maxs = _maxs(field, cosine, weight[content], turns)
    toward = np.where(field.unit > 0, said @ dots, np.float32(0))
    return Nearness(sif, maxs, toward, float(np.linalg.norm(said @ vectors)))


def _sif(field: TokenField, vectors: Float32, weight: Float32, dots: Float32) -> Float32:
    total = max(float(weight.sum()), 1e-6)
    query = (weight @ vectors) / total - field.centre
    size = max(float(np.linalg.norm(query)), 1e-6)
    toward = (weight @ dots) / total - field.centre_dot
    toward -= float(field.centre @ query)
    toward = (field.idf * toward / size).astype(np.float32)
    sums = np.empty_like(field.length)
    kernels.slice_sums(toward, field.places, field.starts, sums)
    return np.divide(sums, field.length, out=np.zeros_like(sums), where=field.length > 0)


def _maxs(field: TokenField, cosine: Float32, weight: Float32, turns: Turns) -> Float32:
    total, own, best = np.zeros((3, field.length.size), dtype=np.float32)
    touched = np.empty(2 * field.length.size, dtype=np.int64)
    postings, around = field.postings, kernel_arrays(AROUND)
    for column, share in zip(cosine, weight.tolist(), strict=True):
        kernels.add_nearest(
            column, NEAR, share, postings.pairs, postings.starts, turns.order, turns.session, turns.place,
            *around, own, best, touched, total,
        )  # fmt: skip
    return total


def dense(vectors: Float32, query: Float32) -> Float32:
    """Cosine of each unit row with a unit query; zero rows give 0."""
    return vectors @ query


def content_cosine(field: TokenField, near: Nearness, rows: NDArray[np.int64]) -> Float32:
    """Cosine of the sums of content tokens' vectors, for a few rows: what does not depend on other memories.

    A row's length is estimated as if its tokens were orthogonal. Rows or queries of function words alone: 0.
    """
    toward, squares = np.empty((2, rows.size), dtype=np.float32)
    kernels.chosen_sums(near.toward, field.places, field.starts, rows, toward)
    kernels.chosen_sums(field.squares, field.places, field.starts, rows, squares)
    size = np.sqrt(squares) * np.float32(near.size)
    return np.divide(toward, size, out=np.zeros_like(toward), where=size > 0)


def pack_tokens(ids: NDArray[np.unsignedinteger]) -> bytes:
    """Token ids as packed little-endian uint16. Raises ValueError for an id over 65,535."""
    if ids.size and int(ids.max()) > np.iinfo(np.uint16).max:
        raise ValueError("token ids are kept in 16 bits")
    return ids.astype(TOKEN_DTYPE).tobytes()
