"""URLs of the accounts API."""

from __future__ import annotations

from django.urls import path

from memsite.accounts.api import applications, end_users, usage, views

urlpatterns = [
    path("me", end_users.MeView.as_view(), name="api_me"),
    path("applications", applications.ApplicationsView.as_view(), name="api_applications"),
    path("applications/<str:application_id>", applications.ApplicationView.as_view(), name="api_application"),
    path("end-users", end_users.EndUsersView.as_view(), name="api_end_users"),
    path("end-users/<str:user_id>", end_users.EndUserView.as_view(), name="api_end_user"),
    path("keys", views.KeysView.as_view(), name="api_key_list"),
    path("keys/<str:key_id>", views.KeyView.as_view(), name="api_key_revoke"),
    path("preferences", views.PreferencesView.as_view(), name="api_preferences"),
    path("usage", usage.UsageView.as_view(), name="api_usage"),
]
