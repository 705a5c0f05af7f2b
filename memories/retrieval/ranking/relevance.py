"""Relevance: how much a memory matters to a query, in [0, 1], on the reference scale.

On that scale a threshold means the same in every store: relevance uses evidence that does not depend on the
other memories. With sentence vectors it is a fitted estimate (`estimates.relevance`), besides whether speaker
and time match and what a memory inherits from its bridge. Without them it is the share of the query's words
that the memory holds or matches by a related word, and the cosine of the contents (`conf.EVIDENCE`).

Turns of conversations between people have evidence of their own (`conf.TALK_EVIDENCE`). The fused score
compares these, and memories without a sentence vector, better than the evidence alone: of each of both kinds,
the nearest sequence that never rises along the order of the fused score gives relevance.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import UTC, datetime
from typing import Final

import numpy as np
from numpy.typing import NDArray

from memories import conf
from memories.retrieval.estimates import estimate_relevance
from memories.retrieval.index import OwnerIndex, compute_content_cosine
from memories.retrieval.query import Query, asks_about_self, list_named_others
from memories.retrieval.signals import Probe, Signals
from memories.text import Cue, hash_term, is_unspaced
from memories.values import LAYERS, Layer

Float32 = NDArray[np.float32]
Float64 = NDArray[np.float64]
Rows = NDArray[np.int64]
_RARE_SHARE = 0.01  # of an owner's memories
_RARE_LEAST = 3  # memories
_SENTENCE_STEP = 0.01  # of the cosine
#: Seconds after a year in which memories of it may still be written.
_AFTERWARDS: Final = 90 * 86400.0
_YEARS: Final = tuple(hash_term(str(year)) for year in range(1900, 2100))
#: Terms of statements about a lasting state ("since 2019").
_LASTING: Final = tuple(map(hash_term, ("sinc", "自从", "以来", "年起", "至今")))


def get_least_relevance(layer: Layer) -> float:
    """Return the least relevance of a result of this layer."""
    least = {
        Layer.EPISODIC: conf.RECALL.episodic_relevance,
        Layer.SEMANTIC: conf.RECALL.semantic_relevance,
        Layer.PROCEDURAL: conf.RECALL.procedural_relevance,
    }
    return least[layer]


def compute_relevance(
    index: OwnerIndex, query: Query, probe: Probe, found: Signals, rows: Rows
) -> tuple[Float32, Float32]:
    """Return the relevance in [0, 1] of rows, given best first by fused score, and its logits.

    Rows that hold a rare identifier of the query have relevance 1, rows with almost no evidence keep their
    own value, so that their neighbours do not raise it, and rows about other years than those asked about
    lose a share.
    """
    logits = compute_evidence(index, query, probe, found, rows)
    relevance = logistic(logits)
    likely = relevance >= conf.LEAST_EVIDENCE
    talk, is_turn = index.dialogue[rows], index.turns.place[rows] >= 0
    by_words = likely & ~talk & ~find_embedded(index, probe, rows)
    for kind in (likely & talk, by_words & is_turn, by_words & ~is_turn):
        relevance[kind] = make_non_increasing(relevance[kind])
    relevance[is_of_other_years(index, query, rows)] *= conf.OTHER_YEAR_SHARE
    relevance[holds_identifier(index, query, rows)] = 1.0
    return relevance.astype(np.float32), logits.astype(np.float32)


def find_embedded(index: OwnerIndex, probe: Probe, rows: Rows) -> NDArray[np.bool_]:
    """Return whether the query and each row have a sentence vector."""
    if probe.sentence is None or index.sentences is None:
        return np.zeros(rows.size, dtype=bool)
    filled: NDArray[np.bool_] = index.sentences.filled[rows]
    return filled


def compute_evidence(index: OwnerIndex, query: Query, probe: Probe, found: Signals, rows: Rows) -> Float64:
    """Return the logit that each row matters to the query."""
    script = "unspaced" if any(map(is_unspaced, query.terms)) else "spaced"
    has_sentence = find_embedded(index, probe, rows)
    logits = np.zeros(rows.size)
    if not has_sentence.all():
        logits = _weigh_words(index, probe, found, rows, script)
    if has_sentence.any():
        talk = has_sentence & index.dialogue[rows]
        stated = has_sentence & ~talk
        logits[stated] = _weigh_sentences(index, query, probe, found, rows[stated])
        logits[talk] = _weigh_talk(found, rows[talk], conf.EVIDENCE[script]["enough"])
    return logits


def _weigh_talk(found: Signals, rows: Rows, enough: float) -> Float64:
    """Return the logits of turns of conversations between people, which have a sentence vector."""
    above = np.nan_to_num(found.sentence[rows].astype(np.float64)) if found.sentence is not None else 0.0
    held = (found.match.covered[rows] + found.kinship.covered[rows]) / max(found.match.wanted, 1e-6)
    weights = conf.TALK_EVIDENCE
    shares = _words(np.minimum(held.astype(np.float64), 1), enough)
    logits = weights["base"] + weights["words"] * shares + weights["sentence"] * above / _SENTENCE_STEP
    for name in ("speaker", "date"):
        if name in found.fused:
            logits += weights[name] * found.fused[name][rows]
    return np.asarray(logits)


def _weigh_sentences(index: OwnerIndex, query: Query, probe: Probe, found: Signals, rows: Rows) -> Float64:
    """Return the logits of rows with a sentence vector."""
    if probe.sentence is None or index.sentences is None:
        return np.zeros(rows.size)
    vectors = index.sentences.get_vectors(rows)
    logits = estimate_relevance(probe.sentence, vectors, need=probe.need).astype(np.float64)
    if asks_about_self(query.text):
        of_another = (index.column("cues")[rows] & Cue.OF_ANOTHER) > 0
        logits -= np.where(of_another, conf.ANOTHER_LOSS, 0.0)
    names = [index.mentions(name) for name in list_named_others(query.text)]
    if names:
        named = np.any(names, axis=0)
        logits -= conf.ANOTHER_LOSS * (named[rows].any() & ~named[rows])
    for name, weight in conf.SENTENCE_EVIDENCE.items():
        if name in found.fused:
            logits += weight * found.fused[name][rows]
    return logits


def _weigh_words(index: OwnerIndex, probe: Probe, found: Signals, rows: Rows, script: str) -> Float64:
    """Return the logit by words and token vectors. The measures do not depend on the other rows."""
    weights = conf.EVIDENCE[script]
    held = (found.match.covered[rows] + found.kinship.covered[rows]) / max(found.match.wanted, 1e-6)
    if "linked" in found.fused:
        held = held + np.float32(conf.LINKED_SHARE) * found.fused["linked"][rows]
    logits = weights["words"] * _words(np.minimum(held.astype(np.float64), 1), weights["enough"])
    if found.nearness is not None and index.tokens is not None:
        logits += weights["base"] + weights["cosine"] * compute_content_cosine(
            index.tokens, found.nearness, rows
        )
    elif found.cosine is not None:
        reference = probe.to_reference(found.cosine[rows])
        logits += weights["vector_base"] + weights["reference"] * reference
    else:
        logits += weights["words_base"]
    for name in ("speaker", "date"):
        if name in found.fused:
            logits += weights[name] * found.fused[name][rows]
    return logits


def is_of_other_years(index: OwnerIndex, query: Query, rows: Rows) -> NDArray[np.bool_]:
    """Return whether each row is about other years than the query asks about, and about none of these.

    The years of a row are those that its text names and those in which it is said to be true. If its text
    names none, they are also those since it was said, for a statement, or the year in which it was said, for
    an episode. A row without any is about no other year, and neither is one that tells what has been so since
    a year.
    """
    if not query.years:
        return np.zeros(rows.size, dtype=bool)
    start, end = (
        datetime(year, 1, 1, tzinfo=UTC).timestamp() for year in (min(query.years), max(query.years) + 1)
    )
    year_terms = [hash_term(str(year)) for year in query.years]
    occurred = index.number("occurred_at")[rows]
    begins, ends = index.number("valid_from")[rows], index.number("valid_until")[rows]
    names_year = _holds_any(index, rows, _YEARS)
    occurred_then = (occurred >= start) & (occurred < end + _AFTERWARDS)
    true_then = (begins < end) & ~(ends <= start)
    is_stated = (begins != occurred) | ~np.isnan(ends)  # else it only was not said to be over
    is_episode = index.column("layer")[rows] == LAYERS.index(Layer.EPISODIC)
    fits = true_then & (is_stated | ~(names_year | is_episode)) | (occurred_then & ~names_year)
    fits |= _holds_any(index, rows, year_terms) | _holds_any(index, rows, _LASTING)
    dated = ~np.isnan(occurred) | ~np.isnan(begins) | names_year
    return np.asarray(dated & ~fits)


def _holds_any(index: OwnerIndex, rows: Rows, hashes: Collection[int]) -> NDArray[np.bool_]:
    """Return whether each row holds one of these terms."""
    postings = index.terms.postings
    places = postings.find(np.fromiter(hashes, dtype=np.uint32, count=len(hashes)))
    return np.isin(rows, postings.rows_of(places[places >= 0]))


def _words(held: Float64, enough: float) -> Float64:
    """Return √ of the share of the query's words that each row holds; less where it holds few of them."""
    return np.asarray(np.sqrt(held) * np.minimum(held / enough, 1))


