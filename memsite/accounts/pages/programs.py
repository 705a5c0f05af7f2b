"""The settings page of programs: API keys, connected programs, and applications with end users."""

from __future__ import annotations

from typing import cast
from uuid import UUID

from allauth.account.decorators import reauthentication_required
from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from memsite.accounts.applications import change_application, create_application, get_application
from memsite.accounts.audit import record_own
from memsite.accounts.keys import issue_key, list_keys, revoke_key
from memsite.accounts.models import Application, User
from memsite.accounts.oauth import disconnect_program, get_resource, is_oauth_on, list_programs
from memsite.accounts.pages.forms import ApplicationForm, ApplicationSettingsForm, KeyForm
from memsite.accounts.signing import queue_key_alert
from memsite.errors import Conflict, InvalidInput
from memsite.web.requests import notify
from memsite.web.settings_parts import SettingsPage, make_settings_parts


@login_required
@require_safe
def programs(request: HttpRequest) -> HttpResponse:
    """Show the keys, the applications, and what other apps know of programs."""
    return _show(request)


@login_required
@reauthentication_required(allow_get=True)  # type: ignore[untyped-decorator]  # allauth has no types
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def api_keys(request: HttpRequest) -> HttpResponse:
    """Issue a key. It is shown only in the answer to this POST; a GET leads to the page of all programs.

    A person who has not confirmed their identity recently does so first; allauth then continues with the
    form.
    """
    if request.method != "POST":
        return redirect("programs")
    owner = cast("User", request.user)
    form = KeyForm(request.POST, owner=owner)
    if not form.is_valid():
        return _show(request, key_form=form)
    return _show(request, new_key=_issue(request, owner, form))


@transaction.atomic
def _issue(request: HttpRequest, owner: User, form: KeyForm) -> str:
    given = form.cleaned_data
    row, key = issue_key(
        owner,
        name=given["name"],
        scopes=given["scopes"],
        expires_at=form.expires_at(),
        application=given.get("application"),
    )
    record_own(request, owner, "issue key", "API keys", [row.pk])
    queue_key_alert(row)
    return key


@login_required
@require_POST
def revoke(request: HttpRequest, key_id: UUID) -> HttpResponse:
    """Revoke a key at once."""
    owner = cast("User", request.user)
    row = revoke_key(str(key_id), owner=owner)
    record_own(request, owner, "revoke key", "API keys", [row.pk])
    notify(request, _("The key “%(name)s” no longer works.") % {"name": row.name})
    return redirect("programs")


@login_required
@require_POST
def disconnect(request: HttpRequest, program_id: UUID) -> HttpResponse:
    """Disconnect a program at once."""
    owner = cast("User", request.user)
    with transaction.atomic():
        name = disconnect_program(program_id, owner=owner.pk)
        record_own(request, owner, "disconnect program", "programs", [program_id])
    notify(request, _("“%(name)s” is disconnected. Its access no longer works.") % {"name": name})
    return redirect("programs")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def applications(request: HttpRequest) -> HttpResponse:
    """Create an application; a GET leads to the page of all programs."""
    if request.method != "POST":
        return redirect("programs")
    form = ApplicationForm(request.POST)
    if form.is_valid() and _create(cast("User", request.user), form):
        notify(request, _("The application is there. Issue a key for it next."))
        return redirect("programs")
    return _show(request, application_form=form)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def application(request: HttpRequest, application_id: UUID) -> HttpResponse:
    """Show and change how requests of an application name the end user and the conversation."""
    owner = cast("User", request.user)
    row = get_application(application_id, owner=owner)
    form = ApplicationSettingsForm(request.POST or None, application=row)
    if request.method == "POST" and form.is_valid() and _change(form, row):
        record_own(request, owner, "change application", "applications", [row.pk])
        notify(request, _("The settings of “%(name)s” are saved.") % {"name": row.name})
        return redirect("programs")
    facts = {"form": form, "application": row, "base_url": settings.MEMSITE_BASE_URL}
    return render(request, "accounts/application.html", facts, status=400 if form.errors else 200)


def _change(form: ApplicationSettingsForm, row: Application) -> bool:
    try:
        change_application(row, form.changes())
    except InvalidInput:
        form.add_error("user_header", _("This cannot be a header that names the user."))
        return False
    return True


def _show(
    request: HttpRequest,
    *,
    key_form: KeyForm | None = None,
    application_form: ApplicationForm | None = None,
    new_key: str = "",
) -> HttpResponse:
    """Show the page, with a form that could not be read, or with a new key."""
    owner = cast("User", request.user)
    keys = list_keys(owner=owner)
    counted = owner.applications.annotate(
        people=Count("end_users", distinct=True), keys=Count("api_keys", distinct=True)
    )
    facts = {
        "key_form": key_form or KeyForm(owner=owner),
        "application_form": application_form or ApplicationForm(),
        "new_key": new_key,
        "keys": [key for key in keys if key.is_usable],
        "spent_keys": [key for key in keys if not key.is_usable],
        "connected": list_programs(owner=owner.pk),
        "mcp_url": get_resource() if is_oauth_on() else "",
        "applications": counted.order_by("name"),
        "parts": make_settings_parts(SettingsPage.PROGRAMS, owner=owner.pk),
        "base_url": settings.MEMSITE_BASE_URL,
    }
    is_wrong = bool(key_form or application_form)
    return render(request, "accounts/programs.html", facts, status=400 if is_wrong else 200)


def _create(owner: User, form: ApplicationForm) -> bool:
    try:
        create_application(owner, form.cleaned_data["name"])
    except Conflict:
        form.add_error("name", _("You already have an application of this name."))
        return False
    return True
