"""Page to delete one's own account."""

from __future__ import annotations

from typing import cast

from allauth.account.decorators import reauthentication_required
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from memsite.accounts.deletion import delete_person
from memsite.accounts.models import User
from memsite.accounts.pages.forms import DeletionForm
from memsite.web.notices import notify


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
