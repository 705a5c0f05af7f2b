"""Show beneath a message which memories a reply recalled and respected, and which were learnt from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST

from memories.models import Memory
from memories.storage import (
    list_events_of_memories,
    list_learnt_from,
    list_memories,
    load_sources,
)
from memsite.accounts.preferences import get_preferences
from memsite.web.requests import get_owner
from threads.context import rate_citation
from threads.learning import LEARNT
from threads.messages import PERSON
from threads.models import Citation, CitationRole, Message
from threads.visibility import make_reference

_CREATED: Final = "memory.created"


@dataclass(frozen=True, slots=True)
class CitedMemory:
    """A memory that was part of a reply's context. `reason` says why it was recalled, or why it applies."""

    citation: Citation
    memory: Memory
    reason: str


@dataclass(slots=True)
class CitedMemories:
    """The memories of a reply's context.

    Attributes:
        recalled: Those that the search found, best first.
        respected: The requirements, oldest first.
    """

    recalled: list[CitedMemory] = field(default_factory=list)
    respected: list[CitedMemory] = field(default_factory=list)

    def add(self, cited: CitedMemory) -> None:
        """Add a memory to those of its role."""
        is_respected = cited.citation.role == CitationRole.RESPECTED
        (self.respected if is_respected else self.recalled).append(cited)


@dataclass(frozen=True, slots=True)
class LearntMemory:
    """A memory learnt from a message.

    Attributes:
        undo: The batch that undoes it; None if it is not offered here.
        batch_size: How many memories of this message the batch undoes.
    """

    memory: Memory
    undo: UUID | None = None
    batch_size: int = 1


def load_cited(messages: Sequence[Message], *, owner: UUID) -> dict[UUID, CitedMemories]:
    """Return what each of these messages recalled and respected. Three queries; one if there is no answer.

    Empty if the person switched citations off.
    """
    answers = [message.pk for message in messages if message.role == "assistant"]
    if not answers or not get_preferences(owner).citations_on:
        return {}
    cited = Citation.objects.filter(
        owner_id=owner, thread_id=messages[0].thread_id, message_id__in=answers
    ).order_by("-score", "id")
    rows = list(cited)
    memories = list_memories(owner=owner).in_bulk([row.memory_id for row in rows]) if rows else {}
    found: dict[UUID, CitedMemories] = {}
    for row in rows:
        if row.message_id is not None and row.memory_id in memories:
            cited_memories = found.setdefault(row.message_id, CitedMemories())
            cited_memories.add(CitedMemory(row, memories[row.memory_id], row.why))
    return found


def load_learnt(messages: Sequence[Message], *, owner: UUID) -> dict[UUID, list[LearntMemory]]:
    """Return what each of these messages taught, without the episodes that mirror it.

    Four queries at most.
    """
    references = {make_reference(message.pk): message.pk for message in messages}
    ids = list_learnt_from(references, owner=owner) if references else set()
    rows = list_memories(LEARNT, owner=owner).filter(id__in=ids).order_by("created_at", "id") if ids else []
    memories = list(rows)
    if not memories:
        return {}
    keys = [memory.pk for memory in memories]
    sources = load_sources(keys, owner=owner)
    events = list_events_of_memories(keys, owner=owner)
    batches = {event.memory_id: event.batch_id for event in events if event.type == _CREATED}
    found: dict[UUID, list[tuple[Memory, UUID | None]]] = {}
    for memory in memories:
        named = sources.get(memory.pk, [])
        for reference in named:
            if reference in references:  # a batch is offered where it created the memory, and not again
                batch = batches.get(memory.pk) if reference == named[0] else None
                found.setdefault(references[reference], []).append((memory, batch))
    return {message: _offer_each_batch_once(learnt) for message, learnt in found.items()}


@login_required
@require_POST
def rate_cited(request: HttpRequest, citation_id: UUID) -> HttpResponse:
    """Store whether a cited memory was useful (`useful` is yes, no, or empty to take the rating back)."""
    owner = get_owner(request)
    useful = {"yes": True, "no": False}.get(request.POST.get("useful", ""))
    citation = rate_citation(citation_id, useful=useful, owner=owner, actor=PERSON)
    if not request.headers.get("HX-Request"):
        place = f"?message={citation.message_id}#message-{citation.message_id}" if citation.message_id else ""
        return redirect(f"{reverse('thread', args=[citation.thread_id])}{place}")
    memory = list_memories(owner=owner).filter(pk=citation.memory_id).first()
    cited = CitedMemory(citation, memory, citation.why) if memory else None
    return render(request, "threads/_cited_memory.html", {"cited": cited})


def _offer_each_batch_once(learnt: Sequence[tuple[Memory, UUID | None]]) -> list[LearntMemory]:
    batches = [batch for _memory, batch in learnt]
    found = []
    for place, (memory, batch) in enumerate(learnt):
        is_last = batch is not None and batch not in batches[place + 1 :]
        found.append(LearntMemory(memory, batch if is_last else None, batches.count(batch)))
    return found
