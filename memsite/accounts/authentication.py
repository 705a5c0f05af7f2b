"""Authenticate callers: a program by its API key, a person by the site's session."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.request import Request

from memsite.accounts.applications import get_end_user
from memsite.accounts.audit import get_address
from memsite.accounts.keys import recognise_key, recognise_recent_key
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


@dataclass(frozen=True, slots=True)
class BearerCaller:
    """The sender of a request with a bearer token.

    Attributes:
        user: The user whom the request acts for: the owner of the token, or an end user of an application.
        person: The person whose requests the rate limit counts together.
        name: The name that the person gave the program.
        scopes: What the program may do.
    """

    user: User
    person: UUID
    name: str
    scopes: frozenset[str]


def recognise_bearer(
    header: str, external_id: str | None, *, address: str | None = None, may_be_recent: bool = False
) -> BearerCaller:
    """Return the sender of a request outside of the API's views.

    Args:
        header: The header `Authorization`; "" without one.
        external_id: The header `Memsite-User`; None without one.
        address: IP address of the caller; stored as the token's last one.
        may_be_recent: Whether a key that was valid a minute ago is enough while the database does not answer.

    Raises:
        NotAuthenticated: If the header holds no valid token.
        InvalidInput: If the end user cannot be named so, or the token is not one of an application.
        NotFound: If there is no such end user, and the token may not create it.
        NotAllowed: If the end user was deactivated.
    """
    key = parse_bearer_key(header)
    if key is None:
        raise NotAuthenticated("Send an API key: Authorization: Bearer KEY.")
    if may_be_recent:
        row, _ = recognise_recent_key(key)
    else:
        row = recognise_key(key, address=address)
    user = find_effective_user(row, external_id)
    return BearerCaller(user, row.owner_id, row.name, frozenset(row.scopes))


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
