"""Webhooks: send the events of an owner's log to addresses of the owner's choice (Standard Webhooks)."""

from memsite.events.webhooks.deliveries import (
    add_test,
    list_deliveries,
    name_message,
    replay_events,
    retry_delivery,
)
from memsite.events.webhooks.delivering import deliver_due, sweep
from memsite.events.webhooks.endpoints import (
    MOST_WEBHOOKS,
    Changes,
    add_webhook,
    change_webhook,
    get_webhook,
    list_webhooks,
    remove_webhook,
    rotate_secret,
)
from memsite.events.webhooks.ports import record_act, redact, register_audit, register_memories
from memsite.events.webhooks.sending import Failure

__all__ = [
    "MOST_WEBHOOKS",
    "Changes",
    "Failure",
    "add_test",
    "add_webhook",
    "change_webhook",
    "deliver_due",
    "get_webhook",
    "list_deliveries",
    "list_webhooks",
    "name_message",
    "record_act",
    "redact",
    "register_audit",
    "register_memories",
    "remove_webhook",
    "replay_events",
    "retry_delivery",
    "rotate_secret",
    "sweep",
]
