"""Store which embedding model the site uses.

It is a database row, so that a change takes effect in every process at once.
"""

from __future__ import annotations

from dataclasses import dataclass

import structlog
from django.db import connection

from memories.models import EmbeddingSwitch
from memsite.llm.embedding import Embedder, get_embedder, get_wanted_model

log = structlog.get_logger("memories")


@dataclass(frozen=True, slots=True)
class ActiveEmbedding:
    """The embedder in use. `settled` is False until a memory is embedded; until then the settings decide."""

    embedder: Embedder
    settled: bool


def get_switch_row() -> EmbeddingSwitch | None:
    """Return the site's only row, or None before the first memory is embedded."""
    return EmbeddingSwitch.objects.first()


def get_active_embedding() -> ActiveEmbedding:
    """Return the embedder that searches and writers use now. Makes one statement."""
    row = get_switch_row()
    if row is None:
        return ActiveEmbedding(get_embedder(), settled=False)
    return ActiveEmbedding(get_embedder(row.active, row.dimensions), settled=True)


def get_active_embedder() -> Embedder:
    """Return `get_active_embedding().embedder`."""
    return get_active_embedding().embedder


def store_active_embedder(embedder: Embedder) -> None:
    """Make this embedder the one in use, whatever the settings say later. The first call wins."""
    row = EmbeddingSwitch(active=embedder.model, dimensions=embedder.dimensions)
    EmbeddingSwitch.objects.bulk_create([row], ignore_conflicts=True)


def is_active(model: str) -> bool:
    """Return whether this model is in use, and keep it so until the current transaction ends."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT active = %s FROM memories_embeddingswitch FOR SHARE", [model])
        row = cursor.fetchone()
    return row is None or bool(row[0])


def describe_difference() -> str:
    """Return a message if the settings name another model than the one in use; empty if they agree."""
    row, wanted = get_switch_row(), get_wanted_model()
    return describe_model_difference(row, wanted) if row is not None else ""


def describe_model_difference(row: EmbeddingSwitch, wanted: str) -> str:
    """Describe the difference like `describe_difference`, for a given row. The target of a change is none."""
    if wanted in {row.active, row.target}:
        return ""
    return (
        f"the settings name the embedding model {wanted}, but the memories are embedded by {row.active} and"
        f" searched by it; change them with: manage.py reembed --to {wanted}"
    )


def warn_of_difference() -> None:
    """Log a warning if the settings differ from the model in use. Called when a process starts."""
    difference = describe_difference()
    if difference:
        log.warning("embedding model differs from the settings", warning=difference)
