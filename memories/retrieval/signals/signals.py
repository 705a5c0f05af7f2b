"""All signals of all memories for one query. `fusion` combines them and `relevance` reads them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from memories.retrieval.index import OwnerIndex, compute_best_of_session, keyword, vector
from memories.retrieval.query import Kinship, Query, compute_kinship
from memories.retrieval.signals import bridging, conversation, spelling
from memories.retrieval.signals.fusion import standardise_values
from memories.text import is_unspaced

Float32 = NDArray[np.float32]
Mask = NDArray[np.bool_]
_CONCEPTS_MATTER = 5.0  # factor
#: The mean cosine of so many memories counts as usual, however few an owner has; what it is, less the crowd.
_USUAL_ROWS = 20
_USUAL = 0.55


def _unchanged(raw: NDArray[np.floating]) -> NDArray[np.float64]:
    return raw.astype(np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class Probe:
    """An embedded query. Without tokens and vector, the search uses keywords alone.

    Attributes:
        tokens: Token ids, from an embedder with tokens.
        vector: Unit vector, from an embedder without tokens.
        sentence: Unit vector, from the sentence model beside the tokens; None if it is not used or late.
        need: Logit that the query needs memory at all; see `estimate_need`. 0 without a sentence vector.
        to_reference: Maps raw cosines to reference similarity in [0, 1] (`SimilarityProfile.to_reference`).
    """

    tokens: NDArray[np.uint32] | None = None
    vector: Float32 | None = None
    sentence: Float32 | None = None
    need: float = 0.0
    to_reference: Callable[[NDArray[np.floating]], NDArray[np.float64]] = _unchanged


class Embedder(Protocol):
    """The part of `memsite.llm.embedding.embedding.Embedder` that this module uses."""

    @property
    def profile(self) -> Profile: ...
    def embed(self, texts: Sequence[str]) -> Float32: ...


class Profile(Protocol):
    """Maps an embedder's cosines to the reference scale."""

    def to_reference(self, raw: NDArray[np.floating]) -> NDArray[np.float64]: ...


def probes_of(meanings: Sequence[str], embedder: Embedder) -> list[Probe]:
    """Embed the meanings of queries in one call, as tokens if the embedder has them, else as vectors.

    Raises what `embedder.embed` raises; the caller may then use `Probe()` to search by keywords alone.
    """
    token_ids = getattr(embedder, "token_ids", None)
    scale = embedder.profile.to_reference
    if token_ids is not None:
        return [Probe(tokens=tokens, to_reference=scale) for tokens in token_ids(list(meanings))]
    return [Probe(vector=vector, to_reference=scale) for vector in embedder.embed(meanings)]


def make_probe(meaning: str, embedder: Embedder) -> Probe:
    """Embed the meaning of one query; see `probes_of`."""
    return probes_of([meaning], embedder)[0]


@dataclass(frozen=True, slots=True, eq=False)
class Signals:
    """All signals of a query.

    Attributes:
        fused: Named (n,) signals for the fusion. Measures are z-scores over the eligible rows.
        match: Keyword matches.
        kinship: Matches of related words.
        nearness: Token similarities; None without tokens.
        cosine: (n,) Cosine of stored vectors; None without vectors.
        sentence: (n,) By how much the cosine of sentence vectors exceeds that of a memory which does not
            answer; NaN for memories without a vector. None if the query has none.
    """

    fused: dict[str, Float32]
    match: keyword.Match
    kinship: Kinship
    nearness: vector.Nearness | None
    cosine: Float32 | None
    sentence: Float32 | None = None


def compute_signals(index: OwnerIndex, query: Query, probe: Probe, eligible: Mask) -> Signals:
    """Compute all signals over all rows of the index. Values of ineligible rows mean nothing."""
    postings, rows = index.terms.postings, len(index)
    hashes, shares = spelling.replace_unknown_words(postings, query.terms, query.hashes)
    match = keyword.match(index.terms, hashes, shares, query.worth)
    kin = compute_kinship(postings, query.related, rows, index.terms.size)
    nearness = cosine = None
    if index.tokens is not None and probe.tokens is not None and probe.tokens.size:
        nearness = vector.compute_nearness(index.tokens, probe.tokens, index.turns)
    elif index.vectors is not None and probe.vector is not None:
        cosine = vector.compute_cosines(index.vectors.values, probe.vector)
    fused = conversation.compute_conversation_signals(index, query, eligible)
    _add_measure(fused, "keyword", match.context, index, eligible)
    _add_measure(fused, "similarity", nearness.sif if nearness else cosine, index, eligible)
    _add_measure(fused, "tokens", nearness.maxs if nearness else None, index, eligible)
    if "similarity" in fused and not index.turns.order.size:
        fused["around_similarity"] = fused["similarity"]
    elif "similarity" in fused:
        around = conversation.mean_around(index, fused["similarity"])
        fused["around_similarity"] = standardise_values(around, eligible)
    sentence = _add_sentence(fused, index, probe, eligible)
    if kin.score.any():
        fused["concepts"] = standardise_values(kin.score, eligible) * _concepts_matter(index, query)
    fused |= bridging.compute_bridging_signals(index, query, match, fused, eligible)
    return Signals(fused, match, kin, nearness, cosine, sentence)


def _add_sentence(
    fused: dict[str, Float32], index: OwnerIndex, probe: Probe, eligible: Mask
) -> Float32 | None:
    """Add the cosine of sentence vectors as a measure. Memories without a vector yet count as average."""
    if index.sentences is None or probe.sentence is None:
        return None
    filled = index.sentences.filled
    among = eligible & filled
    if not among.any():
        return None
    cosines = index.sentences.compute_cosines(probe.sentence)
    distinct = index.sentences.subtract_crowd(cosines, among)
    scores = np.where(filled, standardise_values(distinct, among), np.float32(0))
    fused["sentence"] = scores
    if index.turns.order.size:
        fused["session_sentence"] = standardise_values(
            compute_best_of_session(scores, eligible, index.turns), eligible
        )
        fused["around_sentence"] = standardise_values(conversation.mean_around(index, scores), eligible)
    else:
        fused["session_sentence"] = fused["around_sentence"] = scores
    rows = int(np.count_nonzero(among))
    mean = (float(distinct[among].sum()) + _USUAL_ROWS * _USUAL) / (rows + _USUAL_ROWS)
    return np.where(filled, distinct - np.float32(mean), np.float32(np.nan))


def _concepts_matter(index: OwnerIndex, query: Query) -> Float32:
    """Return the (n,) factor by which related words count more.

    The factor is 1 for turns of a conversation in English, which other signals tell apart. It is higher for
    statements, which are short and say a thing once, and for queries in scripts without spaces, of which
    token vectors know little.
    """
    if any(map(is_unspaced, query.terms)):
        return np.full(len(index), _CONCEPTS_MATTER, dtype=np.float32)
    return index.kept(
        "concepts matter",
        lambda: np.where(index.turns.place >= 0, np.float32(1), np.float32(_CONCEPTS_MATTER)),
    )


def _add_measure(
    fused: dict[str, Float32], name: str, values: Float32 | None, index: OwnerIndex, eligible: Mask
) -> None:
    """Add a measure, the same inherited by an answer from its question, and its best values per session."""
    if values is None:
        return
    fused[name] = standardise_values(values, eligible)
    if not index.turns.order.size:  # each row outside a session is a session of its own
        fused[f"session_{name}"] = fused[name]
        return
    fused[f"asked_{name}"] = conversation.inherit_value(index, fused[name])
    fused[f"session_{name}"] = standardise_values(
        compute_best_of_session(values, eligible, index.turns), eligible
    )
