"""Turn candidates into drafts: pass them through the gate, check them, and derive the indexed columns."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice
from operator import attrgetter
from typing import Any, Final, cast
from uuid import UUID

import structlog
from django.conf import settings
from django.db.models.base import ModelState

from memories.conf import EXTRACTION, WRITING
from memories.gate import Mode, check_remainder, guard_text, redact_json, redact_together
from memories.models import Memory
from memories.retrieval import pack_tokens
from memories.storage import Draft, get_active_embedding, graph_index, store_active_embedder
from memories.text import (
    RULES,
    Slot,
    analyse_text,
    compute_fingerprint,
    compute_wording_key,
    find_expiry,
    make_slot,
    simplify,
)
from memories.values import Candidate, Kind, Layer, Status, Writer, default_importance, default_lifespan
from memsite.accounts.models import User
from memsite.errors import ModelError, RefusedByGate
from memsite.llm.embedding import Embedder, TokenEmbedder
from memsite.values import new_id

log = structlog.get_logger("memories")

STATED_CONFIDENCE: Final = 0.9
#: Writers that learn rather than state: their candidates must reach a minimum confidence and importance.
LEARNERS: Final = frozenset({Writer.RULES, Writer.MODEL, Writer.REFLECTION})


#: The maximum number of characters of each text field. A placeholder can be longer than the secret it
#: replaces.
_WIDTHS: Final = {
    "entities": 255,
    **{
        field.name: width
        for field in Memory._meta.concrete_fields
        if (width := getattr(getattr(field, "base_field", field), "max_length", None))
    },
}
#: Kinds of statements that may be true for some days only.
_PASSING: Final = frozenset({Kind.FACT, Kind.CONTEXT})
#: Subjects that mean the owner.
_USER: Final = frozenset({"user", "the user"})
_TEXTS: Final = ("category", "subject", "predicate", "object", "speaker", "session")
_LISTS: Final = ("tags", "participants", "entities")
_texts_of = attrgetter(*_TEXTS)
_lists_of = attrgetter(*_LISTS)
#: No column truncates a text of up to this many characters.
_NARROWEST: Final = min(width for name, width in _WIDTHS.items() if name in {*_TEXTS, *_LISTS})
#: The default values of `Memory()`, except lists and objects, which must not be shared between rows.
_BLANK: Final = {
    field.attname: default
    for field in Memory._meta.concrete_fields
    if not isinstance(default := field.get_default(), (list, dict))
}


@dataclass(frozen=True, slots=True)
class Refusal:
    """A candidate that is not written, with a reason that can be shown to the user."""

    reason: str


def make_draft(
    candidate: Candidate, *, owner: UUID, now: datetime, user_names: Collection[str] = ()
) -> Draft | Refusal:
    """Return the row that a candidate would become, without its embedding, or the reason for refusing it.

    Args:
        candidate: The candidate.
        owner: The owner of the row.
        now: The time of creation.
        user_names: Names of the owner (see `load_names`), to recognise statements that name them.
    """
    return _drafted([candidate], owner=owner, now=now, user_names=user_names)[0]


def make_drafts(
    candidates: Sequence[Candidate], *, owner: UUID, now: datetime, refused_kinds: Collection[str] = ()
) -> list[Draft | Refusal]:
    """Return the draft or refusal of each candidate, in order. Makes at most one query.

    Args:
        candidates: The candidates.
        owner: The owner of the rows.
        now: The time of creation.
        refused_kinds: The kinds that are not learnt: candidates of the person or of programs are not refused.
    """
    has_triple = any(one.subject and one.predicate and one.object for one in candidates)
    names = load_names(owner) if has_triple else ()
    return _drafted(candidates, owner=owner, now=now, user_names=names, refused_kinds=refused_kinds)


def _drafted(
    candidates: Sequence[Candidate],
    *,
    owner: UUID,
    now: datetime,
    user_names: Collection[str],
    refused_kinds: Collection[str] = (),
) -> list[Draft | Refusal]:
    """Derive all drafts step by step instead of one by one.

    The processor's caches hold the code of one step but not of all; this takes two thirds of the time for a
    thousand candidates.
    """
    mode = cast("Mode", settings.MEMSITE_GATE)
    checked = [_checked(one, mode, refused_kinds) for one in candidates]
    made = [one if isinstance(one, Refusal) else _draft(one, owner=owner, now=now) for one in checked]
    drafts = [one for one in made if isinstance(one, Draft)]
    for derive in (_analyse, _identify, _word, _name):
        for one in drafts:
            derive(one)
    for one in drafts:
        one.memory.slot = compute_slot_digest(one.memory, user_names)
    return made


def _checked(candidate: Candidate, mode: Mode, refused_kinds: Collection[str]) -> Candidate | Refusal:
    if candidate.kind in refused_kinds and candidate.written_by in LEARNERS:
        return Refusal("Memories of this kind are never learnt.")
    try:
        safe = redact_candidate(candidate, mode=mode)
    except RefusedByGate as refusal:
        return Refusal(refusal.message)
    weak = _too_weak(safe)
    return Refusal(weak) if weak else safe


def _draft(candidate: Candidate, *, owner: UUID, now: datetime) -> Draft:
    return Draft(
        memory=_row(candidate, owner=owner, now=now),
        entities=candidate.entities,
        sources=candidate.sources,
        derived_from=tuple(UUID(reference) for reference in candidate.derived_from),
        only_changes=candidate.only_changes,
    )


def load_names(owner: UUID) -> tuple[str, ...]:
    """Return the owner's names: full name, first name, the name an application uses, and user name."""
    user = User.objects.filter(pk=owner).only("first_name", "last_name", "username", "external_id").first()
    if user is None:
        return ()
    names = (user.get_full_name(), user.first_name, user.external_id, user.username)
    return tuple(name for name in names if name)


