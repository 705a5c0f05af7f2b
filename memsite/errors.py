"""The error classes. Every error a caller may get has a code, an HTTP status and a clear sentence.

MemsiteError                500  error
├── InvalidInput            400  invalid
│   └── UserRequired        400  user_required      an application's key has to name an end user
├── NotAuthenticated        401  not_authenticated
├── NotAllowed              403  forbidden
├── NotFound                404  not_found          also for another owner's rows
├── TooSlow                 408  too_slow           the body arrived too slowly
├── Conflict                409  conflict           taken, or changed meanwhile
├── TooLarge                413  too_large
├── RefusedByGate           422  refused_by_gate
├── TooManyRequests         429  too_many_requests
└── Unavailable             503  unavailable
    └── ModelError          503  model_error        a chat or embedding model failed

On the wire, every error is `{"code", "message", "detail"}` (see `memsite.rest.errors`).
"""

from __future__ import annotations

from typing import Any


class MemsiteError(Exception):
    """Base of all errors that are shown to callers.

    Attributes:
        message: One sentence, safe to show.
        detail: Facts that can be written as JSON, such as errors by field.
    """

    code = "error"
    status = 500

    def __init__(self, message: str, detail: Any = None) -> None:  # noqa: ANN401 - any JSON value
        super().__init__(message)
        self.message = message
        self.detail = detail

    def as_json(self) -> dict[str, Any]:
        """Return the shape of every error answer."""
        return {"code": self.code, "message": self.message, "detail": self.detail}


class InvalidInput(MemsiteError):
    """The request is invalid."""

    code = "invalid"
    status = 400


class UserRequired(InvalidInput):
    """The application's requests have to name an end user."""

    code = "user_required"


class NotAuthenticated(MemsiteError):
    """The caller is not signed in and has no valid key."""

    code = "not_authenticated"
    status = 401


class NotAllowed(MemsiteError):
    """The caller may not do this."""

    code = "forbidden"
    status = 403


class NotFound(MemsiteError):
    """It does not exist, or belongs to another owner."""

    code = "not_found"
    status = 404


class TooSlow(MemsiteError):
    """The body of the request arrived too slowly."""

    code = "too_slow"
    status = 408


class Conflict(MemsiteError):
    """It is taken, or was changed meanwhile."""

    code = "conflict"
    status = 409


class TooLarge(MemsiteError):
    """The request is too large."""

    code = "too_large"
    status = 413


class RefusedByGate(MemsiteError):
    """The gate left nothing useful of the text."""

    code = "refused_by_gate"
    status = 422


class TooManyRequests(MemsiteError):
    """The caller is over the rate limit.

    Attributes:
        retry_after: Whole seconds until the next try can succeed.
    """

    code = "too_many_requests"
    status = 429

    def __init__(self, message: str, retry_after: int) -> None:
        super().__init__(message, {"retry_after": retry_after})
        self.retry_after = retry_after


class Unavailable(MemsiteError):
    """Something that the request needs is not available at the moment."""

    code = "unavailable"
    status = 503


class ModelError(Unavailable):
    """A chat or embedding model failed."""

    code = "model_error"
