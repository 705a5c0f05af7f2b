"""The rules of our authorization server where they are stricter than django-oauth-toolkit's."""

from __future__ import annotations

import hashlib
from typing import Any, Final, TypeAlias
from uuid import UUID

from django.core.cache import cache
from oauth2_provider.models import Grant, RefreshToken
from oauth2_provider.oauth2_validators import OAuth2Validator
from oauthlib.oauth2.rfc6749.errors import CustomOAuth2Error, InvalidGrantError

from memsite.accounts.oauth.discovery import SCOPES, get_resource, is_our_resource
from memsite.accounts.oauth.programs import lock_connection

#: A request of oauthlib, or a row of the library: neither has types.
Untyped: TypeAlias = Any

#: Seconds for which a redeemed code is remembered, so that its second use ends what its first one began.
_CODE_MEMORY: Final = 600


class Validator(OAuth2Validator):  # type: ignore[misc]  # the library has no types
    """Codes are hashed and used once, tokens are for our resource, and need an active, connected person."""

    def _load_application(self, client_id: str, request: Untyped) -> Untyped:
        # PostgreSQL takes no NUL, and the library expects another error of that than psycopg raises.
        return None if "\x00" in (client_id or "") else super()._load_application(client_id, request)

    def validate_scopes(
        self, _client_id: str, scopes: list[str], _client: object, request: Untyped, *_a: Any, **_k: Any
    ) -> bool:
        """Drop scopes that do not exist here, as RFC 6749 (section 3.3) allows; refuse if none is left."""
        request.scopes = [scope for scope in SCOPES if scope in scopes]
        return bool(request.scopes)

    def validate_code(
        self, client_id: str, code: str, client: Untyped, request: Untyped, *args: Any, **kwargs: Any
    ) -> bool:
        """Check a code. Its second use revokes the tokens of its first one (RFC 6749, section 4.1.2)."""
        request.code = digest_code(code)  # by which every later step of this request finds the grant
        if super().validate_code(client_id, request.code, client, request, *args, **kwargs):
            return bool(request.user.is_active)
        family = cache.get(_name_redeemed(request.code))
        if family:
            RefreshToken.revoke_family(UUID(family))
        return False

    def invalidate_authorization_code(
        self, client_id: str, code: str, request: Untyped, *args: Any, **kwargs: Any
    ) -> None:
        """Delete a code that was redeemed, and remember which tokens it gave."""
        super().invalidate_authorization_code(client_id, code, request, *args, **kwargs)
        cache.set(_name_redeemed(code), str(request.token_family), _CODE_MEMORY)

    def validate_refresh_token(
        self, refresh_token: str, client: Untyped, request: Untyped, *args: Any, **kwargs: Any
    ) -> bool:
        """Check a refresh token, and that its person may still sign in."""
        valid = super().validate_refresh_token(refresh_token, client, request, *args, **kwargs)
        return bool(valid and request.user.is_active)

    def _create_authorization_code(self, request: Untyped, code: dict[str, str], *args: Any) -> Grant:
        # These two are for ID tokens, which this server does not issue.
        request.nonce, request.claims = "", None
        stored = code | {"code": digest_code(code["code"])}
        return super()._create_authorization_code(request, stored, *args)

    def _create_refresh_token(self, request: Untyped, *args: Any) -> RefreshToken:
        row = super()._create_refresh_token(request, *args)
        request.token_family = row.token_family
        return row

    def _save_bearer_token(self, token: dict[str, Any], request: Untyped, *args: Any, **kwargs: Any) -> None:
        # Locked until the tokens are stored, so that a person who disconnects the program misses none.
        if not lock_connection(request.client, owner=request.user):
            raise InvalidGrantError(request=request)
        super()._save_bearer_token(token, request, *args, **kwargs)

    def _check_and_set_request_resource(self, request: Untyped) -> None:
        # In place of the library's check, which would store any resource that a program names.
        requested = [value for name, value in request.decoded_body or [] if name == "resource"]
        if not all(is_our_resource(uri) for uri in requested):
            raise CustomOAuth2Error(
                error="invalid_target", description=f"The only resource is {get_resource()}.", request=request
            )
        request.resource = [get_resource()] if requested else self._get_granted_resource(request)

    def _get_granted_resource(self, request: Untyped) -> list[str]:
        if request.grant_type == "refresh_token":
            return list(request.refresh_token_instance.resource)
        return list(Grant.objects.get(code=request.code, application=request.client).resource)


def digest_code(code: str) -> str:
    """Return the hash under which a code is stored."""
    return hashlib.sha256(code.encode("utf-8", "surrogatepass")).hexdigest()


def _name_redeemed(digest: str) -> str:
    return f"memsite:oauth:redeemed:{digest}"