def make_slot_of_row(memory: Memory, user_names: Collection[str] = ()) -> Slot | None:
    """Return the slot of a memory's triple, or None for an episode or an incomplete triple.

    The result is cached on the object.
    """
    if memory.layer == Layer.EPISODIC:
        return None
    triple = (memory.subject, memory.predicate, memory.object)
    kept: tuple[tuple[str, str, str], Slot | None] | None = memory.__dict__.get("_slot_read")
    if kept is None or kept[0] != triple or user_names:
        kept = triple, make_slot(*triple, user_names=user_names, speaker=memory.speaker)
        memory.__dict__["_slot_read"] = kept
    return kept[1]


def compute_slot_digest(memory: Memory, user_names: Collection[str] = ()) -> str:
    """Return the value of `Memory.slot`."""
    slot = make_slot_of_row(memory, user_names)
    return slot.digest if slot else ""


def redact_candidate(candidate: Candidate, *, mode: Mode) -> Candidate:
    """Return the candidate with the secrets removed from all of its texts.

    The texts are examined together: a secret that is recognised in one of them is removed from the others
    too.

    Raises:
        RefusedByGate: If the gate refuses the content.
    """
    single = _texts_of(candidate)
    lists = _lists_of(candidate)
    given = [
        _word_triple(candidate),
        candidate.content,
        *single,
        *(text for texts in lists for text in texts),
    ]
    redacted = redact_together(given)
    _, content, *whole = redacted
    check_remainder(content)
    if redacted == given and not candidate.metadata and max(map(len, given[2:])) <= _NARROWEST:
        return candidate
    if content != candidate.content and mode == "refuse":
        guard_text(candidate.content, mode)
        raise RefusedByGate("This holds a secret or a personal identifier.")
    clean = iter(whole)
    changes: dict[str, Any] = {name: fit_to_column(name, next(clean)) for name in _TEXTS}
    for name, texts in zip(_LISTS, lists, strict=True):
        changes[name] = tuple(fit_to_column(name, text) for text in islice(clean, len(texts)))
    return replace(candidate, content=content, metadata=redact_object(candidate.metadata), **changes)


def _word_triple(candidate: Candidate) -> str:
    """Return the triple as a text for the gate, or an empty string if the candidate has no object.

    The user is "my": the gate reads "user anna: hunter2" as a user name and its password, and would read
    "user likes: HSK5" likewise.
    """
    if not candidate.object:
        return ""
    subject = "my" if candidate.subject.lower() in _USER else candidate.subject
    return f"{subject} {candidate.predicate}: {candidate.object}"


def fit_to_column(name: str, text: str) -> str:
    """Truncate a text, after the gate, to the width of its column."""
    return text[: _WIDTHS.get(name)]


def redact_object(value: Mapping[str, Any]) -> dict[str, Any]:
    """Return a JSON object with the secrets removed from its keys and values."""
    return cast("dict[str, Any]", redact_json(dict(value))) if value else {}


def embed_drafts(drafts: Sequence[Draft]) -> None:
    """Set the vector of every draft, in one call. If the embedder fails, the drafts have no vectors."""
    if not drafts:
        return
    used = get_active_embedding()
    try:
        embed_drafts_by(used.embedder, drafts)
    except ModelError as error:
        log.warning("embedding failed", error=error.message, texts=len(drafts))
        return
    if not used.settled:
        store_active_embedder(used.embedder)


