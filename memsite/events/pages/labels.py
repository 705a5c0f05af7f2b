"""Label webhooks and deliveries for pages, and make the section of the settings page Programs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit
from uuid import UUID

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from memsite.events import webhooks
from memsite.events.models import Webhook, WebhookDelivery
from memsite.events.types import DeliveryStatus, OffReason
from memsite.events.webhooks import Failure
from memsite.web.settings_parts import SettingsPart

#: The groups of events that the form offers.
GROUPS: Final[Mapping[str, Promise]] = {
    "memory.*": gettext_lazy("Memories: new, changed, forgotten, erased"),
    "thread.*": gettext_lazy("Conversations: new, continued, summarised, deleted"),
    "reply.*": gettext_lazy("Replies that have ended"),
    "webhook.*": gettext_lazy("Webhooks that were switched off"),
}
_OFF: Final[Mapping[str, Promise]] = {
    OffReason.SWITCHED_OFF: gettext_lazy("You switched it off."),
    OffReason.GONE: gettext_lazy(
        "It was switched off because the receiver answered that it is gone for good (410)."
    ),
    OffReason.FAILING: gettext_lazy("It was switched off because every attempt of five days failed."),
}
_FAILURES: Final[Mapping[str, Promise]] = {
    Failure.STATUS: gettext_lazy("The receiver refused it"),
    Failure.REDIRECT: gettext_lazy("The receiver redirected it elsewhere, which is not followed"),
    Failure.TIMEOUT: gettext_lazy("No answer within 15 seconds"),
    Failure.CONNECTION: gettext_lazy("No connection, or it was closed without an answer"),
    Failure.NAME: gettext_lazy("The host's name cannot be resolved"),
    Failure.TLS: gettext_lazy("The host's certificate is not valid"),
    Failure.REFUSED: gettext_lazy("This site does not send to this address"),
    Failure.SECRET: gettext_lazy("The secret cannot be read any more; make a new one"),
}


@dataclass(frozen=True, slots=True)
class WebhookLine:
    """A webhook with the words for it.

    Attributes:
        name: Its URL without the scheme and what may be secret in it.
        off: Why it is off, as a sentence; "" while it is on.
        types: The types that it is sent, as patterns; none: all.
    """

    row: Webhook
    name: str
    off: str | Promise
    types: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DeliveryLine:
    """A delivery with the words for it.

    Attributes:
        look: The class of its chip.
        problem: Why the last attempt failed; "" if it did not.
    """

    row: WebhookDelivery
    status: str
    look: str
    problem: str | Promise


def describe_webhook(row: Webhook) -> WebhookLine:
    """Return a webhook with the words for it."""
    parts = urlsplit(row.url)
    return WebhookLine(row, f"{parts.netloc}{parts.path}", _OFF.get(row.off_reason, ""), tuple(row.types))


def describe_delivery(row: WebhookDelivery) -> DeliveryLine:
    """Return a delivery with the words for it."""
    if row.status == DeliveryStatus.DELIVERED:
        status, look = _("Delivered"), "chip-pine"
    elif row.status == DeliveryStatus.FAILED:
        status, look = _("Given up"), "chip-rust"
    elif row.attempts:
        status, look = _("Will be tried again"), "chip-amber"
    else:
        status, look = _("Underway"), ""
    return DeliveryLine(row, status, look, _FAILURES.get(row.error, ""))


def make_part(*, owner: UUID) -> SettingsPart:
    """Return the section that lists the webhooks."""
    rows = webhooks.list_webhooks(owner=owner)
    facts = {
        "webhooks": [describe_webhook(row) for row in rows],
        "may_add": len(rows) < webhooks.MOST_WEBHOOKS,
    }
    return SettingsPart("events/_webhooks.html", facts)
