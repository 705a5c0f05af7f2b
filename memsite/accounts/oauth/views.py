"""The addresses of the authorization server. All but the consent page are for programs."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, Final, cast
from urllib.parse import parse_qsl, urlencode, urlsplit

from allauth.account import app_settings as allauth_settings
from allauth.account.authentication import get_authentication_records
from allauth.account.internal.flows.reauthentication import get_reauthentication_flows
from csp.decorators import csp_update
from django.conf import settings
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods
from oauth2_provider.exceptions import FatalClientError, OAuthToolkitError
from oauth2_provider.models import Application as Client
from oauth2_provider.oauth2_backends import get_oauthlib_core
from oauthlib.oauth2.rfc6749.errors import CustomOAuth2Error, InvalidRequestError, OAuth2Error

from memsite.accounts.audit import record_own
from memsite.accounts.models import Scope, User
from memsite.accounts.oauth.clients import RegistrationRefused, count_registration, register_client
from memsite.accounts.oauth.discovery import (
    describe_resource,
    describe_server,
    get_resource,
    is_loopback,
    is_oauth_on,
    is_our_resource,
)
from memsite.accounts.oauth.programs import connect_program, get_client_host, name_client
from memsite.errors import InvalidInput, NotFound, TooManyRequests

View = Callable[[HttpRequest], HttpResponse]

#: A SHA-256 in base64url without padding (RFC 7636, section 4.2).
_CHALLENGE: Final = re.compile(r"[A-Za-z0-9_-]{43}")
_BAD_ESCAPE: Final = re.compile(r"%(?![0-9A-Fa-f]{2})")


class ProgramRedirect(HttpResponseRedirect):
    """A redirect to a URI that a program registered."""

    allowed_schemes = ["https", "http", "cursor"]


@dataclass(frozen=True, slots=True)
class AuthorizationRequest:
    """The request of a program that sent a person's browser to this page.

    Attributes:
        credentials: The request as oauthlib takes it back.
    """

    client: Client
    redirect_uri: str
    scopes: list[str]
    credentials: dict[str, Any]


def only_with_oauth(view: View) -> View:
    """Answer 404 where the site has no OAuth."""

    @wraps(view)
    def guarded(request: HttpRequest) -> HttpResponse:
        if not is_oauth_on():
            raise NotFound("Programs cannot connect by OAuth here.")
        if _BAD_ESCAPE.search(request.META.get("QUERY_STRING", "")):
            raise InvalidInput("The address has a % that is not followed by two hexadecimal digits.")
        return view(request)

    return guarded


def for_programs(*methods: str) -> Callable[[View], View]:
    """Make a view for programs: pages of any origin may call it, and it ignores cookies and sessions."""

    def decorate(view: View) -> View:
        @csrf_exempt
        @only_with_oauth
        @require_http_methods([*methods, "OPTIONS"])
        @wraps(view)
        def opened(request: HttpRequest) -> HttpResponse:
            response = HttpResponse(status=204) if request.method == "OPTIONS" else view(request)
            response["Access-Control-Allow-Origin"] = "*"
            response["Access-Control-Allow-Methods"] = ", ".join(methods)
            response["Access-Control-Allow-Headers"] = "authorization, content-type, mcp-protocol-version"
            return response

        return opened

    return decorate


@for_programs("GET", "HEAD")
def resource_metadata(_request: HttpRequest) -> HttpResponse:
    """Describe the protected resource."""
    return JsonResponse(describe_resource())


@for_programs("GET", "HEAD")
def server_metadata(_request: HttpRequest) -> HttpResponse:
    """Describe the authorization server."""
    return JsonResponse(describe_server())


@for_programs("POST")
def register(request: HttpRequest) -> HttpResponse:
    """Register a program."""
    try:
        count_registration(request.META.get("REMOTE_ADDR", ""))
        answer = JsonResponse(register_client(request.body), status=201)
    except RegistrationRefused as error:
        answer = JsonResponse({"error": error.code, "error_description": str(error)}, status=400)
    except TooManyRequests as error:
        answer = JsonResponse({"error": error.code, "error_description": error.message}, status=error.status)
        answer["Retry-After"] = str(error.retry_after)
    answer["Cache-Control"] = "no-store"
    return answer


@for_programs("POST")
def token(request: HttpRequest) -> HttpResponse:
    """Issue tokens in exchange for a code or a refresh token."""
    _uri, headers, body, status = get_oauthlib_core().create_token_response(request)
    return _answer_json(body, status, headers)


@for_programs("POST")
def revoke(request: HttpRequest) -> HttpResponse:
    """Revoke a token at the request of its program."""
    _uri, headers, body, status = get_oauthlib_core().create_revocation_response(request)
    return _answer_json(body or "", status, headers)


def _answer_json(body: str, status: int, headers: dict[str, str]) -> HttpResponse:
    # Errors that the library raises late come without a type.
    defaults = {"Content-Type": "application/json", "Cache-Control": "no-store"}
    return HttpResponse(body, status=status, headers=defaults | headers)


@only_with_oauth
@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def authorize(request: HttpRequest) -> HttpResponse:
    """Show a person what a program requests, or send their answer to the program."""
    try:
        requested = read_request(request)
        is_refused = request.method == "POST" and request.POST.get("answer") != "allow"
        if not is_refused and not _has_signed_in_recently(request):
            query = urlencode({REDIRECT_FIELD_NAME: request.get_full_path()})
            return HttpResponseRedirect(f"{reverse('account_reauthenticate')}?{query}")
        if request.method == "POST":
            return ProgramRedirect(add_issuer(_answer(request, requested)))
    except FatalClientError as error:
        facts = {"error": error.oauthlib_error}
        return render(request, "oauth/refused.html", facts, status=400)
    except OAuthToolkitError as error:
        return ProgramRedirect(add_issuer(error.oauthlib_error.in_uri(error.oauthlib_error.redirect_uri)))
    return _show_consent(request, requested)


def read_request(request: HttpRequest) -> AuthorizationRequest:
    """Return the request of a program for access.

    Raises:
        FatalClientError: If the program or its redirect URI is not registered: nobody is to be sent there.
        OAuthToolkitError: For another error, which is sent to the program.
    """
    scopes, credentials = get_oauthlib_core().validate_authorization_request(request)
    resources = request.GET.getlist("resource")
    error: OAuth2Error | None = None
    challenge, method = credentials["code_challenge"], credentials["code_challenge_method"]
    if method != "S256" or not _CHALLENGE.fullmatch(challenge):
        error = InvalidRequestError(description="code_challenge needs the method S256.")
    elif not all(is_our_resource(uri) for uri in resources):
        error = CustomOAuth2Error("invalid_target", description=f"The only resource is {get_resource()}.")
    if error is not None:
        error.state = credentials["state"]
        raise OAuthToolkitError(error=error, redirect_uri=credentials["redirect_uri"])
    credentials["resource"] = [get_resource()] if resources else []
    client = credentials["request"].client
    return AuthorizationRequest(client, credentials["redirect_uri"], scopes, credentials)


@transaction.atomic
def _answer(request: HttpRequest, requested: AuthorizationRequest) -> str:
    """Store a person's answer. Return the URI that passes it on to the program."""
    allowed = request.POST.get("answer") == "allow"
    scopes = requested.scopes
    if request.POST.get("read_only") and Scope.READ in scopes:
        scopes = [str(Scope.READ)]
    uri, _headers, _body, _status = get_oauthlib_core().create_authorization_response(
        request, scopes, requested.credentials, allowed
    )
    person = cast("User", request.user)
    program = connect_program(requested.client, owner=person)
    record_own(request, person, "connect program", "programs", [program.pk])
    return str(uri)


