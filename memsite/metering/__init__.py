"""Language models with accounting: usage is counted, a daily budget applies, failing servers are avoided.

    get_chat_model(slot, owner=…)                    return the model of a slot, or None if none is configured
    get_model_name(slot)                             return the name of a slot's model, "" for none
    get_relay(model=…, owner=…)                      return a relay of whole requests to the server
    list_model_status()                              return each slot's model and the state of its breaker
    sum_tokens_today(owner=…), list_usage_by_day(…)  return what an owner used; also by purpose

Names are imported on first use, because Django imports this package before models can be imported.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from memsite.metering.metered import get_chat_model
    from memsite.metering.model_status import ModelStatus, get_model_name, list_model_status
    from memsite.metering.models import ModelPurpose
    from memsite.metering.relayed import MeteredRelay, get_relay, list_server_models
    from memsite.metering.usage import (
        PurposeUsage,
        UsageTotal,
        list_usage_by_day,
        list_usage_by_purpose,
        sum_tokens_today,
    )

__all__ = [
    "MeteredRelay",
    "ModelPurpose",
    "ModelStatus",
    "PurposeUsage",
    "UsageTotal",
    "get_chat_model",
    "get_model_name",
    "get_relay",
    "list_model_status",
    "list_server_models",
    "list_usage_by_day",
    "list_usage_by_purpose",
    "sum_tokens_today",
]

_HOMES: Final = {
    "MeteredRelay": "relayed",
    "ModelPurpose": "models",
    "ModelStatus": "model_status",
    "PurposeUsage": "usage",
    "UsageTotal": "usage",
    "list_usage_by_day": "usage",
    "list_usage_by_purpose": "usage",
    "get_chat_model": "metered",
    "get_model_name": "model_status",
    "get_relay": "relayed",
    "list_server_models": "relayed",
    "list_model_status": "model_status",
    "sum_tokens_today": "usage",
}


def __getattr__(name: str) -> Any:  # noqa: ANN401 - whatever the name refers to
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
