"""The settings page of the memory: what is learnt, kept and shown."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.forms.models import model_to_dict
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from memsite.accounts.pages.forms import PreferencesForm
from memsite.accounts.preferences import get_preferences, set_preferences
from memsite.web.requests import get_owner, notify
from memsite.web.settings_parts import SettingsPage, make_settings_parts


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def preferences(request: HttpRequest) -> HttpResponse:
    """Show and change memory on or off, learning and citations, and show the parts of other apps."""
    owner = get_owner(request)
    posted = request.POST if request.method == "POST" else None  # a form without a tick posts nothing
    form = PreferencesForm(posted, initial=model_to_dict(get_preferences(owner)))
    if form.is_valid():
        set_preferences(owner, **form.cleaned_data)
        notify(request, _("Saved."))
        return redirect("preferences")
    parts = make_settings_parts(SettingsPage.MEMORY, owner=owner)
    return render(request, "accounts/memory.html", {"form": form, "parts": parts})
