"""URLs of the settings pages. The permanent redirects are for URLs of earlier versions."""

from django.urls import path
from django.views.generic import RedirectView

from memsite.accounts.pages import account, data, memory, privacy, programs

urlpatterns = [
    path("", RedirectView.as_view(pattern_name="preferences", permanent=True), name="settings"),
    path("memory/", memory.preferences, name="preferences"),
    path("preferences/", RedirectView.as_view(pattern_name="preferences", permanent=True)),
    path("data/", data.data, name="data"),
    path("data/delete/", data.delete_data, name="delete_data"),
    path("data/delete/call-off/", data.call_off, name="call_off_deletion"),
    path("data/delete/now/", data.delete_now, name="delete_now"),
    path("data/deletions/<uuid:deletion_id>/", data.deletion_receipt, name="deletion_receipt"),
    path("delete/", RedirectView.as_view(pattern_name="delete_data", permanent=True)),
    path("programs/", programs.programs, name="programs"),
    path("keys/", programs.api_keys, name="api_keys"),
    path("keys/<uuid:key_id>/revoke/", programs.revoke, name="revoke_key"),
    path("programs/<uuid:program_id>/disconnect/", programs.disconnect, name="disconnect_program"),
    path("applications/", programs.applications, name="applications"),
    path("applications/<uuid:application_id>/", programs.application, name="application"),
    path("account/", account.account, name="account"),
    path("account/name/", account.change_name, name="change_name"),
    path("account/language/", account.choose_language, name="choose_language"),
    path("account/sessions/end/", account.end_others, name="end_other_sessions"),
    path("account/sessions/<int:session_id>/end/", account.end_one, name="end_session"),
    path("privacy/", privacy.privacy, name="privacy"),
    path("audit/", privacy.audit, name="audit"),
]
