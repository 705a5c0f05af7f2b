"""Retrieve within a thread: the messages of one line that are nearest to a query, each with its score.

Nothing of it reaches long-term memory, so it works for temporary threads, too.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from memories.gate import redact
from memsite.errors import ModelError
from memsite.llm.embedding import Embedder, get_embedder
from threads.compaction import whole_of
from threads.conf import RETRIEVE_LIMIT, RETRIEVE_MESSAGES, RETRIEVE_WORDS
from threads.messages.message_index import INDEX, Known, learn, sees_here, terms_of
from threads.messages.reading import Selection
from threads.models import Message, Thread
from threads.storage import messages_on

Scores = NDArray[np.float64]
_LOAD: Final = 500  # messages read in one query


@dataclass(frozen=True, slots=True)
class Hit:
    """A message and how well it answers. All in [0, 1].

    similarity: of meaning, on the reference scale, of its nearest part; words: the share of the query's
    words that stand in it, rare ones weighing more; score: 1 − (1 − similarity) · (1 − words / 2).
    """

    message: Message
    score: float
    similarity: float
    words: float


@dataclass(frozen=True, slots=True)
class Retrieved:
    """hits: best first. searched: messages compared, the newest; total: those that there are.

    degraded: why some or all were compared by their words alone; empty if none.
    """

    hits: tuple[Hit, ...]
    searched: int
    total: int
    degraded: str = ""


def retrieve(
    thread: Thread,
    query: str,
    *,
    owner: UUID,
    selection: Selection,
    limit: int = RETRIEVE_LIMIT,
    threshold: float = 0.0,
) -> Retrieved:
    """The messages of a selection whose score is at least `threshold`, at most `limit`, best first.

    At most the 10,000 newest are compared; equal scores come newest first. An embedder that fails is no
    error: words decide then.
    """
    rows = messages_on(selection.path, selection.filters, owner=owner)
    ids = list(rows.order_by("-depth").values_list("id", flat=True)[: RETRIEVE_MESSAGES + 1])
    total = len(ids) if len(ids) <= RETRIEVE_MESSAGES else rows.count()
    ids = ids[:RETRIEVE_MESSAGES]
    embedder = get_embedder()
    known, degraded = _known(thread, ids, embedder, owner)
    ids = [message_id for message_id in ids if message_id in known]  # without what was deleted meanwhile
    entries = [known[message_id] for message_id in ids]
    similarity, failed = _similarity(query, entries, embedder)
    words = _words(query, entries)
    score = 1 - (1 - similarity) * (1 - RETRIEVE_WORDS * words)
    best = [place for place in np.argsort(-score, kind="stable")[:limit] if score[place] >= threshold]
    found = messages_on(selection.path, owner=owner).in_bulk([ids[place] for place in best])
    hits = tuple(
        Hit(found[ids[place]], float(score[place]), float(similarity[place]), float(words[place]))
        for place in best
        if ids[place] in found
    )
    return Retrieved(hits, len(ids), total, failed or degraded)


def _known(
    thread: Thread, ids: Sequence[UUID], embedder: Embedder, owner: UUID
) -> tuple[dict[UUID, Known], str]:
    """What is known of each message, and why some have no vectors."""
    known = INDEX.find(ids, embedder.model)
    degraded = ""
    missing = _texts([one for one in ids if one not in known], owner)
    for batch, problem in learn(missing, embedder):
        known |= batch
        degraded = degraded or problem
        if not (problem or thread.is_temporary):
            INDEX.keep(batch, embedder.model)
    return known, degraded


def _texts(ids: Sequence[UUID], owner: UUID) -> Iterator[tuple[UUID, str]]:
    """Ids and what there is to search in each message, read as they are used; offloaded content whole."""
    for start in range(0, len(ids), _LOAD):
        chunk = ids[start : start + _LOAD]
        rows = list(Message.objects.filter(owner_id=owner, id__in=chunk))
        whole = whole_of(rows, owner=owner)
        by_id = {row.pk: _searchable(whole[row.pk], row.tool_calls) for row in rows}
        yield from ((message_id, by_id[message_id]) for message_id in chunk if message_id in by_id)


def _searchable(content: str, tool_calls: Sequence[dict[str, Any]] | None) -> str:
    calls = [call.get("function", {}) for call in tool_calls or []]
    said = [f"{call.get('name', '')} {_arguments(call.get('arguments', ''))}" for call in calls]
    return "\n".join([content, *said]).strip()


def _arguments(raw: object) -> str:
    return raw if isinstance(raw, str) else json.dumps(raw, ensure_ascii=False)


def _similarity(query: str, entries: Sequence[Known], embedder: Embedder) -> tuple[Scores, str]:
    """Reference similarity of each message's nearest part, 0 for one without vectors; and why none has."""
    similarity = np.zeros(len(entries))
    seen = [place for place, entry in enumerate(entries) if len(entry.vectors)]
    if not seen:
        return similarity, ""
    try:
        asked = embedder.embed([query if sees_here(embedder) else redact(query).text])[0]
    except ModelError as error:
        return similarity, error.message
    parts = np.concatenate([entries[place].vectors for place in seen]).astype(np.float32) @ asked
    starts = np.cumsum([0, *(len(entries[place].vectors) for place in seen[:-1])])
    raw = np.maximum.reduceat(parts, starts)
    similarity[seen] = embedder.profile.to_reference(raw)
    return similarity, ""


def _words(query: str, entries: Sequence[Known]) -> Scores:
    """The share of the query's terms in each message, by idf = ln(1 + n / (messages with it, at least ½))."""
    asked = terms_of(query)
    if not asked.size or not entries:
        return np.zeros(len(entries))
    terms = np.concatenate([entry.terms for entry in entries])
    rows = np.repeat(np.arange(len(entries)), [entry.terms.size for entry in entries])
    place = np.searchsorted(asked, terms).clip(max=asked.size - 1)
    met = asked[place] == terms
    frequency = np.bincount(place[met], minlength=asked.size)
    idf = np.log1p(len(entries) / np.maximum(frequency, 0.5))
    share: Scores = np.asarray(
        np.bincount(rows[met], weights=idf[place[met]], minlength=len(entries)) / idf.sum(), dtype=np.float64
    )
    return share
