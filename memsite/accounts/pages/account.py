"""Pages of a person's own account: choices about the memory, and deletion."""

from __future__ import annotations

from typing import cast

from allauth.account.decorators import reauthentication_required
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.forms.models import model_to_dict
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from memsite.accounts.deletion import delete_person
from memsite.accounts.models import User
from memsite.accounts.pages.forms import DeletionForm, PreferencesForm
from memsite.accounts.preferences import get_preferences, set_preferences
from memsite.web.layout import keep_language
from memsite.web.requests import notify


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def preferences(request: HttpRequest) -> HttpResponse:
    """Show and change memory on or off, learning, citations, language."""
    owner = cast("User", request.user)
    form = PreferencesForm(request.POST or None, initial=model_to_dict(get_preferences(owner.pk)))
    if request.method == "POST" and form.is_valid():
        chosen = set_preferences(owner.pk, **form.cleaned_data)
        notify(request, _("Saved."))
        return keep_language(redirect("preferences"), chosen.language)
    return render(request, "accounts/preferences.html", {"form": form})


@login_required
@reauthentication_required  # type: ignore[untyped-decorator]  # allauth has no types
@require_http_methods(["GET", "HEAD", "POST"])
def delete_account(request: HttpRequest) -> HttpResponse:
    """Ask for the person's own name, then delete all their data."""
    person = cast("User", request.user)
    form = DeletionForm(request.POST or None, username=person.get_username())
    if request.method == "POST" and form.is_valid():
        delete_person(User.objects.get(pk=person.pk))
        logout(request)
        notify(request, _("Your account and everything in it have been deleted."))
        return redirect("home")
    return render(request, "accounts/delete_account.html", {"form": form}, status=400 if form.errors else 200)
