"""How an owner's memory is doing, in numbers and warnings."""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

from memories.queries import counts_by, embedding_models, not_embedded, reflection_state
from memsite.llm.embedding import get_embedder

#: Reflection is due when so many episodes have gathered.
REFLECT_AT: Final = 10


def stats(*, owner: UUID) -> dict[str, Any]:
    """Counts by layer, kind and status; the state of reflection; embedding models with their warnings."""
    by_status = counts_by("status", owner=owner)
    reflection = reflection_state(owner=owner)
    models = embedding_models(owner=owner)
    embedder = get_embedder()
    total = sum(by_status.values())
    return {
        "owner": str(owner),
        "total": total,
        "by_layer": counts_by("layer", owner=owner),
        "by_kind": counts_by("kind", owner=owner),
        "by_status": by_status,
        "last_reflection": reflection["last"],
        "episodes_since_reflection": reflection["waiting"],
        "should_reflect": reflection["waiting"] >= REFLECT_AT,
        "oldest_unreflected": reflection["oldest"],
        "embedding_model": embedder.model,
        "embedding_models": models,
        "not_embedded": not_embedded(embedder.model, owner=owner).count(),
        "warnings": _warnings(models, embedder.model, embedder.profile.warning),
    }


def _warnings(models: dict[str, int], current: str, profile_warning: str | None) -> list[str]:
    found = [profile_warning] if profile_warning else []
    others = sorted(set(models) - {current})
    if others:
        found.append(
            f"memories were also embedded by {', '.join(others)}; the site now searches by {current} alone."
        )
    return found
