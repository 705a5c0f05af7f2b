"""The settings page of a person's data: what other apps offer for it, and deletion."""

from __future__ import annotations

import json
from typing import Final
from uuid import UUID

from allauth.account.decorators import reauthentication_required
from allauth.core import ratelimit
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from memsite.accounts.audit import record_own
from memsite.accounts.deletion import (
    GRACE,
    call_off_deletion,
    count_data,
    find_open_deletion,
    hasten_deletion,
    list_ended_deletions,
    list_unreachable,
    make_receipt,
    request_deletion,
)
from memsite.accounts.models import DeletionScope, User
from memsite.accounts.pages.forms import DeletionForm, ScopeForm
from memsite.errors import NotFound, TooManyRequests
from memsite.web.requests import get_owner, get_return_url, notify
from memsite.web.settings_parts import SettingsPage, make_settings_parts

_MINUTE: Final = 60  # seconds


def _has_no_password(request: HttpRequest) -> bool:
    return request.user.is_authenticated and not request.user.has_usable_password()


#: Confirms the identity of a person who has no password for the form.
confirm_identity = reauthentication_required(enabled=_has_no_password)


@login_required
@require_safe
def data(request: HttpRequest) -> HttpResponse:
    """Show what a person can do with all their data: the parts of other apps, then deletion."""
    owner = get_owner(request)
    facts = {
        "parts": make_settings_parts(SettingsPage.DATA, owner=owner),
        "deletion": find_open_deletion(owner=owner),
        "receipts": list_ended_deletions(owner=owner),
    }
    return render(request, "accounts/data.html", facts)


@login_required
@confirm_identity  # type: ignore[untyped-decorator]  # allauth has no types
@require_http_methods(["GET", "HEAD", "POST"])
def delete_data(request: HttpRequest) -> HttpResponse:
    """Show what would be deleted, and take the request, confirmed by name and password."""
    person = User.objects.get(pk=get_owner(request))
    if request.method != "POST" and find_open_deletion(owner=person.pk):
        return redirect("data")
    _limit_passwords(request)
    form = ScopeForm(request.POST or None, person=person, initial={"scope": request.GET.get("scope")})
    if form.is_valid():
        requested = request_deletion(person, DeletionScope(form.cleaned_data["scope"]))
        record_own(request, person, "request deletion", requested.scope, [requested.pk])
        notify(request, _("Noted. Nothing is deleted before the date above; you can call it off until then."))
        return redirect("data")
    facts = {
        "form": form,
        "counts": _list_counts(person),
        "days": GRACE.days,
        "unreachable": list_unreachable(),
    }
    return render(request, "accounts/delete_data.html", facts, status=400 if form.errors else 200)


@login_required
@require_POST
def call_off(request: HttpRequest) -> HttpResponse:
    """Call off the pending deletion."""
    found = call_off_deletion(owner=get_owner(request))
    record_own(request, found.owner, "call off deletion", found.scope, [found.pk])
    notify(request, _("Called off. Nothing has been deleted."))
    return redirect(get_return_url(request, reverse("data")))


@login_required
@confirm_identity  # type: ignore[untyped-decorator]  # allauth has no types
@require_http_methods(["GET", "HEAD", "POST"])
def delete_now(request: HttpRequest) -> HttpResponse:
    """Delete the account without waiting for the end of the grace: the last page, then the receipt."""
    person = User.objects.get(pk=get_owner(request))
    pending = find_open_deletion(owner=person.pk)
    if pending is None or pending.scope != DeletionScope.ACCOUNT:
        raise NotFound("No deletion is pending.")
    _limit_passwords(request)
    form = DeletionForm(request.POST or None, person=person)
    facts = {
        "form": form,
        "counts": count_data(person, DeletionScope.ACCOUNT),
        "unreachable": list_unreachable(),
    }
    if form.is_valid():
        hasten_deletion(person)
        logout(request)
        return render(request, "accounts/deleted.html", facts)
    return render(request, "accounts/delete_now.html", facts, status=400 if form.errors else 200)


@login_required
@require_safe
def deletion_receipt(request: HttpRequest, deletion_id: UUID) -> HttpResponse:
    """Show the receipt of a deletion; as a JSON file with `format=json`."""
    receipt = make_receipt(deletion_id, owner=get_owner(request))
    if request.GET.get("format") != "json":
        return render(request, "accounts/receipt.html", {"receipt": receipt})
    text = json.dumps(receipt.as_json(), ensure_ascii=False, indent=2)
    name = f"memsite-deletion-{receipt.requested_at:%Y-%m-%d}.json"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(text, content_type="application/json", headers=headers)


def _list_counts(person: User) -> list[tuple[str, dict[str, int]]]:
    """Return what each scope would delete."""
    return [(scope.value, count_data(person, scope)) for scope in DeletionScope]


def _limit_passwords(request: HttpRequest) -> None:
    """Count a posted password against the limit of allauth's own page that asks for it.

    Raises:
        TooManyRequests: After 10 within a minute.
    """
    if request.method == "POST" and not ratelimit.consume(
        request, action="reauthenticate", user=request.user
    ):
        raise TooManyRequests(_("Too many attempts. Wait a minute."), _MINUTE)
