"""Which memories stood in a context: kept for the person to see and judge, and counted as use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

import structlog
from django.db import IntegrityError, transaction

from memories.copying import copy_in
from memories.usage import note_access
from memsite.ids import new_id
from threads.models import Citation, Thread
from threads.recall import Told

log = structlog.get_logger("threads")

_WHY_CHARACTERS: Final = 255


@dataclass(frozen=True, slots=True)
class Cited:
    """A memory in a context. id: the citation's, by which it is judged; relevance: in [0, 1]."""

    id: UUID
    memory_id: UUID
    content: str
    score: float
    relevance: float
    why: str


def cite(thread: Thread, told: Sequence[Told], *, context_id: UUID) -> tuple[Cited, ...]:
    """Store one citation a memory and note the use; in the same order."""
    cited = tuple(
        Cited(
            id=new_id(),
            memory_id=one.hit.memory.pk,
            content=one.hit.memory.content,
            score=one.hit.score,
            relevance=one.hit.relevance,
            why=one.hit.why,
        )
        for one in told
    )
    if cited:
        _store(thread, cited, context_id)
    return cited


def _store(thread: Thread, cited: Sequence[Cited], context_id: UUID) -> None:
    rows = [
        Citation(
            id=one.id,
            owner_id=thread.owner_id,
            thread=thread,
            context_id=context_id,
            memory_id=one.memory_id,
            score=one.score,
            why=one.why[:_WHY_CHARACTERS],
        )
        for one in cited
    ]
    try:
        with transaction.atomic():
            copy_in(Citation, [vars(row) for row in rows])
            note_access([one.memory_id for one in cited], owner=thread.owner_id)
    except IntegrityError:  # a memory or the thread was erased since it was recalled
        log.info("citations not kept", thread=str(thread.pk))
