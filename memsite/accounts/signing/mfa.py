"""Second factors: their secrets are encrypted where they are stored."""

from __future__ import annotations

import base64
import hashlib
from typing import Final

from allauth.mfa.adapter import DefaultMFAAdapter
from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.utils.encoding import force_bytes

from memsite.errors import Unavailable

#: What an encrypted secret starts with. Secrets from before stand in plain base32, which has no colon.
_MARK: Final = "fernet:"


class MfaAdapter(DefaultMFAAdapter):  # type: ignore[misc]  # allauth has no type information
    """Named by the setting MFA_ADAPTER."""

    def encrypt(self, text: str) -> str:
        """The secret as it is stored: Fernet (AES-128-CBC with HMAC-SHA-256), under a key of the site."""
        return _MARK + _cipher().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """The secret itself; one stored in plain as it is.

        Raises Unavailable when the site's secret key is another one now: an empty secret in its place
        would have codes that anybody can compute.
        """
        if not encrypted_text.startswith(_MARK):
            return encrypted_text
        try:
            return _cipher().decrypt(encrypted_text.removeprefix(_MARK)).decode()
        except InvalidToken:
            said = "The second factor cannot be read: the site's secret key has changed."
            raise Unavailable(said) from None


def _cipher() -> MultiFernet:
    """Encrypts under MEMSITE_SECRET_KEY; reads under Django's fallback keys too."""
    return MultiFernet([_fernet(key) for key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)])


def _fernet(secret: str | bytes) -> Fernet:
    # The site's secret has the strength of a key already; the prefix keeps this use apart from others.
    digest = hashlib.sha256(b"memsite.accounts.signing.mfa:" + force_bytes(secret)).digest()
    return Fernet(base64.urlsafe_b64encode(digest))
