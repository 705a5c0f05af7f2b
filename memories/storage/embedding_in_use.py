"""Which embedding model the site searches and writes by: a row, so that every process changes at once."""

from __future__ import annotations

from dataclasses import dataclass

import structlog
from django.db import connection

from memories.models import EmbeddingSwitch
from memsite.llm.embedding import Embedder, get_embedder, wanted_model

log = structlog.get_logger("memories")


@dataclass(frozen=True, slots=True)
class InUse:
    """settled: whether memories were embedded by it; until then the settings may name another."""

    embedder: Embedder
    settled: bool


def switch_row() -> EmbeddingSwitch | None:
    """The site's one row; None before the first memory is embedded."""
    return EmbeddingSwitch.objects.first()


def in_use() -> InUse:
    """The embedder that searches and writers use now. One statement."""
    row = switch_row()
    if row is None:
        return InUse(get_embedder(), settled=False)
    return InUse(get_embedder(row.active, row.dimensions), settled=True)


def active_embedder() -> Embedder:
    """`in_use().embedder`."""
    return in_use().embedder


def settle(embedder: Embedder) -> None:
    """From now on memories are embedded by this one, whatever the settings come to say. The first stays."""
    row = EmbeddingSwitch(active=embedder.model, dimensions=embedder.dimensions)
    EmbeddingSwitch.objects.bulk_create([row], ignore_conflicts=True)


def is_active(model: str) -> bool:
    """Within a transaction: whether a model is the one in use, and stays so until the transaction ends."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT active = %s FROM memories_embeddingswitch FOR SHARE", [model])
        row = cursor.fetchone()
    return row is None or bool(row[0])


def differing() -> str:
    """What to tell a person whose settings name another model than the one in use; empty when they agree."""
    row, wanted = switch_row(), wanted_model()
    return told_of_difference(row, wanted) if row is not None else ""


def told_of_difference(row: EmbeddingSwitch, wanted: str) -> str:
    """`differing` of a row at hand. A target on its way is no difference."""
    if wanted in {row.active, row.target}:
        return ""
    return (
        f"the settings name the embedding model {wanted}, but the memories are embedded by {row.active} and"
        f" searched by it; change them with: manage.py reembed --to {wanted}"
    )


def warn_when_differing() -> None:
    """Say so in the log, as a process starts."""
    told = differing()
    if told:
        log.warning("embedding model differs from the settings", warning=told)
