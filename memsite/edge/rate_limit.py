"""The rate limit of everything except API views: pages, the admin, sign-in, the API's description."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from django.conf import settings
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from memsite.errors import TooManyRequests
from memsite.rest.throttling import count_request, name_address_caller, name_person_caller
from memsite.rest.views import ApiView
from memsite.web.errors import answer_error

#: Requested every few seconds by supervisors and proxies, which need the true state.
_NOT_COUNTED: Final = frozenset({"/healthz", "/readyz"})


class RateLimitMiddleware:
    """Count each request that `ApiView` does not count: by person if signed in, else by address."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(
        self,
        request: HttpRequest,
        view: Callable[..., HttpResponseBase],
        _arguments: tuple[Any, ...],
        _keywords: dict[str, Any],
    ) -> HttpResponse | None:
        """Return a 429 answer if the limit is exceeded, else None, so that the view answers."""
        if settings.MEMSITE_RATE_LIMIT is None or request.path in _NOT_COUNTED or _counts_itself(view):
            return None
        try:
            count_request(_caller(request))
        except TooManyRequests as error:
            response = answer_error(request, error)
            response["Retry-After"] = str(error.retry_after)
            return response
        except DatabaseError:
            return None  # the view explains better what does not work without the database
        return None


def _counts_itself(view: Callable[..., HttpResponseBase]) -> bool:
    return issubclass(getattr(view, "cls", object), ApiView)


def _caller(request: HttpRequest) -> str:
    if request.user.is_authenticated:
        return name_person_caller(request.user.pk)
    return name_address_caller(request.META.get("REMOTE_ADDR", ""))