def _has_signed_in_recently(request: HttpRequest) -> bool:
    """Return whether a person signed in, or confirmed who they are, a few minutes ago.

    Somebody who finds a browser that is signed in must not be able to connect a program of their own.
    People who sign in elsewhere alone, without a password here, have no way to confirm it.
    """
    if not get_reauthentication_flows(request.user):
        return True
    last = max((one["at"] for one in get_authentication_records(request, request.user)), default=0.0)
    return bool(time.time() - last < allauth_settings.REAUTHENTICATION_TIMEOUT)


def add_issuer(uri: str) -> str:
    """Return an answer's URI with our issuer in `iss`, by which a program knows who answers (RFC 9207)."""
    url = urlsplit(uri)
    query = [pair for pair in parse_qsl(url.query, keep_blank_values=True) if pair[0] != "iss"]
    return url._replace(query=urlencode([*query, ("iss", settings.MEMSITE_PUBLIC_URL)])).geturl()


def _show_consent(request: HttpRequest, requested: AuthorizationRequest) -> HttpResponse:
    redirect = urlsplit(requested.redirect_uri)
    facts = {
        "name": name_client(requested.client),
        "client_host": get_client_host(requested.client),
        "redirect_host": redirect.hostname,
        "redirect_scheme": "" if redirect.scheme in {"https", "http"} else redirect.scheme,
        "is_this_machine": redirect.scheme == "http" and is_loopback(redirect.hostname or ""),
        "can_read": Scope.READ in requested.scopes,
        "can_write": Scope.WRITE in requested.scopes,
        "can_choose": {Scope.READ, Scope.WRITE} <= set(requested.scopes),
    }
    page = render(request, "oauth/consent.html", facts)
    # Browsers apply form-action to the redirect that follows, and to those by which the program goes on.
    targets = {"form-action": [*_name_targets(requested.redirect_uri), "https:"]}
    return cast("HttpResponse", csp_update(targets)(lambda _request: page)(request))


def _name_targets(redirect_uri: str) -> list[str]:
    """Return the sources of a Content-Security-Policy that cover a redirect."""
    url = urlsplit(redirect_uri)
    if url.scheme == "https":
        return []
    if url.scheme != "http" or ":" in (url.hostname or ""):  # the policy has no form for IPv6 addresses
        return [f"{url.scheme}:"]
    return [f"http://{url.netloc}"]