def holds_identifier(index: OwnerIndex, query: Query, rows: Rows) -> NDArray[np.bool_]:
    """Return whether each row holds an identifier of the query that few memories hold."""
    postings = index.terms.postings
    limit = max(_RARE_LEAST, _RARE_SHARE * len(index))
    held = [postings.rows(int(place))[0] for place in postings.find(query.identifiers) if place >= 0]
    rare = [holders for holders in held if holders.size <= limit]
    return np.isin(rows, np.concatenate(rare)) if rare else np.zeros(rows.size, dtype=bool)


def make_non_increasing(values: Float64) -> Float64:
    """Return the nearest sequence (least squares) that never rises.

    Uses the pool adjacent violators algorithm (Barlow et al. 1972).
    """
    sums: list[float] = []
    sizes: list[int] = []
    for value in values.tolist():
        sums.append(value)
        sizes.append(1)
        while len(sums) > 1 and sums[-1] * sizes[-2] > sums[-2] * sizes[-1]:
            total, size = sums.pop(), sizes.pop()
            sums[-1] += total
            sizes[-1] += size
    return np.repeat(np.array(sums) / np.maximum(sizes, 1), sizes)


def logistic(logits: Float64) -> Float64:
    """Return 1 / (1 + e^−x), in [0, 1]."""
    squashed: Float64 = 1 / (1 + np.exp(-np.clip(logits, -50, 50)))
    return squashed
