"""URLs of the API of events and webhooks."""

from __future__ import annotations

from django.urls import include, path

from memsite.events.api import webhooks
from memsite.events.api.views import EventsView

_one_webhook = [
    path("", webhooks.WebhookView.as_view(), name="api_webhook"),
    path("/secret", webhooks.SecretView.as_view(), name="api_webhook_secret"),
    path("/test", webhooks.TestView.as_view(), name="api_webhook_test"),
    path("/deliveries", webhooks.DeliveriesView.as_view(), name="api_webhook_deliveries"),
    path("/deliveries/<str:delivery_id>/retry", webhooks.RetryView.as_view(), name="api_webhook_retry"),
    path("/replay", webhooks.ReplayView.as_view(), name="api_webhook_replay"),
]

urlpatterns = [
    path("events", EventsView.as_view(), name="api_events"),
    path("webhooks", webhooks.WebhooksView.as_view(), name="api_webhooks"),
    path("webhooks/<str:webhook_id>", include(_one_webhook)),
]
