"""Webhooks: the addresses that events are sent to, and the check of what arrives there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from memsite.results import Delivery, NewWebhook, Page, Replayed, Webhook
from memsite.webhooks import verify
from memsite.wire import Call, Mode, Resource, call_as, call_for_page, operation, without_nones

_PATH = "/api/webhooks"


class Webhooks(Resource[Mode]):
    """Addresses that events are sent to; all calls but `verify` need the scope `admin`."""

    #: Check a webhook that arrived; it needs no connection: see `memsite.webhooks.verify`.
    verify = staticmethod(verify)

    @operation
    def list(self) -> Call[Page[Webhook]]:
        """Return the webhooks, the oldest first, without their secrets."""
        return call_for_page(Webhook, _PATH, {})

    @operation
    def add(self, url: str, *, types: Sequence[str] = (), payload: str | None = None) -> Call[NewWebhook]:
        """Add a webhook; only this result contains its secret.

        Args:
            types: Such as `memory.*`; by default all.
            payload: `thin` (ids) or `full` (the memory, too).
        """
        body = without_nones(url=url, types=types, payload=payload)
        return call_as(NewWebhook, "POST", _PATH, body=body)

    @operation
    def get(self, webhook_id: str) -> Call[Webhook]:
        """Return one webhook."""
        return call_as(Webhook, "GET", f"{_PATH}/{webhook_id}")

    @operation
    def change(self, /, webhook_id: str, **changes: Any) -> Call[Webhook]:
        """Change `url`, `types`, `payload` or `enabled`."""
        return call_as(Webhook, "PATCH", f"{_PATH}/{webhook_id}", body=changes)

    @operation
    def delete(self, webhook_id: str) -> Call[Webhook]:
        """Delete a webhook with its deliveries."""
        return call_as(Webhook, "DELETE", f"{_PATH}/{webhook_id}")

    @operation
    def rotate_secret(self, webhook_id: str) -> Call[NewWebhook]:
        """Make a new secret; for 24 hours the previous one signs, too."""
        return call_as(NewWebhook, "POST", f"{_PATH}/{webhook_id}/secret")

    @operation
    def test(self, webhook_id: str) -> Call[Delivery]:
        """Send `webhook.test` once."""
        return call_as(Delivery, "POST", f"{_PATH}/{webhook_id}/test")

    @operation
    def deliveries(self, /, webhook_id: str, **query: Any) -> Call[Page[Delivery]]:
        """Return a page of what was sent or will be, newest first; `query`: `status`, `cursor` …"""
        return call_for_page(Delivery, f"{_PATH}/{webhook_id}/deliveries", query)

    @operation
    def retry(self, webhook_id: str, delivery_id: str) -> Call[Delivery]:
        """Try a delivery again now, with all its attempts."""
        return call_as(Delivery, "POST", f"{_PATH}/{webhook_id}/deliveries/{delivery_id}/retry")

    @operation
    def replay(self, webhook_id: str, after: int) -> Call[Replayed]:
        """Send all events after this number again, each with the id it had."""
        return call_as(Replayed, "POST", f"{_PATH}/{webhook_id}/replay", body={"after": after})
