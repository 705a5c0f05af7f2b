"""From a candidate to a draft: the gate, the checks, and what the index wants to know."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice
from typing import Any, Final, cast
from uuid import UUID

import structlog
from django.conf import settings

from memories.candidates import (
    EPISODIC,
    PROCEDURAL,
    SEMANTIC,
    Candidate,
    default_importance,
    default_lifespan,
)
from memories.gate import Mode, guard, redact_json, redact_together
from memories.models import Memory
from memories.models.memory import Status
from memories.retrieval.analysis import analyse, pack_names
from memories.retrieval.vector import pack_tokens
from memories.similarity import fingerprint
from memories.store import Draft
from memsite.errors import ModelError, RefusedByGate
from memsite.ids import new_id
from memsite.llm.embedding import TokenEmbedder, get_embedder

log = structlog.get_logger("memories")

STATED_CONFIDENCE: Final = 0.9
LEAST_CONFIDENCE: Final = {SEMANTIC: 0.6, PROCEDURAL: 0.8}
LEAST_IMPORTANCE: Final = 0.5
#: Who learns rather than states: what these find must be sure and important enough.
LEARNERS: Final = frozenset({"rules", "model", "reflection"})


#: Most characters of a text in each field. A placeholder can be longer than the secret it stands for.
_WIDTHS: Final = {
    "entities": 255,
    **{
        field.name: width
        for field in Memory._meta.concrete_fields
        if (width := getattr(getattr(field, "base_field", field), "max_length", None))
    },
}
_TEXTS: Final = ("category", "subject", "predicate", "object", "speaker", "session")
_LISTS: Final = ("tags", "participants", "entities")


@dataclass(frozen=True, slots=True)
class Refusal:
    """A candidate that is not written, and why, in words fit to show."""

    reason: str


def draft(candidate: Candidate, *, owner: UUID, now: datetime) -> Draft | Refusal:
    """The row a candidate would become, gated and analysed but not embedded; or why there is none."""
    try:
        safe = gated(candidate, mode=cast("Mode", settings.MEMSITE_GATE))
    except RefusedByGate as refusal:
        return Refusal(refusal.message)
    weak = _too_weak(safe)
    if weak:
        return Refusal(weak)
    memory = _row(safe, owner=owner, now=now)
    return Draft(
        memory=memory,
        entities=safe.entities,
        sources=safe.sources,
        derived_from=tuple(UUID(reference) for reference in safe.derived_from),
    )


def gated(candidate: Candidate, *, mode: Mode) -> Candidate:
    """The candidate with nothing secret left in any of its texts. Raises RefusedByGate.

    The texts are read together: what one of them shows to be a secret goes from the others too.
    """
    single = [getattr(candidate, name) for name in _TEXTS]
    lists = [getattr(candidate, name) for name in _LISTS]
    triple = f"{candidate.subject} {candidate.predicate}: {candidate.object}" if candidate.object else ""
    _, content, *whole = redact_together(
        [triple, candidate.content, *single, *(text for texts in lists for text in texts)]
    )
    if content != candidate.content:
        guard(candidate.content, mode)
        if mode == "refuse":
            raise RefusedByGate("This holds a secret or a personal identifier.")
    clean = iter(whole)
    changes: dict[str, Any] = {name: fit(name, next(clean)) for name in _TEXTS}
    for name, texts in zip(_LISTS, lists, strict=True):
        changes[name] = tuple(fit(name, text) for text in islice(clean, len(texts)))
    return replace(candidate, content=content, metadata=redact_object(candidate.metadata), **changes)


def fit(name: str, text: str) -> str:
    """A gated text as far as its column holds it."""
    return text[: _WIDTHS.get(name)]


def redact_object(value: Mapping[str, Any]) -> dict[str, Any]:
    """A JSON object with nothing secret left in its keys and values."""
    return cast("dict[str, Any]", redact_json(dict(value))) if value else {}


def embed(drafts: Sequence[Draft]) -> None:
    """Give every draft its vector, in one call. An embedder that fails costs only the vectors."""
    if not drafts:
        return
    embedder = get_embedder()
    texts = [row.memory.content for row in drafts]
    if isinstance(embedder, TokenEmbedder):
        token_ids = embedder.token_ids(texts)
        vectors = embedder.embed_tokens(token_ids)
        packed = [pack_tokens(ids) for ids in token_ids]
    else:
        try:
            vectors = embedder.embed(texts)
        except ModelError as error:
            log.warning("embedding failed", error=error.message, texts=len(drafts))
            return
        packed = [b""] * len(drafts)
    for row, vector, tokens in zip(drafts, vectors, packed, strict=True):
        row.model, row.vector, row.tokens = embedder.model, vector, tokens


def _too_weak(candidate: Candidate) -> str:
    confidence = STATED_CONFIDENCE if candidate.confidence is None else candidate.confidence
    least = LEAST_CONFIDENCE.get(candidate.layer, 0.0)
    learnt = candidate.written_by in LEARNERS
    if confidence < least and (learnt or candidate.layer == SEMANTIC):
        return f"confidence {confidence} is under {least}"
    importance = candidate.importance
    if learnt and importance is not None and importance < LEAST_IMPORTANCE and candidate.kind != "context":
        return f"importance {importance} is under {LEAST_IMPORTANCE}"
    return ""


def _row(candidate: Candidate, *, owner: UUID, now: datetime) -> Memory:
    importance = candidate.importance
    if importance is None:
        importance = default_importance(candidate.layer, candidate.kind)
    analysis = analyse(candidate.content)
    ended = candidate.valid_until is not None and candidate.valid_until <= now
    names = [*candidate.entities, candidate.subject, candidate.object]
    return Memory(
        id=new_id(),
        owner_id=owner,
        layer=candidate.layer,
        kind=candidate.kind,
        category=candidate.category,
        content=candidate.content,
        tags=list(candidate.tags),
        participants=list(candidate.participants),
        subject=candidate.subject,
        predicate=candidate.predicate,
        object=candidate.object,
        single_valued=candidate.single_valued,
        speaker=candidate.speaker,
        session=candidate.session,
        occurred_at=candidate.occurred_at,
        importance=importance,
        base_importance=importance,
        confidence=STATED_CONFIDENCE if candidate.confidence is None else candidate.confidence,
        lifespan=candidate.lifespan or default_lifespan(candidate.layer, candidate.kind),
        status=Status.DEPRECATED if ended else Status.ACTIVE,
        sensitive=candidate.sensitive,
        strength=candidate.strength,
        abstraction_level=candidate.abstraction_level,
        valid_from=candidate.valid_from or candidate.occurred_at,
        valid_until=candidate.valid_until,
        ended_at=now if ended else None,
        written_by=candidate.written_by,
        metadata=dict(candidate.metadata),
        fingerprint=_fingerprint(candidate, owner),
        terms=analysis.terms,
        content_words=analysis.length,
        cues=analysis.cues,
        entity_terms=pack_names(name for name in names if name),
    )


def _fingerprint(candidate: Candidate, owner: UUID) -> bytes:
    return fingerprint(
        owner=owner,
        layer=candidate.layer,
        kind=candidate.kind,
        content=candidate.content,
        subject=candidate.subject,
        predicate=candidate.predicate,
        object=candidate.object,
        session=candidate.session if candidate.layer == EPISODIC else "",
        occurred_at=candidate.occurred_at,
    )
