"""Restrict the admin to staff, with a second factor if MEMSITE_STAFF_SECOND_FACTOR requires one.

Its views see the rows of all owners. They are audited (`memsite.accounts.audited_admin`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.account.decorators import secure_admin_login
from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.contrib import messages
from django.contrib.admin import AdminSite
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from memsite.serving.postgres import Actor, Role, act_as
from memsite.web.requests import notify

View = Callable[..., HttpResponse]


def guard_admin(site: AdminSite) -> None:
    """Make the admin use the site's sign-in page, require a second factor of staff if that is set, and let
    its views see all owners.
    """
    # The admin's own form supports neither the second factor nor the limit on wrong passwords.
    setattr(site, "login", _to_second_factor(secure_admin_login(site.login)))  # noqa: B010 - a method, to mypy
    setattr(site, "has_permission", _with_second_factor(site.has_permission))  # noqa: B010 - likewise
    setattr(site, "admin_view", _across_owners(site.admin_view))  # noqa: B010 - likewise


def _across_owners(admin_view: Callable[..., View]) -> Callable[..., View]:
    """Return an `admin_view` whose views, once the caller is known as staff, see the rows of all owners."""

    def guarded(view: View, cacheable: bool = False) -> View:  # noqa: FBT001, FBT002 - Django's signature
        @wraps(view)
        def across(*args: Any, **kwargs: Any) -> HttpResponse:
            act_as(Actor(role=Role.ALL_OWNERS))  # to the end of the request: its template reads rows, too
            return view(*args, **kwargs)

        return admin_view(across, cacheable)

    return guarded


def _lacks_second_factor(request: HttpRequest) -> bool:
    if not settings.MEMSITE_STAFF_SECOND_FACTOR or not getattr(request.user, "is_staff", False):
        return False
    return not is_mfa_enabled(request.user)


def _with_second_factor(may_enter: Callable[[HttpRequest], bool]) -> Callable[[HttpRequest], bool]:
    return lambda request: may_enter(request) and not _lacks_second_factor(request)


def _to_second_factor(login: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    def view(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not _lacks_second_factor(request):
            return login(request, *args, **kwargs)
        notify(request, _("Set up a second factor to administer this site."), level=messages.WARNING)
        return redirect("mfa_activate_totp")

    return view
