"""Relate messages to the memories learnt from them, in both directions.

A memory names a source message as `message:<id>`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final
from uuid import UUID

from memories.storage import (
    MemoryFilter,
    list_learnt_from,
    list_learnt_only_from,
    list_memories,
    load_sources,
)
from memories.values import Layer, Writer
from memsite.accounts.models import User
from memsite.values import parse_id
from threads.models import Message

PREFIX: Final = "message:"
ASSISTANT: Final = "assistant"
USER: Final = "user"
_SPEAKER_CHARACTERS: Final = 120


def make_reference(message_id: UUID) -> str:
    """Return the reference by which a memory names a message as its source."""
    return f"{PREFIX}{message_id}"


def parse_references(references: Iterable[str]) -> list[UUID]:
    """Return the ids in those references that name messages."""
    named = (parse_id(text.removeprefix(PREFIX)) for text in references if text.startswith(PREFIX))
    return [message_id for message_id in named if message_id is not None]


def get_speaker_name(owner: UUID) -> str:
    """Return the user's name as a speaker.

    An end user of an application who has no name is called "user": the application's id for them, often an
    e-mail address, and the user name made from it must not reach a language model.
    """
    user = User.objects.get(pk=owner)
    unnamed = USER if user.application_id else user.username
    return (user.get_full_name() or unnamed)[:_SPEAKER_CHARACTERS]


def list_episodes(message_ids: Collection[UUID], *, owner: UUID) -> list[UUID]:
    """Return the episodes that mirror these messages and are not forgotten."""
    learnt = list_learnt_from([make_reference(message_id) for message_id in message_ids], owner=owner)
    if not learnt:
        return []
    mirrors = MemoryFilter(layer=(Layer.EPISODIC,), written_by=(Writer.THREAD,))
    rows = list_memories(mirrors, owner=owner).filter(id__in=learnt, forgotten_at=None)
    return list(rows.values_list("id", flat=True))


def list_memories_only_from(message_id: UUID, *, owner: UUID) -> list[UUID]:
    """Return the memories that have this message as their only source and are not forgotten."""
    alone = list_learnt_only_from([make_reference(message_id)], owner=owner)
    rows = list_memories(owner=owner).filter(id__in=alone, forgotten_at=None) if alone else None
    return list(rows.values_list("id", flat=True)) if rows is not None else []


def list_source_threads(memory_ids: Collection[UUID], *, owner: UUID) -> set[UUID]:
    """Return the threads that these memories were learnt in.

    For deleted messages the thread is taken from the memory's session.
    """
    rows = list_memories(owner=owner).filter(id__in=list(memory_ids))
    sources = load_sources(memory_ids, owner=owner)
    messages = parse_references(reference for references in sources.values() for reference in references)
    thread_ids = Message.objects.filter(owner_id=owner, id__in=messages).values_list("thread_id", flat=True)
    named = (parse_id(session.partition(":")[0]) for session in rows.values_list("session", flat=True))
    return {*thread_ids, *(thread for thread in named if thread is not None)}
