"""URLs of the pages of webhooks, below the settings page Programs."""

from __future__ import annotations

from django.urls import path

from memsite.events.pages import views

urlpatterns = [
    path("", views.add, name="webhook_add"),
    path("<uuid:webhook_id>/", views.show, name="webhook"),
    path("<uuid:webhook_id>/secret/", views.renew_secret, name="webhook_secret"),
    path("<uuid:webhook_id>/test/", views.test, name="webhook_test"),
    path("<uuid:webhook_id>/switch/", views.switch, name="webhook_switch"),
    path("<uuid:webhook_id>/remove/", views.remove, name="webhook_remove"),
    path("<uuid:webhook_id>/deliveries/<uuid:delivery_id>/retry/", views.retry, name="webhook_retry"),
]
