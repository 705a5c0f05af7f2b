"""Check webhooks by the rules of Standard Webhooks."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from collections.abc import Mapping
from typing import Any, Final

from memsite.errors import WebhookInvalid

#: Seconds that a webhook's clock may differ from ours: the standard's value.
TOLERANCE: Final = 300
_PREFIX: Final = "whsec_"


def verify(
    body: bytes | str,
    headers: Mapping[str, str],
    secret: str,
    *,
    tolerance: int = TOLERANCE,
    now: float | None = None,
) -> Any:
    """Return the content of a webhook that Memsite has signed.

    Args:
        body: As it was received, before any parsing.
        headers: With `webhook-id`, `webhook-timestamp` and `webhook-signature`, in any case of letters.
        secret: `whsec_…`
        tolerance: Seconds that the clocks may differ.
        now: Seconds since 1970; by default the time of this machine.

    Raises:
        WebhookInvalid: The signature is of another secret or content, or too old, or the content is not
            JSON.
    """
    content = body.encode() if isinstance(body, str) else body
    named = {name.lower(): value for name, value in headers.items()}
    try:
        identifier, sent_at = named["webhook-id"], named["webhook-timestamp"]
        signatures = named["webhook-signature"].split()
    except KeyError as error:
        raise WebhookInvalid(f"the header {error} is missing") from error
    if not sent_at.isdecimal() or abs((time.time() if now is None else now) - int(sent_at)) > tolerance:
        raise WebhookInvalid("the webhook is too old, or the clocks differ")
    expected = _sign(f"{identifier}.{sent_at}.".encode() + content, secret)
    if not any(hmac.compare_digest(given.encode(), expected) for given in signatures):
        raise WebhookInvalid("the signature is not valid")
    try:
        return json.loads(content)
    except ValueError as error:
        raise WebhookInvalid("the content is not JSON") from error


def _sign(content: bytes, secret: str) -> bytes:
    try:
        key = base64.b64decode(secret.removeprefix(_PREFIX), validate=True)
    except binascii.Error as error:
        raise WebhookInvalid("the secret is not one of Memsite's") from error
    return b"v1," + base64.b64encode(hmac.new(key, content, hashlib.sha256).digest())
