"""Credentials in HTTP headers, cookies, command lines and network configuration."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from typing import Final

from memories.gate.matches import SecretMatch
from memories.gate.secrets.values import is_generated, is_template

_BEARER: Final = re.compile(r"\b(?i:bearer|token|apikey|jwt)[ \t]{1,4}([A-Za-z0-9._~+/-]{16,4000}+={0,2})")
_LONG_WORD: Final = re.compile(r"[A-Za-z0-9]{24,}")  # longer than the words of a language
_BASIC: Final = re.compile(r"\b(?i:basic)[ \t]{1,4}([A-Za-z0-9+/_-]{6,2000}+={0,2})")
_COOKIE: Final = re.compile(
    r"(?i:\b(?:php|j|asp\.net_|laravel_|_gitlab_|connect\.|auth_|user_)?(?:sessionid|session_id|session|sessid|sid))"
    r"=([A-Za-z0-9%._~+/-]{16,4000}+)"
)
_AZURE: Final = re.compile(
    r"(?i:accountkey|sharedaccesskey|sharedaccesssignature|sharedsecret)=([A-Za-z0-9+/%=&_.:-]{16,500}+)"
)
_SERVICE_ACCOUNT: Final = re.compile(r"\\?\"private_key_id\\?\"\s{0,4}:\s{0,4}\\?\"([0-9a-f]{40})")

KINDS: Final = (
    "bearer_token",
    "basic_credentials",
    "session_cookie",
    "azure_key",
    "gcp_service_account",
)


def find_headers(text: str, lower: str) -> Iterator[SecretMatch]:
    """Yield the values of `Authorization: Bearer …` and similar. `lower` is the text in lower case."""
    if "bearer" in lower or "token" in lower or "apikey" in lower or "jwt" in lower:
        yield from _checked("bearer_token", _BEARER, text)
    if "basic" in lower:
        yield from _basic(text)
    if "sess" in lower or "sid=" in lower:
        yield from _checked("session_cookie", _COOKIE, text)
    if "accountkey" in lower or "shared" in lower:
        yield from _plain("azure_key", _AZURE, text)
    if "private_key_id" in lower:
        yield from _plain("gcp_service_account", _SERVICE_ACCOUNT, text)


def _plain(kind: str, pattern: re.Pattern[str], text: str) -> Iterator[SecretMatch]:
    for match in pattern.finditer(text):
        if not is_template(match.group(1)):
            yield SecretMatch(kind, match.start(1), match.end(1))


def _checked(kind: str, pattern: re.Pattern[str], text: str) -> Iterator[SecretMatch]:
    for match in pattern.finditer(text):
        if is_generated(match.group(1)) or _LONG_WORD.fullmatch(match.group(1)):
            yield SecretMatch(kind, match.start(1), match.end(1))


def _basic(text: str) -> Iterator[SecretMatch]:
    """Yield base64 of `user:password`, and nothing else that may follow the word "basic"."""
    for match in _BASIC.finditer(text):
        encoded = match.group(1).rstrip("=").replace("-", "+").replace("_", "/")
        try:
            decoded = base64.b64decode(encoded + "=" * (-len(encoded) % 4), validate=True).decode()
        except (binascii.Error, UnicodeDecodeError):
            continue
        if ":" in decoded and decoded.isprintable():
            yield SecretMatch("basic_credentials", match.start(1), match.end(1))
