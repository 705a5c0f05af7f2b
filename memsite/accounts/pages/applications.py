"""Page of applications: programs that store memories for end users of their own."""

from __future__ import annotations

from typing import cast

from django.contrib.auth.decorators import login_required
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from memsite.accounts.applications import create_application
from memsite.accounts.models import User
from memsite.accounts.pages.forms import ApplicationForm
from memsite.errors import Conflict
from memsite.web.notices import notify


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
