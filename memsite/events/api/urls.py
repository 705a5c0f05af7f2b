from __future__ import annotations

from django.urls import path

from memsite.events.api.views import EventsView

urlpatterns = [path("events", EventsView.as_view(), name="api_events")]
