"""Encrypt the secrets of second factors in the database."""

from __future__ import annotations

import base64
import hashlib
from typing import Final

from allauth.mfa.adapter import DefaultMFAAdapter
from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.utils.encoding import force_bytes

from memsite.errors import Unavailable

#: Prefix of an encrypted secret. Older secrets are plain base32, which has no colon.
_MARK: Final = "fernet:"
_USE: Final = b"memsite.accounts.signing.mfa"


class MfaAdapter(DefaultMFAAdapter):  # type: ignore[misc]  # allauth has no type information
    """allauth's adapter for second factors, named by the setting MFA_ADAPTER."""

    def encrypt(self, text: str) -> str:
        """Return the secret as stored: Fernet (AES-128-CBC with HMAC-SHA-256), under a key derived from the
        site's.
        """
        return _MARK + make_cipher(_USE).encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """Return the secret itself; one stored in plain is returned unchanged.

        Raises:
            Unavailable: If the site's secret key has changed. An empty secret instead would have codes that
                anybody can compute.
        """
        if not encrypted_text.startswith(_MARK):
            return encrypted_text
        try:
            return make_cipher(_USE).decrypt(encrypted_text.removeprefix(_MARK)).decode()
        except InvalidToken:
            message = "The second factor cannot be read: the site's secret key has changed."
            raise Unavailable(message) from None


def make_cipher(use: bytes) -> MultiFernet:
    """Return a cipher that encrypts under MEMSITE_SECRET_KEY; it also decrypts under the fallback keys.

    Args:
        use: What is encrypted. What is encrypted for one use cannot be decrypted for another.
    """
    return MultiFernet([_fernet(key, use) for key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)])


def _fernet(secret: str | bytes, use: bytes) -> Fernet:
    # The site's secret is as strong as a key already; the prefix separates one use from others.
    digest = hashlib.sha256(use + b":" + force_bytes(secret)).digest()
    return Fernet(base64.urlsafe_b64encode(digest))
