"""The model of each slot, and the state of its breaker."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings

from memsite.llm.chat import MODEL_TIERS, ModelTier
from memsite.metering import breaker


@dataclass(frozen=True, slots=True)
class ModelStatus:
    """One slot: its model, "" for none, and the state of the model's breaker."""

    tier: ModelTier
    model: str
    breaker: breaker.BreakerState


def get_model_name(tier: ModelTier) -> str:
    """Return the slot's model, or the other slot's if only that one is set; "" for none."""
    names = {"fast": settings.MEMSITE_MODEL_FAST, "primary": settings.MEMSITE_MODEL_PRIMARY}
    chosen: str = names[tier] or names["fast"] or names["primary"]
    return chosen


def list_model_status() -> tuple[ModelStatus, ...]:
    """Return every slot. At most one statement per slot."""
    return tuple(_get_model_status(slot, get_model_name(slot)) for slot in MODEL_TIERS)


def _get_model_status(tier: ModelTier, model: str) -> ModelStatus:
    return ModelStatus(
        tier, model, breaker.get_breaker_state(model) if model else breaker.BreakerState("closed")
    )
