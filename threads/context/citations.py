"""Store citations: which memories were part of a context, the recalled ones and the requirements.

A person can see and rate citations, and each counts as use of its memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final
from uuid import UUID

import structlog
from django.db import IntegrityError, transaction
from django.db.models import Count, Q
from django.utils import timezone

from memories.curation import weigh_feedback
from memories.storage import copy_rows, lock_ledger, note_access
from memsite.errors import NotFound
from memsite.values import new_id, parse_id
from threads.context.recall import RenderedMemory, Requirement
from threads.models import Citation, CitationRole

log = structlog.get_logger("threads")

_WHY_CHARACTERS: Final = 255


@dataclass(frozen=True, slots=True)
class StoredCitation:
    """A memory in a context.

    Attributes:
        id: Id of the citation, by which it is rated.
        score: 0 for a requirement.
        relevance: In [0, 1]; None for a requirement: it applies whatever the input resembles.
        why: Why it was recalled, or why the requirement applies.
    """

    id: UUID
    memory_id: UUID
    content: str
    score: float
    relevance: float | None
    why: str
    role: CitationRole = CitationRole.RECALLED


def store_citations(
    memories: Sequence[RenderedMemory],
    required: Sequence[Requirement],
    *,
    owner: UUID,
    thread_id: UUID,
    context_id: UUID,
) -> tuple[StoredCitation, ...]:
    """Store one citation for each memory and requirement, note their use, and return the citations."""
    cited = make_citations(memories, required, [new_id() for _ in (*memories, *required)])
    save_citations(cited, owner=owner, thread_id=thread_id, context_id=context_id)
    return cited


def make_citations(
    memories: Sequence[RenderedMemory], required: Sequence[Requirement], ids: Sequence[UUID]
) -> tuple[StoredCitation, ...]:
    """Return one citation for each memory, then one for each requirement, each in the given order.

    Args:
        memories: The memories of the context.
        required: Its requirements.
        ids: The ids by which the citations will be stored, in the order of the result.
    """
    recalled = tuple(
        StoredCitation(
            id=key,
            memory_id=one.hit.memory.pk,
            content=one.hit.memory.content,
            score=one.hit.score,
            relevance=one.hit.relevance,
            why=one.hit.why,
        )
        for key, one in zip(ids, memories, strict=False)
    )
    respected = tuple(
        StoredCitation(
            id=key,
            memory_id=one.memory_id,
            content=one.content,
            score=0.0,
            relevance=None,
            why=one.why,
            role=CitationRole.RESPECTED,
        )
        for key, one in zip(ids[len(memories) :], required, strict=True)
    )
    return (*recalled, *respected)


def save_citations(
    cited: Sequence[StoredCitation], *, owner: UUID, thread_id: UUID, context_id: UUID
) -> None:
    """Store citations, and note the use of their memories."""
    if not cited:
        return
    shared = {
        "owner_id": owner,
        "thread_id": thread_id,
        "message_id": None,
        "context_id": context_id,
        "useful": None,
        "created_at": timezone.now(),
    }
    rows = [
        {
            **shared,
            "id": one.id,
            "memory_id": one.memory_id,
            "score": one.score,
            "relevance": one.relevance,
            "role": one.role,
            "why": one.why[:_WHY_CHARACTERS],
        }
        for one in cited
    ]
    try:
        with transaction.atomic():
            copy_rows(Citation, rows)
            note_access([one.memory_id for one in cited], owner=owner)
    except IntegrityError:  # a memory or the thread was erased after recall
        log.info("citations not kept", thread=str(thread_id))


def rate_citation(citation_id: str | UUID, *, useful: bool | None, owner: UUID, actor: str) -> Citation:
    """Store a person's rating of a citation, and update the weight of the memory by all its ratings.

    Args:
        useful: The rating; None removes it. Repeating a rating changes nothing.

    Raises:
        NotFound: If the owner has no such citation.
    """
    identifier = citation_id if isinstance(citation_id, UUID) else parse_id(citation_id)
    with transaction.atomic():
        lock_ledger(owner=owner)  # the same lock order as every writer of memories
        rows = Citation.objects.select_for_update().filter(owner_id=owner)
        citation = rows.filter(id=identifier).first() if identifier is not None else None
        if citation is None:
            raise NotFound("There is no such citation.")
        if citation.useful is useful:
            return citation
        citation.useful = useful
        citation.save(update_fields=["useful"])
        words = Citation.objects.filter(owner_id=owner, memory_id=citation.memory_id).aggregate(
            liked=Count("id", filter=Q(useful=True)), disliked=Count("id", filter=Q(useful=False))
        )
        with suppress(NotFound):  # the memory was erased; the rating is still stored
            weigh_feedback(
                citation.memory_id,
                useful=words["liked"],
                useless=words["disliked"],
                owner=owner,
                actor=actor,
            )
    return citation
