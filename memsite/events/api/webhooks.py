"""The API of webhooks. A webhook sends data elsewhere, so all of it needs the scope `admin`."""

from __future__ import annotations

from typing import Any, ClassVar, Final

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from memsite.events import webhooks
from memsite.events.api import schema
from memsite.events.models import Webhook, WebhookDelivery
from memsite.events.types import DeliveryStatus
from memsite.rest.openapi import describe_query
from memsite.rest.pagination import page_json, paginate
from memsite.rest.views import ApiView, get_owner, parse_body, parse_query

_ADMIN: Final = dict.fromkeys(("GET", "POST", "PATCH", "DELETE"), "admin")
_SORTS: Final = {"created_at": "created_at"}


class WebhooksView(ApiView):
    scopes: ClassVar[dict[str, str]] = _ADMIN

    @extend_schema(operation_id="list_webhooks", summary="List webhooks", responses=schema.WebhooksOut)
    def get(self, request: Request) -> Response:
        """List the caller's webhooks, the oldest first, without their secrets."""
        rows = webhooks.list_webhooks(owner=get_owner(request))
        return Response({"results": [webhook_json(row) for row in rows]})

    @extend_schema(
        operation_id="add_webhook",
        summary="Add a webhook",
        request=schema.WebhookIn,
        responses={201: schema.NewWebhookOut},
    )
    def post(self, request: Request) -> Response:
        """Add a webhook, which is sent the events that follow. Only this answer shows its secret."""
        body = parse_body(schema.WebhookIn, request)
        row, secret = webhooks.add_webhook(body.url, body.types, body.payload, owner=get_owner(request))
        webhooks.record_act(request, "add webhook", [row.pk])
        return Response(webhook_json(row) | {"secret": secret}, status=201)


class WebhookView(ApiView):
    scopes: ClassVar[dict[str, str]] = _ADMIN

    @extend_schema(operation_id="get_webhook", summary="Get a webhook", responses=schema.WebhookOut)
    def get(self, request: Request, webhook_id: str) -> Response:
        """Return a webhook, without its secret."""
        return Response(webhook_json(webhooks.get_webhook(webhook_id, owner=get_owner(request))))

    @extend_schema(
        operation_id="change_webhook",
        summary="Change a webhook",
        request=schema.WebhookPatch,
        responses=schema.WebhookOut,
    )
    def patch(self, request: Request, webhook_id: str) -> Response:
        """Change it, or switch it on or off. Switched on again, it is sent what happened meanwhile."""
        body = parse_body(schema.WebhookPatch, request)
        row = webhooks.change_webhook(
            webhook_id, webhooks.Changes(**body.model_dump()), owner=get_owner(request)
        )
        webhooks.record_act(request, "change webhook", [row.pk])
        return Response(webhook_json(row))

    @extend_schema(operation_id="remove_webhook", summary="Delete a webhook", responses={204: None})
    def delete(self, request: Request, webhook_id: str) -> Response:
        """Delete it with its deliveries."""
        removed = webhooks.remove_webhook(webhook_id, owner=get_owner(request))
        webhooks.record_act(request, "remove webhook", [removed])
        return Response(status=204)


class SecretView(ApiView):
    scopes: ClassVar[dict[str, str]] = _ADMIN

    @extend_schema(
        operation_id="rotate_webhook_secret",
        summary="Make a new secret",
        request=None,
        responses=schema.NewWebhookOut,
    )
    def post(self, request: Request, webhook_id: str) -> Response:
        """Make a new secret. The previous one signs beside it for 24 hours. Only this answer shows it."""
        row, secret = webhooks.rotate_secret(webhook_id, owner=get_owner(request))
        webhooks.record_act(request, "renew webhook secret", [row.pk])
        return Response(webhook_json(row) | {"secret": secret})


class TestView(ApiView):
    scopes: ClassVar[dict[str, str]] = _ADMIN

    @extend_schema(
        operation_id="test_webhook",
        summary="Send a test",
        request=None,
        responses={202: schema.DeliveryOut},
    )
    def post(self, request: Request, webhook_id: str) -> Response:
        """Send an event `webhook.test` once, also if the webhook is off. The deliveries show its outcome."""
        return Response(delivery_json(webhooks.add_test(webhook_id, owner=get_owner(request))), status=202)


class DeliveriesView(ApiView):
    scopes: ClassVar[dict[str, str]] = _ADMIN

    @extend_schema(
        operation_id="list_webhook_deliveries",
        summary="List deliveries",
        parameters=describe_query(schema.DeliveriesQuery),
        responses=schema.DeliveriesOut,
    )
    def get(self, request: Request, webhook_id: str) -> Response:
        """List what was sent or will be, newest first."""
        query = parse_query(schema.DeliveriesQuery, request)
        rows = webhooks.list_deliveries(webhook_id, owner=get_owner(request), status=query.status)
        return Response(page_json(paginate(rows, query, _SORTS), delivery_json, request))


class RetryView(ApiView):
    scopes: ClassVar[dict[str, str]] = _ADMIN

    @extend_schema(
        operation_id="retry_webhook_delivery",
        summary="Try a delivery again",
        request=None,
        responses={202: schema.DeliveryOut},
    )
    def post(self, request: Request, webhook_id: str, delivery_id: str) -> Response:
        """Try a delivery again now, whatever its status, with all its attempts."""
        row = webhooks.retry_delivery(webhook_id, delivery_id, owner=get_owner(request))
        return Response(delivery_json(row), status=202)


class ReplayView(ApiView):
    scopes: ClassVar[dict[str, str]] = _ADMIN

    @extend_schema(
        operation_id="replay_webhook",
        summary="Send events again",
        request=schema.ReplayIn,
        responses={202: schema.ReplayOut},
    )
    def post(self, request: Request, webhook_id: str) -> Response:
        """Send all events after a number again, each with the id it had."""
        body = parse_body(schema.ReplayIn, request)
        last = webhooks.replay_events(webhook_id, body.after, owner=get_owner(request))
        return Response({"after": body.after, "last": last}, status=202)


def webhook_json(row: Webhook) -> dict[str, Any]:
    """Return a webhook as JSON, without its secret."""
    return {
        "id": row.pk,
        "url": row.url,
        "types": row.types,
        "payload": row.payload,
        "enabled": row.is_on,
        "off_reason": row.off_reason or None,
        "off_since": row.off_since,
        "last": row.cursor,
        "failing_since": row.failing_since,
        "previous_secret_until": row.previous_until,
        "created_at": row.created_at,
    }


def delivery_json(row: WebhookDelivery) -> dict[str, Any]:
    """Return a delivery as JSON."""
    return {
        "id": row.pk,
        "message_id": webhooks.name_message(row),
        "event": row.number,
        "type": row.type,
        "data": row.data,
        "status": row.status,
        "attempts": row.attempts,
        "created_at": row.created_at,
        "next_attempt_at": row.next_attempt_at if row.status == DeliveryStatus.PENDING else None,
        "attempted_at": row.attempted_at,
        "duration_ms": row.duration_ms,
        "status_code": row.status_code,
        "error": row.error or None,
        "response": row.response,
    }