def embed_drafts_by(embedder: Embedder, drafts: Sequence[Draft]) -> None:
    """Set the vector of every draft by the given embedder, in one call.

    Raises:
        ModelError: If the embedder fails; then no draft has a vector.
    """
    if not drafts:
        return
    texts = [simplify(row.memory.content) for row in drafts]
    if isinstance(embedder, TokenEmbedder):
        token_ids = embedder.token_ids(texts)
        vectors = embedder.embed_tokens(token_ids)
        packed = [pack_tokens(ids) for ids in token_ids]
    else:
        vectors = embedder.embed(texts)
        packed = [b""] * len(drafts)
    for row, vector, tokens in zip(drafts, vectors, packed, strict=True):
        row.model, row.vector, row.tokens = embedder.model, vector, tokens


def _too_weak(candidate: Candidate) -> str:
    confidence = STATED_CONFIDENCE if candidate.confidence is None else candidate.confidence
    least = _least_confidence(candidate.layer)
    learnt = candidate.written_by in LEARNERS
    if confidence < least and (learnt or candidate.layer == Layer.SEMANTIC):
        return f"confidence {confidence:g} is under {least:g}"
    importance = candidate.importance
    wanted = EXTRACTION.least_importance
    if learnt and importance is not None and importance < wanted and candidate.kind != Kind.CONTEXT:
        return f"importance {importance} is under {wanted}"
    return ""


def _least_confidence(layer: Layer) -> float:
    if layer == Layer.SEMANTIC:
        return WRITING.semantic_confidence
    return WRITING.procedural_confidence if layer == Layer.PROCEDURAL else 0.0


def _row(candidate: Candidate, *, owner: UUID, now: datetime) -> Memory:
    importance = candidate.importance
    if importance is None:
        importance = default_importance(candidate.layer, candidate.kind)
    valid_until = candidate.valid_until or _find_expiry(candidate, now)
    ended = valid_until is not None and valid_until <= now
    return _memory(
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
        valid_until=valid_until,
        ended_at=now if ended else None,
        written_by=candidate.written_by,
        metadata=dict(candidate.metadata),
        created_at=now,
        updated_at=now,
    )


def _find_expiry(candidate: Candidate, now: datetime) -> datetime | None:
    """Return when a temporary state that the candidate states is over; None for everything else."""
    if candidate.layer != Layer.SEMANTIC or candidate.kind not in _PASSING:
        return None
    return find_expiry(candidate.content, candidate.occurred_at or candidate.valid_from or now)


def _memory(**values: Any) -> Memory:
    """Return `Memory(**values)` without the work of Django for fifty fields, in a fifth of the time."""
    memory = Memory.__new__(Memory)
    memory._state = ModelState()  # noqa: SLF001 - what Model.__init__ sets
    memory.__dict__.update(_BLANK, **values)
    return memory


def _analyse(draft: Draft) -> None:
    memory = draft.memory
    analysis = analyse_text(memory.content)
    memory.terms, memory.content_words, memory.cues = analysis.terms, analysis.length, analysis.cues


def _identify(draft: Draft) -> None:
    draft.memory.fingerprint = compute_row_fingerprint(draft.memory)


def _word(draft: Draft) -> None:
    draft.memory.wording = compute_wording(draft.memory)


def _name(draft: Draft) -> None:
    draft.memory.entity_terms = compute_entity_terms(draft.memory, draft.entities)


def compute_entity_terms(memory: Memory, entities: Sequence[str]) -> bytes:
    """Return the value of `Memory.entity_terms`. `entities` are additional names given by the writer."""
    return graph_index.hash_names(memory, entities)


def compute_wording(memory: Memory) -> bytes:
    """Return the value of `Memory.wording`."""
    return b"" if memory.layer == Layer.EPISODIC else compute_wording_key(memory.content)


def compute_row_fingerprint(memory: Memory, *, rules: int = RULES) -> bytes:
    """Return the value of `Memory.fingerprint`, by the current or by older rules."""
    return compute_fingerprint(
        owner=memory.owner_id,
        layer=memory.layer,
        kind=memory.kind,
        content=memory.content,
        subject=memory.subject,
        predicate=memory.predicate,
        object=memory.object,
        session=memory.session if memory.layer == Layer.EPISODIC else "",
        occurred_at=memory.occurred_at,
        rules=rules,
    )
