"""Identify the sender of a request before its body is read."""

from __future__ import annotations

from io import BytesIO
from typing import Final

from asgiref.typing import HTTPScope
from django.contrib.auth import get_user
from django.contrib.sessions.middleware import SessionMiddleware
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, HttpResponse

from memsite.accounts.authentication import parse_bearer_key, recognise_bearer
from memsite.accounts.keys import KEY_START
from memsite.accounts.oauth import recognise_token
from memsite.errors import NotAuthenticated
from memsite.rest.errors import translate_error
from memsite.rest.throttling import count_request, name_address_caller
from memsite.serving.streaming import run_in_stream_thread

#: Where tokens of OAuth are valid.
_RESOURCE: Final = "/mcp"
_sessions: Final = SessionMiddleware(lambda _request: HttpResponse())


async def identify_caller(scope: HTTPScope) -> str:
    """Return the id of the person whose key, token or session a request carries.

    Raises:
        NotAuthenticated: If it carries none. This counts against the rate limit of the client's address.
        TooManyRequests: If that limit is exceeded.
        Unavailable: If the database does not answer.
    """
    return await run_in_stream_thread(_identify, scope)


def _identify(scope: HTTPScope) -> str:
    request = ASGIRequest(scope, BytesIO())
    try:
        return _person(request)
    except NotAuthenticated:
        count_request(name_address_caller(request.META.get("REMOTE_ADDR", "")))
        raise
    except Exception as error:
        translated = translate_error(error)
        raise translated or error from error


def _person(request: HttpRequest) -> str:
    header = request.headers.get("Authorization", "")
    token = parse_bearer_key(header) or ""
    if token and not token.startswith(KEY_START) and request.path == _RESOURCE:
        return str(recognise_token(token).owner.pk)
    if header:
        return str(recognise_bearer(header, None, may_be_recent=True).person)
    _sessions.process_request(request)
    user = get_user(request)
    if not user.is_authenticated:
        raise NotAuthenticated("Sign in, or send an API key, before you send so much.")
    return str(user.pk)
