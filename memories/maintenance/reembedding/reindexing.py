"""Filling in what the index lacks: vectors of memories stored while the embedder was away."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from uuid import UUID

import structlog
from django.db import transaction

from memories.models import Memory, MemoryEmbedding
from memories.storage import (
    Draft,
    active_embedder,
    add_embeddings,
    embedding_row,
    is_active,
    lock_ledger,
    not_embedded,
    switch_row,
)
from memories.writing import drafting
from memsite.errors import ModelError
from memsite.llm.embedding import Embedder, get_embedder

log = structlog.get_logger("memories")

#: Memories embedded by one call and written by one transaction.
CHUNK: Final = 500
#: Memories that one sweep embeds for the model being changed to; the command does the bulk.
SWEPT: Final = 1_000


def embed_missing(*, owner: UUID) -> int:
    """Embed an owner's memories that the current model has not seen; how many got a vector.

    Stops early when the embedder fails; the next sweep goes on.
    """
    done = 0
    while True:
        rows = list(not_embedded(active_embedder().model, owner=owner)[:CHUNK])
        drafts = [Draft(memory=memory) for memory in rows]
        drafting.embed(drafts)
        embedded = [draft for draft in drafts if draft.vector is not None]
        if not embedded:
            return done
        keep(embedded, owner=owner)
        done += len(embedded)


def owners_to_embed() -> list[UUID]:
    """Owners with a memory the current model has not seen. Across owners: for the sweep alone."""
    return owners_without(active_embedder().model)


def owners_without(model: str) -> list[UUID]:
    """Owners with a memory that a model has not seen. Across owners: for sweeps alone."""
    rows = not_embedded(model, owner=None).order_by("owner_id")
    return list(rows.values_list("owner_id", flat=True).distinct())


def embed_for_target(most: int = SWEPT) -> int:
    """Embed memories for the model the site is changing to, if it is; how many, at most about `most`.

    So what is written during a change soon has vectors of both. A failure waits for the next sweep.
    """
    row = switch_row()
    if row is None or not row.target:
        return 0
    embedder, done = get_embedder(row.target), 0
    for owner in owners_without(row.target):
        rows = list(not_embedded(row.target, owner=owner)[: min(CHUNK, most - done)])
        try:
            done += embed_rows(rows, embedder, owner=owner)
        except ModelError as error:
            log.warning("embedding for the next model failed", error=error.message, texts=len(rows))
            return done
        if done >= most:
            return done
    return done


def embed_rows(rows: Sequence[Memory], embedder: Embedder, *, owner: UUID) -> int:
    """Give these memories vectors of any model, in use or not; how many. Raises ModelError: then none."""
    drafts = [Draft(memory=memory) for memory in rows]
    drafting.embed_by(embedder, drafts)
    keep(drafts, owner=owner)
    return len(drafts)


def keep(drafts: Sequence[Draft], *, owner: UUID) -> None:
    """Write vectors beside those of other models. Searches are told only of those they search by."""
    with transaction.atomic():
        # Held to the end: a switch comes before, and indexes are told, or after, and builds them anew.
        if not drafts or is_active(drafts[0].model):
            return add_embeddings(drafts, owner=owner)
        lock_ledger(owner=owner)
        ids = [draft.memory.pk for draft in drafts]
        kept = set(Memory.objects.filter(owner_id=owner, id__in=ids).values_list("id", flat=True))
        MemoryEmbedding.objects.bulk_create(
            [embedding_row(draft) for draft in drafts if draft.memory.pk in kept], ignore_conflicts=True
        )
    return None
