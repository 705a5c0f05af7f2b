"""What ties messages and memories together, both ways; long-term memory asks through its ports.

A memory names its sources as `message:<id>`; nothing else crosses over.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final
from uuid import UUID

from django.urls import NoReverseMatch, reverse

from memories.candidates import EPISODIC
from memories.ports import CitationPlace, SourceText
from memories.queries import MemoryFilter, learnt_from, list_memories, sources_of
from memsite.accounts.models import User
from memsite.ids import parse_id
from threads.models import Citation, Message

PREFIX: Final = "message:"
ASSISTANT: Final = "assistant"
_SPEAKER_CHARACTERS: Final = 120


def reference_to(message_id: UUID) -> str:
    """How a memory names a message it came from."""
    return f"{PREFIX}{message_id}"


def messages_named(references: Iterable[str]) -> list[UUID]:
    """The ids of those references that name messages."""
    named = (parse_id(text.removeprefix(PREFIX)) for text in references if text.startswith(PREFIX))
    return [message_id for message_id in named if message_id is not None]


def speaker_name(owner: UUID) -> str:
    """What the user is called where it matters who said something."""
    user = User.objects.get(pk=owner)
    return (user.get_full_name() or user.external_id or user.username)[:_SPEAKER_CHARACTERS]


def episodes_of(message_ids: Collection[UUID], *, owner: UUID) -> list[UUID]:
    """The memories that mirror these messages and so follow them: their episodes."""
    learnt = learnt_from([reference_to(message_id) for message_id in message_ids], owner=owner)
    if not learnt:
        return []
    mirrors = MemoryFilter(layer=(EPISODIC,), written_by=("thread",))
    rows = list_memories(mirrors, owner=owner).filter(id__in=learnt, forgotten_at=None)
    return list(rows.values_list("id", flat=True))


def learnt_only_from(message_id: UUID, *, owner: UUID) -> list[UUID]:
    """The memories that came from this message and from nowhere else, and are not forgotten yet."""
    reference = reference_to(message_id)
    learnt = learnt_from([reference], owner=owner)
    sources = sources_of(learnt, owner=owner) if learnt else {}
    alone = [memory for memory in learnt if set(sources[memory]) == {reference}]
    rows = list_memories(owner=owner).filter(id__in=alone, forgotten_at=None) if alone else None
    return list(rows.values_list("id", flat=True)) if rows is not None else []


class Threads:
    """What threads tell the memory engine (`memories.ports.Surroundings`)."""

    def sources(self, references: Sequence[str], *, owner: UUID) -> list[SourceText]:
        """The very messages, oldest first; those deleted since are left out. Two queries."""
        ids = messages_named(references)
        rows = Message.objects.filter(owner_id=owner, id__in=ids).order_by("created_at", "id") if ids else ()
        user = speaker_name(owner) if ids else ""
        return [
            SourceText(
                reference=reference_to(row.pk),
                text=row.content,
                said_by=user if row.role == "user" else row.role,
                at=row.created_at,
                url=_thread_page(row.thread_id, row.pk),
            )
            for row in rows
        ]

    def citations(self, memory_ids: Collection[UUID], *, owner: UUID) -> list[CitationPlace]:
        """Where these memories stood in a context, last first. One query."""
        rows = Citation.objects.filter(owner_id=owner, memory_id__in=list(memory_ids))
        return [
            CitationPlace(
                row.memory_id, row.created_at, row.score, _thread_page(row.thread_id, row.message_id)
            )
            for row in rows.order_by("-created_at", "-id")
        ]

    def on_erase(self, memory_ids: Collection[UUID], *, owner: UUID) -> Mapping[str, int]:
        """Citations of erased memories go with them; the messages are the user's own and stay."""
        count, _ = Citation.objects.filter(owner_id=owner, memory_id__in=list(memory_ids)).delete()
        return {"citations": count}

    def hidden(self, thread: UUID | None, *, owner: UUID) -> frozenset[UUID]:  # noqa: ARG002 - the port's shape
        """Nothing: a thread has one line until it is branched."""
        return frozenset()


def _thread_page(thread_id: UUID, message_id: UUID | None) -> str:
    try:
        page = reverse("thread", args=[thread_id])
    except NoReverseMatch:
        return ""
    return f"{page}#message-{message_id}" if message_id else page
