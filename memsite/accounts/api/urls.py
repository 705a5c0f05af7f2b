from __future__ import annotations

from django.urls import path

from memsite.accounts.api import usage, views

urlpatterns = [
    path("keys", views.KeysView.as_view(), name="api_key_list"),
    path("keys/<str:key_id>", views.KeyView.as_view(), name="api_key_revoke"),
    path("preferences", views.PreferencesView.as_view(), name="api_preferences"),
    path("usage", usage.UsageView.as_view(), name="api_usage"),
]
