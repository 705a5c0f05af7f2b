"""Language models with accounting: usage is counted, a daily budget applies, failing servers are avoided.

    chat_model(slot, owner=…)           return the model of a slot, or None if none is configured
    model_name(slot)                    return the name of a slot's model, "" for none
    slots_standing()                    return each slot's model and the state of its breaker
    used_today(owner=…), by_day(…)      return what an owner used

Names are imported on first use, because Django imports this package before models can be imported.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from memsite.metering.metered import chat_model
    from memsite.metering.slots import SlotStanding, model_name, slots_standing
    from memsite.metering.usage import Total, by_day, used_today

__all__ = ["SlotStanding", "Total", "by_day", "chat_model", "model_name", "slots_standing", "used_today"]

_HOMES: Final = {
    "SlotStanding": "slots",
    "Total": "usage",
    "by_day": "usage",
    "chat_model": "metered",
    "model_name": "slots",
    "slots_standing": "slots",
    "used_today": "usage",
}


def __getattr__(name: str) -> Any:  # noqa: ANN401 - whatever the name stands for
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
