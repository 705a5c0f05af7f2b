"""URLs of the settings pages."""

from django.urls import path

from memsite.accounts.pages.applications import applications
from memsite.accounts.pages.audit import audit
from memsite.accounts.pages.deletion import delete_account
from memsite.accounts.pages.keys import api_keys, revoke
from memsite.accounts.pages.preferences import preferences

urlpatterns = [
    path("preferences/", preferences, name="preferences"),
    path("keys/", api_keys, name="api_keys"),
    path("keys/<uuid:key_id>/revoke/", revoke, name="revoke_key"),
    path("applications/", applications, name="applications"),
    path("audit/", audit, name="audit"),
    path("delete/", delete_account, name="delete_account"),
]
