"""Page of a person's choices about their memory."""

from __future__ import annotations

from typing import cast

from django.contrib.auth.decorators import login_required
from django.forms.models import model_to_dict
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from memsite.accounts.models import User
from memsite.accounts.pages.forms import PreferencesForm
from memsite.accounts.preferences import get_preferences, set_preferences
from memsite.web.layout import keep_language
from memsite.web.notices import notify


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
