"""Cookies of the site at its two addresses: http at home, https for programs and from outside."""

from __future__ import annotations

import pytest
from django.test import Client
from pytest_django import Settings

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def two_addresses(settings: Settings) -> None:
    settings.MEMSITE_PUBLIC_URL = "https://memory.example.org"
    settings.ALLOWED_HOSTS = ["memory.example.org", "nas.lan"]


def is_secure(host: str, *, https: bool = False) -> bool:
    cookies = Client().get("/accounts/login/", headers={"host": host}, secure=https).cookies
    return bool(cookies["csrftoken"]["secure"])


def test_cookies_are_secure_at_the_public_address() -> None:
    assert is_secure("memory.example.org")


def test_cookies_are_secure_wherever_https_is_used() -> None:
    assert is_secure("nas.lan", https=True)


def test_cookies_work_by_http_at_another_address() -> None:
    assert not is_secure("nas.lan")
