"""Report the state of an owner's memory in numbers and warnings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from uuid import UUID

from django.conf import settings

from memories.conf import REFLECTION
from memories.maintenance.reembedding import sentences
from memories.models import EmbeddingSwitch
from memories.storage import (
    count_embedding_models,
    count_memories,
    describe_model_difference,
    get_reflection_state,
    get_switch_row,
    list_not_embedded,
)
from memsite.llm.embedding import (
    get_embedder,
    get_obstacle,
    get_sentence_embedder,
    get_wanted_model,
    is_code_model,
)

#: Reflection is due when this many episodes have accumulated.


def collect_stats(*, owner: UUID) -> dict[str, Any]:
    """Return counts by layer, kind and status, the state of reflection, and embedding models."""
    counts = count_memories(owner=owner)
    reflection = get_reflection_state(owner=owner)
    models = count_embedding_models(owner=owner)
    row = get_switch_row()
    embedder = get_embedder(row.active, row.dimensions) if row else get_embedder()
    total = sum(counts.statuses.values())
    return {
        "owner": str(owner),
        "total": total,
        "by_layer": counts.layers,
        "by_kind": counts.kinds,
        "by_status": counts.statuses,
        "last_reflection": reflection["last"],
        "episodes_since_reflection": reflection["waiting"],
        "should_reflect": reflection["waiting"] >= REFLECTION.episodes,
        "oldest_unreflected": reflection["oldest"],
        "embedding_model": embedder.model,
        "embedding_models": models,
        "not_embedded": list_not_embedded(embedder.model, owner=owner).count(),
        "sentence_vectors": _count_sentences(owner=owner),
        "warnings": [
            *([f"no sentence vectors: {obstacle}"] if (obstacle := _obstacle()) else []),
            *([embedder.profile.warning] if embedder.profile.warning else []),
            *_of_models(models, embedder.model, row),
        ],
    }


def _count_sentences(*, owner: UUID) -> dict[str, Any]:
    """Return how many of an owner's memories have a vector of the bundled sentence model."""
    embedder = get_sentence_embedder()
    if embedder is None:
        return {"model": "", "filled": 0, "missing": 0}
    return {
        "model": embedder.model,
        "filled": sentences.count_sentences(owner=owner),
        "missing": sentences.list_without_sentence(owner=owner).count(),
    }


def _obstacle() -> str:
    return get_obstacle() if settings.MEMSITE_EMBEDDING == "local" else ""


def _of_models(models: dict[str, int], current: str, row: EmbeddingSwitch | None) -> Iterator[str]:
    """Yield warnings about the embedding models of an owner's memories, with the remedy."""
    if is_code_model(current):
        yield (
            f"the embedding model {current} looks like one for program code alone, so likeness of plain"
            " language means little; change it with: manage.py reembed --to MODEL"
        )
    differs = describe_model_difference(row, get_wanted_model()) if row else ""
    if differs:
        yield differs
    target = row.target if row else ""
    if target:
        yield (
            f"the site is changing from {current} to {target} and searches by {current} until it is done; a"
            f" run that stopped goes on with: manage.py reembed --to {target}"
        )
    others = sorted(set(models) - {current, target})
    if others:
        yield (
            f"memories were also embedded by {', '.join(others)}, and are searched by {current} alone; delete"
            f" what is not in use with: manage.py reembed --drop-old, or embed what lacks {current} with:"
            f" manage.py reembed --to {current}"
        )
