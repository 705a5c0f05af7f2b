"""The API's exception handler: every error answer is `{"code", "message", "detail"}`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import structlog
from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.db import InterfaceError, OperationalError
from django.http import Http404
from pydantic import ValidationError
from rest_framework.exceptions import APIException
from rest_framework.response import Response

from memsite.errors import (
    InvalidInput,
    MemsiteError,
    NotAllowed,
    NotFound,
    TooLarge,
    TooManyRequests,
    Unavailable,
)
from memsite.serving.postgres import is_disk_full

log = structlog.get_logger("memsite.rest")

_CODES: Final = {
    400: "invalid",
    401: "not_authenticated",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    406: "not_acceptable",
    415: "unsupported_media_type",
}


def translate_error(error: Exception) -> MemsiteError | None:
    """Convert an error to our own error class; return None for a bug."""
    if isinstance(error, MemsiteError):
        return error
    for kind, translation in _TRANSLATIONS:
        if isinstance(error, kind):
            return translation(error)
    return None


def convert_validation_error(error: ValidationError) -> InvalidInput:
    """Convert pydantic's errors to `{"field.path": "what is wrong"}`, without the values."""
    detail = {
        ".".join(str(part) for part in finding["loc"]) or "body": _sentence(finding)
        for finding in error.errors(include_url=False, include_input=False, include_context=False)
    }
    first = next(iter(detail.items()))
    return InvalidInput(f"{first[0]}: {first[1]}", detail)


def _sentence(problem: Any) -> str:  # noqa: ANN401 - pydantic's ErrorDetails
    if problem["type"] == "extra_forbidden":
        return "unknown field"
    return str(problem["msg"]).removeprefix("Value error, ")


def _from_rest_framework(error: APIException) -> MemsiteError:
    translated = MemsiteError(str(error.detail))
    translated.status = error.status_code
    translated.code = _CODES.get(error.status_code, "error")
    return translated


def _database_away(error: Exception) -> Unavailable:
    log.error("database unavailable", error=type(error).__name__)
    if is_disk_full(error):
        return Unavailable("The disk of the database is full, so nothing can be saved until there is space.")
    return Unavailable("The database is not available right now; try again.")


_TRANSLATIONS: Final[tuple[tuple[type[Exception], Callable[[Any], MemsiteError]], ...]] = (
    (ValidationError, convert_validation_error),
    (Http404, lambda _error: NotFound("There is nothing here.")),
    (PermissionDenied, lambda error: NotAllowed(str(error) or "This is not allowed.")),
    (RequestDataTooBig, lambda _error: TooLarge("The request is too large.")),
    (OperationalError, _database_away),
    (InterfaceError, _database_away),
    (APIException, _from_rest_framework),
)


def handle_exception(error: Exception, context: dict[str, Any]) -> Response | None:  # noqa: ARG001 - DRF's signature
    """Handle DRF's exceptions. A bug (None) is passed on to Django, which logs it and answers 500."""
    translated = translate_error(error)
    if translated is None:
        return None
    response = Response(translated.as_json(), status=translated.status)
    if translated.status == 401:  # noqa: PLR2004 - the status that asks for credentials
        response["WWW-Authenticate"] = "Bearer"
    if isinstance(translated, TooManyRequests):
        response["Retry-After"] = str(translated.retry_after)
    return response
