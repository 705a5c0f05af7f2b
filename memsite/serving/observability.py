"""Structured logs with request ids and redaction.

Logs say what happened but contain no text of people. Values under sensitive names are replaced, and anything
that looks like one of our keys is removed from any value.
"""

from __future__ import annotations

import logging
import logging.config
import re
import time
import uuid
from collections.abc import Callable, MutableMapping
from typing import Any, Final

import structlog
from django.http import HttpRequest, HttpResponse

REDACTED: Final = "[redacted]"
_TELLING: Final = re.compile(
    r"(?i)authorization|cookie|password|passwd|secret|token|api_?key|content|query|text|body|email"
)
_OUR_KEYS: Final = re.compile(r"\bmsk_[A-Za-z0-9_-]{8,}|\b(?:Bearer|Basic)\s+\S+")
#: Parts of a URL's path that hold no secret: words, ids, file names. Others may be a key that somebody put
#: there, or a proof with which one may set a password or confirm an e-mail address.
_PLAIN: Final = re.compile(
    r"|[a-z][a-z_-]{0,30}|v?\d{1,10}|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"
    r"|[\w-]{1,60}(?:\.[0-9a-f]{8,16})?\.(?:css|js|svg|png|ico|woff2|webmanifest|json|txt|php|html|md)"
)
_REQUEST_ID: Final = re.compile(r"[A-Za-z0-9._-]{1,64}")

Event = MutableMapping[str, Any]


def redact_event(_logger: object, _method: str, event: Event) -> Event:
    """Redact an event (a structlog processor): replace values under sensitive names, and remove keys."""
    for name, value in event.items():
        if name not in {"event", "exception"} and _TELLING.search(name):
            event[name] = REDACTED
        elif isinstance(value, str):
            event[name] = _OUR_KEYS.sub(REDACTED, value)
    return event


def redact_path(path: str) -> str:
    """Return the path of a URL without the parts that may hold a secret."""
    return "/".join(part if _PLAIN.fullmatch(part) else REDACTED for part in path.split("/"))


_SHARED: Final[list[Any]] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.StackInfoRenderer(),
    structlog.processors.format_exc_info,
    redact_event,
]


def logging_config(log_format: str, level: str) -> None:
    """Send every logger of the process through structlog to standard error.

    Args:
        log_format: `json` (one line per event) or `text` (for people).
        level: As in `logging`, in lower case.
    """
    renderer: Any = (
        structlog.processors.JSONRenderer(ensure_ascii=False)
        if log_format == "json"
        else structlog.dev.ConsoleRenderer(colors=False)
    )
    structlog.configure(
        processors=[*_SHARED, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    formatter = {
        "()": structlog.stdlib.ProcessorFormatter,
        "foreign_pre_chain": _SHARED,
        "processors": [structlog.stdlib.ProcessorFormatter.remove_processors_meta, renderer],
    }
    quiet = {"level": "WARNING"}
    logging.config.dictConfig(
        {
            "version": 1,
            "disable_existing_loggers": False,
            "formatters": {"structured": formatter},
            "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "structured"}},
            "root": {"handlers": ["stderr"], "level": level.upper()},
            "loggers": {
                "django.request": {"level": "ERROR"},
                # A wrong Host is the client's fault: the line of the request names the status.
                "django.security.DisallowedHost": {"level": "CRITICAL"},
                "httpx": quiet,
                "httpx2": quiet,
                "mcp": quiet,
                "oauth2_provider": quiet,  # its debug lines hold codes and tokens
                "oauthlib": quiet,
                "openai": quiet,
                "psycopg.pool": quiet,
            },
        }
    )


class RequestLogMiddleware:
    """Assign an id to every request (the caller's own, if valid), answer it and log one line about it.

    The id is bound to every log line of the request and returned in the header `X-Request-Id`.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self.log = structlog.get_logger("memsite.request")

    def __call__(self, request: HttpRequest) -> HttpResponse:
        given = request.headers.get("X-Request-Id", "")
        request_id = given if _REQUEST_ID.fullmatch(given) else uuid.uuid4().hex
        structlog.contextvars.clear_contextvars()
        structlog.contextvars.bind_contextvars(request_id=request_id)
        started = time.perf_counter()
        response = self.get_response(request)
        response["X-Request-Id"] = request_id
        if request.path not in {"/healthz", "/readyz"}:
            self.log.info(
                "request",
                method=request.method,
                path=redact_path(request.path),
                status=response.status_code,
                ms=round((time.perf_counter() - started) * 1000, 1),
            )
        return response
