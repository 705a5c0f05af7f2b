"""Describe the authorization server, and the resource that its tokens are for, to programs.

OAuth exists only where tokens travel encrypted, or do not leave the machine: MEMSITE_PUBLIC_URL is `https`,
or a loopback address. Elsewhere its addresses answer 404.
"""

from __future__ import annotations

import re
from ipaddress import ip_address
from typing import Any, Final
from urllib.parse import urlsplit

from django.conf import settings
from django.urls import reverse

from memsite.accounts.models import Scope

#: What a program may be granted, in the order in which people read it.
SCOPES: Final = (str(Scope.READ), str(Scope.WRITE))
#: How a program may prove to the token endpoint who it is. Public clients prove it by PKCE alone.
AUTH_METHODS: Final = ("none", "client_secret_post", "client_secret_basic")
GRANT_TYPES: Final = ("authorization_code", "refresh_token")

_PORTS: Final = {"https": 443, "http": 80}
_PLAIN_URI: Final = re.compile(r"[!-~]{1,1000}")


def is_oauth_on() -> bool:
    """Return whether programs can connect by OAuth at this site's public URL."""
    url = urlsplit(settings.MEMSITE_PUBLIC_URL)
    return url.scheme == "https" or (url.scheme == "http" and is_loopback(url.hostname or ""))


def is_loopback(host: str) -> bool:
    """Return whether a host is this machine: `localhost`, or an address of 127.0.0.0/8 or ::1."""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def get_resource() -> str:
    """Return the identifier of the resource that access tokens are for (RFC 8707)."""
    return f"{settings.MEMSITE_PUBLIC_URL}/mcp"


def is_our_resource(uri: str) -> bool:
    """Return whether a resource indicator names our `/mcp` and nothing above, below or beside it.

    Only the case of scheme and host, a default port, and one slash at the end may differ.
    """
    parts = _split_resource(uri)
    return parts is not None and parts == _split_resource(get_resource())


def _split_resource(uri: str) -> tuple[str, str, int | None, str] | None:
    if not _PLAIN_URI.fullmatch(uri) or set("?#@\\") & set(uri):
        return None
    try:
        url = urlsplit(uri)
        port = url.port or _PORTS.get(url.scheme)
    except ValueError:
        return None
    return url.scheme, url.hostname or "", port, url.path.removesuffix("/")


def describe_resource() -> dict[str, Any]:
    """Return the metadata of the protected resource (RFC 9728)."""
    return {
        "resource": get_resource(),
        "resource_name": "Memsite",
        "authorization_servers": [settings.MEMSITE_PUBLIC_URL],
        "scopes_supported": list(SCOPES),
        "bearer_methods_supported": ["header"],
    }


def describe_server() -> dict[str, Any]:
    """Return the metadata of the authorization server (RFC 8414)."""
    return {
        "issuer": settings.MEMSITE_PUBLIC_URL,
        "authorization_endpoint": _absolute("oauth_authorize"),
        "token_endpoint": _absolute("oauth_token"),
        "registration_endpoint": _absolute("oauth_register"),
        "revocation_endpoint": _absolute("oauth_revoke"),
        "scopes_supported": list(SCOPES),
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": list(GRANT_TYPES),
        "code_challenge_methods_supported": ["S256"],
        "token_endpoint_auth_methods_supported": list(AUTH_METHODS),
        "revocation_endpoint_auth_methods_supported": list(AUTH_METHODS),
        "client_id_metadata_document_supported": True,
        "authorization_response_iss_parameter_supported": True,
    }


def make_challenge(error: str = "") -> str:
    """Return the `WWW-Authenticate` header of a 401 answer of `/mcp`.

    Args:
        error: `invalid_token` for a request with a credential that is not valid; "" for one without.
    """
    parameters = {"error": error}
    if is_oauth_on():
        parameters["resource_metadata"] = _absolute("oauth_resource_mcp")
        parameters["scope"] = " ".join(SCOPES)
    listed = ", ".join(f'{name}="{value}"' for name, value in parameters.items() if value)
    return f"Bearer {listed}".strip()


def _absolute(route: str) -> str:
    return f"{settings.MEMSITE_PUBLIC_URL}{reverse(route)}"
