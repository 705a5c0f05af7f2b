"""The settings page of a person's account: name, sign-in, language, theme and sessions."""

from __future__ import annotations

from typing import cast

from allauth.account.decorators import reauthentication_required
from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from memsite.accounts.audit import record_own
from memsite.accounts.models import User
from memsite.accounts.pages.forms import NameForm
from memsite.accounts.preferences import get_preferences, set_preferences
from memsite.accounts.signing import end_other_sessions, end_session, list_sessions
from memsite.web.layout import keep_language
from memsite.web.requests import get_owner, notify


@login_required
@require_safe
def account(request: HttpRequest) -> HttpResponse:
    """Show who the person is here, how they sign in, and where they are signed in."""
    person = cast("User", request.user)
    facts = {
        "has_password": person.has_usable_password(),
        "has_second_factor": is_mfa_enabled(person),
        "language": get_preferences(person.pk).language,
        "sessions": list_sessions(person, request.session.session_key),
    }
    return render(request, "accounts/account.html", facts)


@login_required
@reauthentication_required(allow_get=True)  # type: ignore[untyped-decorator]  # allauth has no types
@require_http_methods(["GET", "HEAD", "POST"])
def change_name(request: HttpRequest) -> HttpResponse:
    """Change the name with which the person signs in."""
    person = User.objects.get(pk=get_owner(request))
    form = NameForm(request.POST or None, person=person)
    if form.is_valid() and _save_name(request, person, form):
        notify(request, _("Your name is now %(name)s.") % {"name": person.username})
        return redirect("account")
    return render(request, "accounts/change_name.html", {"form": form}, status=400 if form.errors else 200)


def _save_name(request: HttpRequest, person: User, form: NameForm) -> bool:
    """Save the name. Return False, with the error in the form, if somebody took it meanwhile."""
    person.username = form.cleaned_data["username"]
    try:
        with transaction.atomic():
            person.save(update_fields=["username"])
            record_own(request, person, "change name", "users", [person.pk])
    except IntegrityError:
        form.add_error("username", _("Somebody else has this name."))
        return False
    return True


@login_required
@require_POST
def choose_language(request: HttpRequest) -> HttpResponse:
    """Keep the language that the person wants on every device; "" for what the browser asks for."""
    language = request.POST.get("language", "")
    chosen = language if language in dict(settings.LANGUAGES) else ""
    set_preferences(get_owner(request), language=chosen)
    return keep_language(redirect("account"), chosen)


@login_required
@require_POST
def end_one(request: HttpRequest, session_id: int) -> HttpResponse:
    """Sign out one browser."""
    device = end_session(session_id, person=cast("User", request.user))
    notify(request, _("Signed out: %(device)s.") % {"device": device})
    return redirect("account")


@login_required
@require_POST
def end_others(request: HttpRequest) -> HttpResponse:
    """Sign out every browser but this one."""
    ended = end_other_sessions(cast("User", request.user), request.session.session_key)
    text = ngettext(
        "%(count)d other session is signed out.", "%(count)d other sessions are signed out.", ended
    )
    notify(request, text % {"count": ended})
    return redirect("account")
