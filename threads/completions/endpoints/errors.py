"""Errors in OpenAI's shape: `{"error": {"message", "type", "param", "code"}}`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import structlog
from django.conf import settings

from memsite.errors import MemsiteError, ModelError, NotAuthenticated, TooManyRequests, Unavailable
from memsite.llm.chat import RefusedRequest
from memsite.rest.errors import translate_error
from threads.completions.values import encode_json

_INVALID: Final = "invalid_request_error"
_UPSTREAM: Final = "upstream_error"
_NO_RETRY: Final = {"x-should-retry": "false"}
_BAD_REQUEST: Final = 400
_GATEWAY_TIMEOUT: Final = 504
_BAD_GATEWAY: Final = 502
_TYPES: Final[Mapping[int, str]] = {
    401: "authentication_error",
    403: "permission_error",
    429: "rate_limit_error",
}
_CODES: Final[Mapping[int, str]] = {401: "invalid_api_key", 429: "rate_limit_exceeded"}
_log: Final = structlog.get_logger("threads.completions")


@dataclass(frozen=True, slots=True)
class WireError:
    """An error as it is sent.

    Attributes:
        body: The JSON.
    """

    status: int
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict)


class NoModel(Unavailable):
    """No language model is configured."""

    code = "no_model"


def render_error(error: Exception) -> WireError:
    """Return an error as it is sent. A bug is logged."""
    if isinstance(error, RefusedRequest):
        return _pass_on(error)
    if isinstance(error, ModelError):
        return _render_model_error(error)
    translated = translate_error(error)
    if translated is None:
        _log.error("a request failed", exc_info=error)
        return _make(500, "Something went wrong.", "server_error", "internal")
    headers: dict[str, str] = dict(_NO_RETRY) if isinstance(translated, NoModel) else {}
    if isinstance(translated, TooManyRequests):
        headers["retry-after"] = str(translated.retry_after)
    if isinstance(translated, NotAuthenticated):
        headers["www-authenticate"] = "Bearer"
    kind = _TYPES.get(translated.status, _INVALID if translated.status < 500 else "server_error")  # noqa: PLR2004 - HTTP's
    return _make(
        translated.status,
        translated.message,
        kind,
        _CODES.get(translated.status, translated.code),
        _find_field(translated),
        headers,
    )


def describe_error(error: Exception) -> dict[str, Any]:
    """Return the body of an error, for the event of a stream that has begun."""
    body = render_error(error).body
    try:
        found = json.loads(body)
    except ValueError:
        found = None
    if isinstance(found, dict) and "error" in found:
        return found
    return {"error": {"message": str(error), "type": _UPSTREAM, "param": None, "code": None}}


def _pass_on(error: RefusedRequest) -> WireError:
    """Pass on the server's own refusal; a page is replaced."""
    body = error.body.strip()
    if key := settings.OPENAI_API_KEY:
        body = body.replace(key.encode(), b"[redacted]")
    if "json" in error.content_type and body.startswith(b"{"):
        return WireError(error.status_code, body, error.headers)
    return _make(error.status_code, error.message, _UPSTREAM, None, None, error.headers)


def _render_model_error(error: ModelError) -> WireError:
    detail = error.detail or {}
    reason = detail.get("reason")
    if reason == "budget":
        return _make(429, error.message, "insufficient_quota", "insufficient_quota", None, _NO_RETRY)
    if reason == "breaker":
        wait = {"retry-after": str(max(1, int(detail.get("retry_in") or 1)))}
        return _make(503, error.message, _UPSTREAM, "upstream_unavailable", None, wait)
    is_late = reason == "timeout" or detail.get("status") in {408, _GATEWAY_TIMEOUT}
    return _make(_GATEWAY_TIMEOUT if is_late else _BAD_GATEWAY, error.message, _UPSTREAM, str(reason or ""))


def _find_field(error: MemsiteError) -> str | None:
    """Return the field that an error is about, if it names one."""
    detail = error.detail
    return next(iter(detail), None) if isinstance(detail, dict) and error.status == _BAD_REQUEST else None


def _make(
    status: int,
    message: str,
    kind: str,
    code: str | None,
    param: str | None = None,
    headers: Mapping[str, str] | None = None,
) -> WireError:
    body = {"error": {"message": message, "type": kind, "param": param, "code": code or None}}
    return WireError(status, encode_json(body), headers or {})
