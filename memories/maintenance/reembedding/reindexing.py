"""Embed memories that were stored while the embedder was unavailable."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from uuid import UUID

import structlog
from django.db import transaction

from memories.models import Memory, MemoryEmbedding
from memories.storage import (
    Draft,
    add_embeddings,
    get_active_embedder,
    get_switch_row,
    is_active,
    list_not_embedded,
    lock_ledger,
    make_embedding_row,
)
from memories.writing import drafting
from memsite.errors import ModelError
from memsite.llm.embedding import Embedder, get_embedder
from memsite.serving.postgres import across_owners, acting_for

log = structlog.get_logger("memories")

#: Memories embedded by one call and written by one transaction.
CHUNK: Final = 500
#: Memories that one sweep embeds for the model that the site changes to; the command embeds most of them.
SWEPT: Final = 1_000


def embed_missing(*, owner: UUID) -> int:
    """Embed the owner's memories that have no vector of the current model, and return how many were embedded.

    Stops early if the embedder fails; the next sweep continues.
    """
    done = 0
    while True:
        rows = list(list_not_embedded(get_active_embedder().model, owner=owner)[:CHUNK])
        drafts = [Draft(memory=memory) for memory in rows]
        drafting.embed_drafts(drafts)
        embedded = [draft for draft in drafts if draft.vector is not None]
        if not embedded:
            return done
        store_vectors(embedded, owner=owner)
        done += len(embedded)


def list_owners_to_embed() -> list[UUID]:
    """Return owners with memories that lack a vector of the current model. For the sweep only."""
    return list_owners_without_vectors(get_active_embedder().model)


@across_owners()
def list_owners_without_vectors(model: str) -> list[UUID]:
    """Return owners with memories that lack a vector of this model. Across owners: for sweeps only."""
    rows = list_not_embedded(model, owner=None).order_by("owner_id")
    return list(rows.values_list("owner_id", flat=True).distinct())


def embed_for_target(most: int = SWEPT) -> int:
    """Embed memories for the model that the site changes to, if it does, and return how many.

    This soon gives memories that are written during a change vectors of both models. After a failure, the
    next sweep continues. At most about `most` memories are embedded.
    """
    row = get_switch_row()
    if row is None or not row.target:
        return 0
    embedder, done = get_embedder(row.target), 0
    for owner in list_owners_without_vectors(row.target):
        try:
            with acting_for(owner):
                rows = list(list_not_embedded(row.target, owner=owner)[: min(CHUNK, most - done)])
                done += embed_rows(rows, embedder, owner=owner)
        except ModelError as error:
            log.warning("embedding for the next model failed", error=error.message, texts=len(rows))
            return done
        if done >= most:
            return done
    return done


def embed_rows(rows: Sequence[Memory], embedder: Embedder, *, owner: UUID) -> int:
    """Set vectors of any model, in use or not, for these memories, and return how many.

    Raises:
        ModelError: If the embedder fails; then no vector is stored.
    """
    drafts = [Draft(memory=memory) for memory in rows]
    drafting.embed_drafts_by(embedder, drafts)
    store_vectors(drafts, owner=owner)
    return len(drafts)


def store_vectors(drafts: Sequence[Draft], *, owner: UUID) -> None:
    """Store vectors beside those of other models. Change the index version only if the model is in use."""
    with transaction.atomic():
        # The row lock is held to the end. A switch of models therefore comes before, and the index version
        # changes, or after, and the indexes are rebuilt.
        if not drafts or is_active(drafts[0].model):
            return add_embeddings(drafts, owner=owner)
        lock_ledger(owner=owner)
        ids = [draft.memory.pk for draft in drafts]
        kept = set(Memory.objects.filter(owner_id=owner, id__in=ids).values_list("id", flat=True))
        MemoryEmbedding.objects.bulk_create(
            [make_embedding_row(draft) for draft in drafts if draft.memory.pk in kept], ignore_conflicts=True
        )
    return None
