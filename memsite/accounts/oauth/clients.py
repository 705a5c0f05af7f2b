"""Registrations of programs: by themselves (RFC 7591), or by a document that they publish (CIMD).

Both ways take the same metadata. Programs list what they could do with other servers, too, so what this
server does not offer is dropped where the rest suffices: grants other than codes and refresh tokens, and
`private_key_jwt` where the metadata list `none` beside it. django-oauth-toolkit would refuse such programs.
"""

from __future__ import annotations

import re
import ssl
from typing import Any, Final, TypeGuard
from urllib.parse import urlsplit

import orjson
import urllib3
from django.conf import settings
from django.core.exceptions import ValidationError
from django.urls import reverse
from oauth2_provider import cimd
from oauth2_provider.generators import generate_client_secret
from oauth2_provider.models import Application as Client

from memsite.accounts.names import is_blank
from memsite.accounts.oauth.discovery import AUTH_METHODS, GRANT_TYPES, SCOPES, is_loopback
from memsite.errors import TooManyRequests
from memsite.rest.throttling import count_within, name_address_caller

#: Registrations that one address may cause in an hour, in either way.
MOST_REGISTRATIONS: Final = 20
_HOUR: Final = 3600
_LONGEST_BODY: Final = 64 * 1024
_MOST_REDIRECTS: Final = 20
_LONGEST_NAME: Final = 100
#: A URI of visible ASCII characters, without user information, fragment and backslash.
_PLAIN_URI: Final = re.compile(r"[!-~]{1,1000}")


class RegistrationRefused(Exception):
    """The metadata of a program cannot be registered.

    Attributes:
        code: Of RFC 7591: `invalid_redirect_uri` or `invalid_client_metadata`.
    """

    def __init__(self, code: str, description: str) -> None:
        super().__init__(description)
        self.code = code


def register_client(body: bytes) -> dict[str, Any]:
    """Register a program that describes itself. Return the answer of RFC 7591.

    Raises:
        RegistrationRefused: If the description is invalid.
    """
    metadata = repair_metadata(_read_body(body))
    method = metadata.get("token_endpoint_auth_method", "client_secret_basic")
    if method not in AUTH_METHODS:
        raise _invalid(f"token_endpoint_auth_method is one of {', '.join(AUTH_METHODS)}")
    if "authorization_code" not in metadata["grant_types"]:
        raise _invalid("grant_types must include authorization_code")
    secret = "" if method == "none" else generate_client_secret()
    client = _save_client(metadata, secret)
    answer = {
        "client_id": client.client_id,
        "client_id_issued_at": int(client.created.timestamp()),
        "client_name": client.name,
        "redirect_uris": metadata["redirect_uris"],
        "grant_types": list(GRANT_TYPES),
        "response_types": ["code"],
        "token_endpoint_auth_method": method,
        "scope": " ".join(SCOPES),
    }
    return answer | ({"client_secret": secret, "client_secret_expires_at": 0} if secret else {})


def count_registration(address: str) -> None:
    """Count a registration that an address causes. Raises TooManyRequests above 20 in an hour."""
    count_within(f"registrations:{name_address_caller(address)}", MOST_REGISTRATIONS, _HOUR)


def repair_metadata(metadata: dict[str, Any]) -> dict[str, Any]:
    """Return a program's metadata without what this server does not offer, if the rest suffices.

    Raises:
        RegistrationRefused: If redirects, grants or the name have the wrong form, or a redirect is not
            allowed.
    """
    redirects = metadata.get("redirect_uris")
    if not _is_text_list(redirects) or not 0 < len(redirects) <= _MOST_REDIRECTS:
        raise RegistrationRefused(
            "invalid_redirect_uri", f"redirect_uris is an array of 1 to {_MOST_REDIRECTS} strings"
        )
    for uri in redirects:
        check_redirect(uri)
    grants = metadata.get("grant_types", ["authorization_code"])
    name = metadata.get("client_name", "")
    if not _is_text_list(grants) or not isinstance(name, str):
        raise _invalid("grant_types is an array of strings, and client_name a string")
    repaired = {
        "grant_types": [grant for grant in grants if grant in GRANT_TYPES],
        "client_name": clean_name(name),
    }
    method = metadata.get("token_endpoint_auth_method", "none")
    offered = metadata.get("token_endpoint_auth_methods_supported")
    if method not in AUTH_METHODS and isinstance(offered, list) and "none" in offered:
        repaired |= {"token_endpoint_auth_method": "none"}
    return metadata | repaired


