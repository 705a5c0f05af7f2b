"""The settings page of a person's data: what the apps above offer for it."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from memsite.web.requests import get_owner
from memsite.web.settings_parts import SettingsPage, make_settings_parts


@login_required
@require_safe
def data(request: HttpRequest) -> HttpResponse:
    """Show what a person can do with all their data: the parts of other apps, then deletion."""
    parts = make_settings_parts(SettingsPage.DATA, owner=get_owner(request))
    return render(request, "accounts/data.html", {"parts": parts})
