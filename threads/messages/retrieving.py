"""Search within a thread: score the messages of one branch by similarity to a query.

Nothing is written to long-term memory, so it works for temporary threads too.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from memories.gate import redact_text
from memsite.errors import ModelError
from memsite.llm.embedding import Embedder, get_embedder
from threads.compaction import load_whole_content
from threads.conf import RETRIEVE_LIMIT, RETRIEVE_MESSAGES, RETRIEVE_WORDS
from threads.messages.message_index import INDEX, IndexEntry, hash_terms, index_texts, runs_locally
from threads.messages.reading import Selection
from threads.models import Message, Thread
from threads.storage import list_messages

Scores = NDArray[np.float64]
_LOAD: Final = 500  # messages read in one query


@dataclass(frozen=True, slots=True)
class Hit:
    """A message with its scores, all in [0, 1].

    Attributes:
        score: 1 − (1 − similarity) · (1 − words / 2).
        similarity: Similarity in meaning of its most similar part, on the reference scale.
        words: Share of the query's words that the message contains; rare words weigh more.
    """

    message: Message
    score: float
    similarity: float
    words: float


@dataclass(frozen=True, slots=True)
class RetrievalResult:
    """The result of a search within a thread.

    Attributes:
        hits: Best first.
        searched: Number of messages compared, the newest ones.
        total: Number of messages in the selection.
        degraded: Why some or all messages were compared by words only; empty if none were.
    """

    hits: tuple[Hit, ...]
    searched: int
    total: int
    degraded: str = ""


def retrieve_messages(
    thread: Thread,
    query: str,
    *,
    owner: UUID,
    selection: Selection,
    limit: int = RETRIEVE_LIMIT,
    threshold: float = 0.0,
) -> RetrievalResult:
    """Return the best messages of a selection.

    At most the 10,000 newest messages are compared; equal scores are ordered newest first. If the embedder
    fails, messages are compared by words only.

    Args:
        limit: Limit of the number of hits.
        threshold: Least score of a hit, in [0, 1].
    """
    rows = list_messages(selection.path, selection.filters, owner=owner)
    ids = list(rows.order_by("-depth").values_list("id", flat=True)[: RETRIEVE_MESSAGES + 1])
    total = len(ids) if len(ids) <= RETRIEVE_MESSAGES else rows.count()
    ids = ids[:RETRIEVE_MESSAGES]
    embedder = get_embedder()
    entry_of, degraded = _load_index_entries(thread, ids, embedder, owner)
    ids = [message_id for message_id in ids if message_id in entry_of]  # without messages deleted meanwhile
    entries = [entry_of[message_id] for message_id in ids]
    similarity, failed = _similarity(query, entries, embedder)
    words = _words(query, entries)
    score = 1 - (1 - similarity) * (1 - RETRIEVE_WORDS * words)
    best = [place for place in np.argsort(-score, kind="stable")[:limit] if score[place] >= threshold]
    found = list_messages(selection.path, owner=owner).in_bulk([ids[place] for place in best])
    hits = tuple(
        Hit(found[ids[place]], float(score[place]), float(similarity[place]), float(words[place]))
        for place in best
        if ids[place] in found
    )
    return RetrievalResult(hits, len(ids), total, failed or degraded)


def _load_index_entries(
    thread: Thread, ids: Sequence[UUID], embedder: Embedder, owner: UUID
) -> tuple[dict[UUID, IndexEntry], str]:
    """Return the index entry of each message, and why some have no vectors."""
    entry_of = INDEX.find(ids, embedder.model)
    degraded = ""
    missing = _texts([one for one in ids if one not in entry_of], owner)
    for batch, problem in index_texts(missing, embedder):
        entry_of |= batch
        degraded = degraded or problem
        if not (problem or thread.is_temporary):
            INDEX.keep(batch, embedder.model)
    return entry_of, degraded


def _texts(ids: Sequence[UUID], owner: UUID) -> Iterator[tuple[UUID, str]]:
    """Yield ids and searchable text of messages, loaded in chunks; offloaded content is read in full."""
    for start in range(0, len(ids), _LOAD):
        chunk = ids[start : start + _LOAD]
        rows = list(Message.objects.filter(owner_id=owner, id__in=chunk))
        whole = load_whole_content(rows, owner=owner)
        by_id = {row.pk: _searchable(whole[row.pk], row.tool_calls) for row in rows}
        yield from ((message_id, by_id[message_id]) for message_id in chunk if message_id in by_id)


def _searchable(content: str, tool_calls: Sequence[dict[str, Any]] | None) -> str:
    calls = [call.get("function", {}) for call in tool_calls or []]
    call_texts = [f"{call.get('name', '')} {_arguments(call.get('arguments', ''))}" for call in calls]
    return "\n".join([content, *call_texts]).strip()


def _arguments(raw: object) -> str:
    return raw if isinstance(raw, str) else json.dumps(raw, ensure_ascii=False)


def _similarity(query: str, entries: Sequence[IndexEntry], embedder: Embedder) -> tuple[Scores, str]:
    """Return the reference similarity of each message's most similar part, and why there is none.

    The similarity is 0 for a message without vectors.
    """
    similarity = np.zeros(len(entries))
    seen = [place for place, entry in enumerate(entries) if len(entry.vectors)]
    if not seen:
        return similarity, ""
    try:
        query_vector = embedder.embed([query if runs_locally(embedder) else redact_text(query).text])[0]
    except ModelError as error:
        return similarity, error.message
    parts = np.concatenate([entries[place].vectors for place in seen]).astype(np.float32) @ query_vector
    starts = np.cumsum([0, *(len(entries[place].vectors) for place in seen[:-1])])
    raw = np.maximum.reduceat(parts, starts)
    similarity[seen] = embedder.profile.to_reference(raw)
    return similarity, ""


def _words(query: str, entries: Sequence[IndexEntry]) -> Scores:
    """Return the share of the query's terms in each message, weighted by idf.

    idf = ln(1 + n / max(number of messages with the term, ½)).
    """
    query_terms = hash_terms(query)
    if not query_terms.size or not entries:
        return np.zeros(len(entries))
    terms = np.concatenate([entry.terms for entry in entries])
    rows = np.repeat(np.arange(len(entries)), [entry.terms.size for entry in entries])
    place = np.searchsorted(query_terms, terms).clip(max=query_terms.size - 1)
    met = query_terms[place] == terms
    frequency = np.bincount(place[met], minlength=query_terms.size)
    idf = np.log1p(len(entries) / np.maximum(frequency, 0.5))
    share: Scores = np.asarray(
        np.bincount(rows[met], weights=idf[place[met]], minlength=len(entries)) / idf.sum(), dtype=np.float64
    )
    return share
