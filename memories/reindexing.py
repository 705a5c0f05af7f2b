"""Filling in what the index lacks: vectors of memories stored while the embedder was away."""

from __future__ import annotations

from typing import Final
from uuid import UUID

from memories import drafting
from memories.queries import not_embedded
from memories.store import Draft, add_embeddings
from memsite.llm.embedding import get_embedder

#: Memories embedded by one call and written by one transaction.
CHUNK: Final = 500


def embed_missing(*, owner: UUID) -> int:
    """Embed an owner's memories that the current model has not seen; how many got a vector.

    Stops early when the embedder fails; the next sweep goes on.
    """
    done = 0
    while True:
        rows = list(not_embedded(get_embedder().model, owner=owner)[:CHUNK])
        drafts = [Draft(memory=memory) for memory in rows]
        drafting.embed(drafts)
        embedded = [draft for draft in drafts if draft.vector is not None]
        if not embedded:
            return done
        add_embeddings(embedded, owner=owner)
        done += len(embedded)


def owners_to_embed() -> list[UUID]:
    """Owners with a memory the current model has not seen. Across owners: for the sweep alone."""
    rows = not_embedded(get_embedder().model, owner=None).order_by("owner_id")
    return list(rows.values_list("owner_id", flat=True).distinct())
