"""URLs of the settings pages."""

from django.urls import path

from memsite.accounts.pages.account import delete_account, preferences
from memsite.accounts.pages.audit import audit
from memsite.accounts.pages.data import data
from memsite.accounts.pages.programs import api_keys, applications, revoke

urlpatterns = [
    path("preferences/", preferences, name="preferences"),
    path("data/", data, name="data"),
    path("keys/", api_keys, name="api_keys"),
    path("keys/<uuid:key_id>/revoke/", revoke, name="revoke_key"),
    path("applications/", applications, name="applications"),
    path("audit/", audit, name="audit"),
    path("delete/", delete_account, name="delete_account"),
]
