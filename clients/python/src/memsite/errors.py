"""Errors of the client.

    MemsiteError                    everything below; catch this one to go on without memory
    ├── ConnectionFailed            no answer, or not a whole one
    ├── UnexpectedAnswer            an answer that is not Memsite's
    ├── WebhookInvalid              a webhook that Memsite did not sign
    └── AnswerError                 Memsite refused the request: status, code, message, detail
        ├── Invalid                 400 invalid
        ├── NotAuthenticated        401 not_authenticated
        ├── Forbidden               403 forbidden
        ├── NotFound                404 not_found
        ├── MethodNotAllowed        405 method_not_allowed
        ├── TooSlow                 408 too_slow
        ├── Conflict                409 conflict
        ├── TooLarge                413 too_large
        ├── UnsupportedMediaType    415 unsupported_media_type
        ├── RefusedByGate           422 refused_by_gate
        ├── TooManyRequests         429 too_many_requests; retry_after
        ├── Unavailable             503 unavailable
        └── ModelError              503 model_error

An answer with a code that this version does not list raises `AnswerError` itself.
"""

from __future__ import annotations

from typing import Any, ClassVar, Final


class MemsiteError(Exception):
    """An error of the client."""


class ConnectionFailed(MemsiteError):
    """There is no answer, or not a whole one.

    Attributes:
        may_have_arrived: Whether the server may have received the request, and done what it says.
    """

    def __init__(self, message: str, *, may_have_arrived: bool) -> None:
        super().__init__(message)
        self.may_have_arrived = may_have_arrived


class UnexpectedAnswer(MemsiteError):
    """The answer is not one of Memsite's: another program answers at the address, or the server is newer."""


class WebhookInvalid(MemsiteError):
    """The webhook's signature, time or content is not valid."""


class AnswerError(MemsiteError):
    """Memsite refused the request.

    Attributes:
        status: Of HTTP.
        code: The API's code, such as `not_found`.
        message: A sentence for a person.
        detail: More, depending on the code: the fields that are invalid, a job.
        retry_after: Seconds to wait before the next try, if the server says so.
    """

    code: ClassVar[str] = ""

    def __init__(
        self, message: str, *, status: int, code: str, detail: Any = None, retry_after: float | None = None
    ) -> None:
        super().__init__(f"{message} ({status} {code})")
        self.message = message
        self.status = status
        self.code = code  # type: ignore[misc]  # of this answer; a class has that of all of its answers
        self.detail = detail
        self.retry_after = retry_after


class Invalid(AnswerError):
    """A field is unknown, missing, of the wrong type or out of range."""

    code = "invalid"


class NotAuthenticated(AnswerError):
    """There is no key, or it is not valid."""

    code = "not_authenticated"


class Forbidden(AnswerError):
    """The key lacks a scope, or the person switched memory off."""

    code = "forbidden"


class NotFound(AnswerError):
    """It does not exist, or belongs to somebody else."""

    code = "not_found"


class MethodNotAllowed(AnswerError):
    """The path does not accept the method."""

    code = "method_not_allowed"


class TooSlow(AnswerError):
    """The body arrived too slowly."""

    code = "too_slow"


class Conflict(AnswerError):
    """It is taken, or was changed meanwhile."""

    code = "conflict"


class TooLarge(AnswerError):
    """The body, or the text of a batch, is too large."""

    code = "too_large"


class UnsupportedMediaType(AnswerError):
    """The body is not JSON."""

    code = "unsupported_media_type"


class RefusedByGate(AnswerError):
    """Without its secrets the text contains nothing useful, or the fact is too uncertain."""

    code = "refused_by_gate"


class TooManyRequests(AnswerError):
    """Over the rate limit; `retry_after` says how many seconds to wait."""

    code = "too_many_requests"


class Unavailable(AnswerError):
    """The database is not available at the moment."""

    code = "unavailable"


class ModelError(AnswerError):
    """A model or embedding server failed."""

    code = "model_error"


BY_CODE: Final[dict[str, type[AnswerError]]] = {kind.code: kind for kind in AnswerError.__subclasses__()}
