"""allauth adapters: sign-up that is open, by invitation, or closed."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.internal.flows.login import get_authentication_records
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from django.conf import settings
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_noop

from memsite.accounts.models import Invitation, User
from memsite.accounts.names import check_username
from memsite.accounts.preferences import get_preferences
from memsite.accounts.signing.invitations import find_invitation, redeem_invitation
from memsite.errors import Conflict
from memsite.serving.postgres import acting_for
from memsite.web.layout import keep_language


class NameTaken(Conflict):
    """Somebody else took the name or the e-mail address first."""


VOID_INVITATION: Final = gettext_noop(
    "This invitation no longer works: it was used, it has expired, or it was for the first administrator "
    "and there is one now."
)


def get_invitation(request: HttpRequest) -> Invitation | None:
    """Return the valid invitation of this visitor, from the URL or, later, from the session."""
    code = _code_of(request)
    invitation = find_invitation(code) if code else None
    if invitation is not None:
        request.session["invitation"] = code
    return invitation


def drop_void_invitation(request: HttpRequest) -> bool:
    """Remove an invitation that is no longer valid from the session; return whether there was one."""
    void = bool(_code_of(request)) and get_invitation(request) is None
    if void:
        request.session.pop("invitation", None)
    return void


def _code_of(request: HttpRequest) -> str:
    return request.GET.get("invitation") or request.session.get("invitation") or ""


def may_sign_up(request: HttpRequest) -> bool:
    """Return whether sign-up is open, or this visitor has an invitation (valid on a closed site, too)."""
    # The invitation is read first, also on an open site: reading it stores it for the form's POST.
    return get_invitation(request) is not None or settings.MEMSITE_SIGNUP == "open"


def _sign_up(request: HttpRequest, save: Callable[[], User]) -> User:
    """Save a new person and use up their invitation.

    Raises:
        Taken: If somebody else took the name or address.
        Conflict: If the invitation is no longer valid.
    """
    if drop_void_invitation(request):
        raise Conflict(VOID_INVITATION)
    # before saving: the first administrator's invitation is void once there is one
    invitation = get_invitation(request)
    with transaction.atomic():
        saved = _save(save)
        invited = invitation is not None and redeem_invitation(invitation, saved)
        if not invited and (invitation is not None or settings.MEMSITE_SIGNUP != "open"):
            raise Conflict("This invitation has just been used.")
    request.session.pop("invitation", None)
    return saved


def _save(save: Callable[[], User]) -> User:
    try:
        with transaction.atomic():
            return save()
    except IntegrityError:
        raise NameTaken("This name or e-mail address has just been taken.") from None


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth has no type information
    """allauth's adapter for accounts with a password."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return may_sign_up(request)

    def clean_username(self, username: str, shallow: bool = False) -> str:  # noqa: FBT001, FBT002 - allauth's signature
        """Also refuse names that are reserved or look like another name."""
        check_username(username)
        return str(super().clean_username(username, shallow))

    def save_user(self, request: HttpRequest, user: User, form: Any, commit: bool = True) -> User:  # noqa: ANN401, FBT001, FBT002 - allauth's signature
        return _sign_up(request, partial(super().save_user, request, user, form, commit))

    def post_login(self, request: HttpRequest, user: User, **circumstances: Any) -> HttpResponse:
        """Set this browser's language to the one the person chose.

        Who has just signed in has confirmed who they are: allauth would ask for the password again.
        """
        for record in get_authentication_records(request, user):
            record["reauthenticated"] = True
        request.session.modified = True
        response: HttpResponse = super().post_login(request, user, **circumstances)
        with acting_for(user.pk):  # the request began as a visitor's
            language = get_preferences(user.pk).language
        return keep_language(response, language) if language else response


class SocialAccountAdapter(DefaultSocialAccountAdapter):  # type: ignore[misc]  # allauth has no type information
    """allauth's adapter for accounts of single sign-on."""

    def is_open_for_signup(self, request: HttpRequest, sociallogin: Any) -> bool:  # noqa: ANN401, ARG002 - allauth's signature
        return may_sign_up(request)

    def save_user(self, request: HttpRequest, sociallogin: Any, form: Any = None) -> User:  # noqa: ANN401 - allauth's signature
        """Save the person. If there is a form, the adapter above does this and handles the invitation."""
        save = partial(super().save_user, request, sociallogin, form)
        return save() if form else _sign_up(request, save)
