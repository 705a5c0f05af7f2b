from __future__ import annotations

from django.urls import path

from memsite.accounts.api import views

urlpatterns = [
    path("keys", views.KeysView.as_view(), name="api_keys"),
    path("keys/<str:key_id>", views.KeyView.as_view(), name="api_key"),
    path("preferences", views.PreferencesView.as_view(), name="api_preferences"),
]