def check_redirect(uri: str) -> None:
    """Check that a program may have people sent to a URI: https, loopback over http, or `cursor://`.

    Raises:
        RegistrationRefused: If it may not.
    """
    if not _PLAIN_URI.fullmatch(uri) or set("#@\\") & set(uri) or not _is_redirect_target(uri):
        raise RegistrationRefused(
            "invalid_redirect_uri",
            "redirect URIs begin with https://, http:// and a loopback host, or cursor://",
        )


def _is_redirect_target(uri: str) -> bool:
    try:
        url = urlsplit(uri)
        host, _port = url.hostname or "", url.port
    except ValueError:
        return False
    return bool(host) and (url.scheme in {"https", "cursor"} or (url.scheme == "http" and is_loopback(host)))


def clean_name(name: str) -> str:
    """Return a program's name on one line, without characters that hide or reorder text beside it."""
    shown = " ".join("".join(sign if sign.isprintable() else " " for sign in name).split())
    return "" if is_blank(shown) else shown[:_LONGEST_NAME]


def _read_body(body: bytes) -> dict[str, Any]:
    if len(body) > _LONGEST_BODY:
        raise _invalid("the metadata are too long")
    try:
        metadata = orjson.loads(body)
    except orjson.JSONDecodeError:
        raise _invalid("the body is not JSON") from None
    if not isinstance(metadata, dict):
        raise _invalid("the body is not a JSON object")
    return metadata


def _save_client(metadata: dict[str, Any], secret: str) -> Client:
    client = Client(
        name=metadata["client_name"],
        redirect_uris=" ".join(metadata["redirect_uris"]),
        client_type=Client.CLIENT_CONFIDENTIAL if secret else Client.CLIENT_PUBLIC,
        client_secret=secret,
        hash_client_secret=bool(secret),  # an empty one would become the hash of an empty password
        authorization_grant_type=Client.GRANT_AUTHORIZATION_CODE,
        registration_source=Client.RegistrationSource.DCR,
    )
    try:
        client.full_clean()
    except ValidationError as error:
        raise RegistrationRefused("invalid_redirect_uri", "; ".join(error.messages)) from None
    client.save()
    return client


def _is_text_list(value: object) -> TypeGuard[list[str]]:
    return isinstance(value, list) and all(isinstance(entry, str) for entry in value)


def _invalid(description: str) -> RegistrationRefused:
    return RegistrationRefused("invalid_client_metadata", description)


class DocumentFetcher(cimd.SafeMetadataFetcher):  # type: ignore[misc]  # the library has no types
    """Fetch the document that a client id is the URL of, and repair it.

    The library connects to public addresses only, checked after they were resolved, and follows no redirect.
    Hosts that the operator names in MEMSITE_OAUTH_HOSTS may have other addresses.
    """

    def fetch(self, client_id: str) -> tuple[dict[str, Any], int]:
        """Return the document and the seconds for which it stays valid.

        Raises:
            CIMDError: If it cannot be fetched, or registers nothing that this server offers.
        """
        # People trust a program by the host in its id: letters of other scripts may look like other hosts.
        if not _PLAIN_URI.fullmatch(client_id) or "\\" in client_id:
            raise cimd.CIMDError("client_id URL must consist of visible ASCII characters, with no backslash")
        is_named = urlsplit(client_id).netloc.lower() in settings.MEMSITE_OAUTH_HOSTS
        try:
            document, seconds = (self._fetch_allowed if is_named else super().fetch)(client_id)
            return repair_metadata(document), seconds
        except RegistrationRefused as error:
            raise cimd.CIMDError(str(error)) from None
        except RecursionError:
            raise cimd.CIMDError("client_id document is nested too deeply") from None

    def _fetch_allowed(self, client_id: str) -> tuple[dict[str, Any], int]:
        """Fetch a document from a host that the operator named, whatever its address."""
        timeout = urllib3.Timeout(total=5)
        with urllib3.PoolManager(
            ssl_context=ssl.create_default_context(), timeout=timeout, retries=False
        ) as pool:
            try:
                response = pool.request("GET", client_id, redirect=False, preload_content=False)
                found: tuple[dict[str, Any], int] = self._read_document(response)
            except urllib3.exceptions.HTTPError as error:
                raise cimd.CIMDError(f"could not fetch client_id document: {error}") from None
        return found


class DocumentPermission:
    """Whether a document may be fetched: while a person is asked to allow, and 20 times an hour."""

    def has_permission(self, request: Any, _client_id: str) -> bool:  # noqa: ANN401 - oauthlib has no types
        """Return whether a document may be fetched for this request of oauthlib's."""
        if urlsplit(request.uri).path != reverse("oauth_authorize"):
            return False
        try:
            count_registration(request.headers.get("REMOTE_ADDR", ""))
        except TooManyRequests:
            return False
        return True
