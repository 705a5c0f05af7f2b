"""URLs of the API of events and webhooks."""

from __future__ import annotations

from typing import Final

from django.urls import path

from memsite.events.api import webhooks
from memsite.events.api.views import EventsView

_ONE: Final = "webhooks/<str:webhook_id>"

urlpatterns = [
    path("events", EventsView.as_view(), name="api_events"),
    path("webhooks", webhooks.WebhooksView.as_view(), name="api_webhooks"),
    path(_ONE, webhooks.WebhookView.as_view(), name="api_webhook"),
    path(f"{_ONE}/secret", webhooks.SecretView.as_view(), name="api_webhook_secret"),
    path(f"{_ONE}/test", webhooks.TestView.as_view(), name="api_webhook_test"),
    path(f"{_ONE}/deliveries", webhooks.DeliveriesView.as_view(), name="api_webhook_deliveries"),
    path(
        f"{_ONE}/deliveries/<str:delivery_id>/retry", webhooks.RetryView.as_view(), name="api_webhook_retry"
    ),
    path(f"{_ONE}/replay", webhooks.ReplayView.as_view(), name="api_webhook_replay"),
]
