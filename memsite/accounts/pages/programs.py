"""Pages for programs: API keys, and applications with end users of their own."""

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
from django.views.decorators.http import require_http_methods, require_POST

from memsite.accounts.applications import create_application
from memsite.accounts.audit import record_own
from memsite.accounts.keys import issue_key, list_keys, revoke_key
from memsite.accounts.models import User
from memsite.accounts.pages.forms import ApplicationForm, KeyForm
from memsite.accounts.signing import queue_key_alert
from memsite.errors import Conflict
from memsite.web.requests import notify


@login_required
@reauthentication_required(allow_get=True)  # type: ignore[untyped-decorator]  # allauth has no types
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def api_keys(request: HttpRequest) -> HttpResponse:
    """Show the person's keys. A new key is shown only in the answer to its own POST.

    A person who has not confirmed their identity recently does so first; allauth then continues with the
    form.
    """
    owner = cast("User", request.user)
    form = KeyForm(request.POST or None, owner=owner)
    key = _issue(request, owner, form) if form.is_valid() else None
    facts = {
        "form": form if key is None else KeyForm(owner=owner),
        "new_key": key,
        "keys": list_keys(owner=owner),
        "base_url": settings.MEMSITE_BASE_URL,
    }
    return render(request, "accounts/keys.html", facts, status=400 if form.errors else 200)


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
    return redirect("api_keys")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def applications(request: HttpRequest) -> HttpResponse:
    """Show the person's applications and a form for a new one."""
    owner = cast("User", request.user)
    form = ApplicationForm(request.POST or None)
    if form.is_valid() and _create(owner, form):
        notify(request, _("The application is there. Issue a key for it next."))
        return redirect("api_keys")
    rows = owner.applications.annotate(
        people=Count("end_users", distinct=True), keys=Count("api_keys", distinct=True)
    )
    facts = {"form": form, "applications": rows.order_by("name")}
    return render(request, "accounts/applications.html", facts, status=400 if form.errors else 200)


def _create(owner: User, form: ApplicationForm) -> bool:
    try:
        create_application(owner, form.cleaned_data["name"])
    except Conflict:
        form.add_error("name", _("You already have an application of this name."))
        return False
    return True
