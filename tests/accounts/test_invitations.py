"""Invitations make one account each, and the first one an administrator."""

from __future__ import annotations

from typing import Any

import pytest
from allauth.socialaccount.models import SocialAccount, SocialLogin
from django.contrib.sessions.backends.db import SessionStore
from django.http import HttpRequest
from django.test import RequestFactory
from pytest_django import Settings

from memsite.accounts.models import User
from memsite.accounts.signing.adapter import SocialAccountAdapter
from memsite.accounts.signing.invitations import create_invitation, find_invitation, first_account_message
from memsite.errors import Conflict


def _visitor(code: str) -> HttpRequest:
    request = RequestFactory().get(f"/accounts/signup/?invitation={code}")
    request.session = SessionStore()
    return request


def _by_single_sign_on(request: HttpRequest, name: str) -> Any:
    login = SocialLogin(user=User(username=name), account=SocialAccount(provider="oidc", uid=name))
    return SocialAccountAdapter().save_user(request, login)


@pytest.fixture(autouse=True)
def by_invitation(settings: Settings, db: None) -> None:
    settings.MEMSITE_SIGNUP = "invitation"


def test_single_sign_on_uses_the_invitation_up(alice: User) -> None:
    code = create_invitation(alice)
    _by_single_sign_on(_visitor(code), "dana")
    assert find_invitation(code) is None


def test_first_administrator_may_come_by_single_sign_on() -> None:
    message = first_account_message("http://localhost") or ""
    _by_single_sign_on(_visitor(message.rpartition("=")[2]), "dana")
    assert User.objects.get().is_superuser


def test_visitor_whose_invitation_was_used_meanwhile_gets_no_account(alice: User) -> None:
    request = _visitor(create_invitation(alice))
    _by_single_sign_on(request, "dana")
    with pytest.raises(Conflict):
        _by_single_sign_on(request, "emil")
    assert not User.objects.filter(username="emil").exists()


def test_link_of_the_first_administrator_is_void_once_there_is_one() -> None:
    message = first_account_message("http://localhost") or ""
    User.objects.create_superuser("dana")
    assert find_invitation(message.rpartition("=")[2]) is None
    assert first_account_message("http://localhost") is None


def test_ordinary_account_leaves_the_link_of_the_first_administrator_valid() -> None:
    message = first_account_message("http://localhost") or ""
    User.objects.create_user("dana")
    assert find_invitation(message.rpartition("=")[2]) is not None


def test_single_sign_on_with_a_void_invitation_makes_no_account(alice: User, settings: Settings) -> None:
    settings.MEMSITE_SIGNUP = "open"
    request = _visitor("no-such-code")
    with pytest.raises(Conflict):
        _by_single_sign_on(request, "dana")
    assert not User.objects.filter(username="dana").exists()
