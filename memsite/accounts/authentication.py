"""Authenticate callers: a program by its API key, a person by the site's session."""

from __future__ import annotations

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.request import Request

from memsite.accounts.applications import get_end_user
from memsite.accounts.audit import get_address
from memsite.accounts.keys import recognise_key
from memsite.accounts.models import ApiKey, Scope, User
from memsite.errors import InvalidInput, NotAuthenticated

END_USER_HEADER = "Memsite-User"


class ApiKeyAuthentication(BaseAuthentication):
    """Authenticate by `Authorization: Bearer msk_…`.

    With an application's key, `Memsite-User` names the end user.
    """

    def authenticate(self, request: Request) -> tuple[User, ApiKey] | None:
        key = parse_bearer_key(request.headers.get("Authorization", ""))
        if key is None:
            return None
        row = recognise_key(key, address=get_address(request))
        return find_effective_user(row, request.headers.get(END_USER_HEADER)), row

    def authenticate_header(self, request: Request) -> str:  # noqa: ARG002 - DRF's signature
        return "Bearer"


def parse_bearer_key(header: str) -> str | None:
    """Return the key of an `Authorization` header; None for an empty header.

    Raises:
        NotAuthenticated: If the header is not a bearer key.
    """
    if not header:
        return None
    kind, _, key = header.partition(" ")
    if kind.lower() != "bearer":
        raise NotAuthenticated("Use the header Authorization: Bearer KEY.")
    return key.strip()


def find_effective_user(key: ApiKey, external_id: str | None) -> User:
    """Return the user a key acts for: its owner, or the named end user of its application."""
    if external_id is None:
        return key.owner
    if key.application is None:
        raise InvalidInput(f"{END_USER_HEADER} needs the key of an application; this key has none.")
    return get_end_user(
        key.application, decode_header(external_id), may_create=set(key.scopes) != {Scope.READ}
    )


def decode_header(header: str) -> str:
    """Decode a header as UTF-8 if possible: its bytes arrive as Latin-1, but clients send UTF-8."""
    try:
        return header.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return header


class SiteSessionAuthentication(SessionAuthentication):
    """Authenticate by the signed-in person's session, with the CSRF check of pages."""

    def authenticate(self, request: Request) -> tuple[Any, None] | None:
        found = super().authenticate(request)
        if found is None:
            raise NotAuthenticated("Sign in, or send an API key: Authorization: Bearer KEY.")
        return found


class ApiKeyScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # registers by subclassing
    # Describes API keys in the OpenAPI document.
    target_class = "memsite.accounts.authentication.ApiKeyAuthentication"
    name = "apiKey"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:  # noqa: ANN401, ARG002 - drf-spectacular's signature
        return {"type": "http", "scheme": "bearer"}


class SessionScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # registers by subclassing
    # Describes the session cookie in the OpenAPI document.
    target_class = "memsite.accounts.authentication.SiteSessionAuthentication"
    name = "session"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:  # noqa: ANN401, ARG002 - drf-spectacular's signature
        return {"type": "apiKey", "in": "cookie", "name": "sessionid"}
