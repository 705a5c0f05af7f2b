"""Sign what is sent, by Standard Webhooks 1.0.0, and keep the secrets encrypted."""

from __future__ import annotations

import base64
import hashlib
import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.utils.encoding import force_bytes
from standardwebhooks import Webhook as Signer

from memsite.errors import Unavailable
from memsite.events.models import Webhook

_PREFIX: Final = "whsec_"
_SECRET_BYTES: Final = 32
#: For how long the previous secret signs beside a new one.
ROTATION: Final = timedelta(hours=24)


def make_secret() -> str:
    """Return a new secret."""
    return _PREFIX + base64.b64encode(secrets.token_bytes(_SECRET_BYTES)).decode()


def encrypt_secret(secret: str) -> str:
    """Return a secret as it is stored: Fernet, under a key that is derived from the site's."""
    return _cipher().encrypt(secret.encode()).decode()


def list_secrets(webhook: Webhook, at: datetime) -> list[str]:
    """Return the secrets that sign at this time, the present one first.

    Raises:
        Unavailable: If the site's secret key has changed since they were stored.
    """
    stored = [webhook.secret]
    if webhook.previous_secret and webhook.previous_until and at < webhook.previous_until:
        stored.append(webhook.previous_secret)
    try:
        return [_cipher().decrypt(one).decode() for one in stored]
    except InvalidToken:
        message = "The webhook's secret cannot be read: the site's secret key has changed. Make a new secret."
        raise Unavailable(message) from None


def sign_message(message_id: str, at: datetime, body: str, secrets: Sequence[str]) -> dict[str, str]:
    """Return the headers that identify and sign a message.

    Args:
        message_id: The same in all attempts.
        at: The time of the attempt, in UTC.
        body: The text whose UTF-8 bytes are sent.
        secrets: Each adds a signature.
    """
    signatures = [Signer(secret).sign(message_id, at, body) for secret in secrets]
    return {
        "webhook-id": message_id,
        "webhook-timestamp": str(int(at.timestamp())),
        "webhook-signature": " ".join(signatures),
    }


def _cipher() -> MultiFernet:
    """Return a cipher that encrypts under MEMSITE_SECRET_KEY; it also decrypts under the fallback keys."""
    return MultiFernet([_fernet(key) for key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)])


def _fernet(secret: str | bytes) -> Fernet:
    # The site's secret is as strong as a key already; the prefix separates this use from others.
    digest = hashlib.sha256(b"memsite.events.webhooks:" + force_bytes(secret)).digest()
    return Fernet(base64.urlsafe_b64encode(digest))
