"""The model of each slot, and the state of its breaker."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings

from memsite.llm.chat import SLOTS, Slot
from memsite.metering import breaker


@dataclass(frozen=True, slots=True)
class SlotStanding:
    """One slot: its model, "" for none, and the state of the model's breaker."""

    slot: Slot
    model: str
    standing: breaker.Standing


def model_name(slot: Slot) -> str:
    """Return the slot's model, or the other slot's if only that one is set; "" for none."""
    names = {"fast": settings.MEMSITE_MODEL_FAST, "primary": settings.MEMSITE_MODEL_PRIMARY}
    chosen: str = names[slot] or names["fast"] or names["primary"]
    return chosen


def slots_standing() -> tuple[SlotStanding, ...]:
    """Return every slot. At most one statement per slot."""
    return tuple(_standing(slot, model_name(slot)) for slot in SLOTS)


def _standing(slot: Slot, model: str) -> SlotStanding:
    return SlotStanding(slot, model, breaker.standing(model) if model else breaker.Standing("closed"))
