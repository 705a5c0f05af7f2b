"""Secrets of second factors are encrypted where they are stored."""

from __future__ import annotations

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, hotp_value, yield_hotp_counters_from_time
from pytest_django import Settings

from memsite.accounts.models import User
from memsite.accounts.signing.mfa import MfaAdapter
from memsite.errors import Unavailable

SECRET = "JBSWY3DPEHPK3PXP"


def test_stored_secret_is_not_the_secret(alice: User) -> None:
    TOTP.activate(alice, SECRET)
    stored = Authenticator.objects.get(user=alice).data["secret"]
    assert SECRET not in stored
    assert MfaAdapter().decrypt(stored) == SECRET


@pytest.mark.parametrize("encrypted", [False, True])
def test_code_of_a_plain_and_of_an_encrypted_secret_is_right(alice: User, *, encrypted: bool) -> None:
    secret = MfaAdapter().encrypt(SECRET) if encrypted else SECRET
    row = Authenticator.objects.create(user=alice, type=Authenticator.Type.TOTP, data={"secret": secret})
    counter = next(iter(yield_hotp_counters_from_time()))
    assert row.wrap().validate_code(format_hotp_value(hotp_value(SECRET, counter)))


def test_secret_of_another_site_key_is_not_read(settings: Settings) -> None:
    stored = MfaAdapter().encrypt(SECRET)
    settings.SECRET_KEY = "another"
    with pytest.raises(Unavailable):
        MfaAdapter().decrypt(stored)


def test_secret_of_a_former_site_key_is_read(settings: Settings) -> None:
    stored = MfaAdapter().encrypt(SECRET)
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another"
    assert MfaAdapter().decrypt(stored) == SECRET
