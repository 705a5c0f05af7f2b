"""Retry calls of a model that failed, within limits of number and time.

Retried are: no connection, an interrupted connection, a timeout, and the statuses 408, 409, 429 and 5xx.
Everything else, including unusable answers, fails at once. The messages of these errors never contain the
server's text, a key or an address, because they are logged and shown to people.
"""

from __future__ import annotations

import asyncio
import contextvars
import random
import re
import threading
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, TypeVar

import stamina

from memsite.errors import ModelError
from memsite.llm.chat.chat import Usage

if TYPE_CHECKING:
    import openai

T = TypeVar("T")

ATTEMPTS: Final = 3
#: Seconds before the second try; doubled for each further one.
WAIT_INITIAL: Final = 0.5
WAIT_MAX: Final = 5.0
WAIT_JITTER: Final = 0.5
#: Limit of all tries together, as a multiple of the seconds of one.
TOTAL_PER_ATTEMPT: Final = 1.5

_RETRIED_STATUSES: Final = frozenset({408, 409, 429, *range(500, 600)})
_PLAIN_CODE = re.compile(r"[a-z][a-z0-9_]{0,63}")


class TransientModelError(ModelError):
    """A failure that may pass.

    Attributes:
        retry_after: Seconds the server asked us to wait; None if it did not.
    """

    def __init__(self, message: str, detail: object = None, retry_after: float | None = None) -> None:
        super().__init__(message, detail)
        self.retry_after = retry_after


class BadAnswer(ModelError):
    """An answer that cannot be used.

    Attributes:
        usage: The tokens it cost all the same; None if the server sent no counts.
    """

    def __init__(self, message: str, usage: Usage | None = None) -> None:
        super().__init__(message, {"reason": "bad_answer"})
        self.usage = usage


class RefusedRequest(ModelError):
    """The server refused a request with a status of 4xx.

    Attributes:
        status_code: That status.
        body: The server's answer, which is passed on.
        content_type: Of the body.
        headers: The headers that tell a client when to try again.
    """

    def __init__(self, status_code: int, body: bytes, content_type: str, headers: Mapping[str, str]) -> None:
        detail = {"reason": "status", "status": status_code}
        super().__init__(f"the model server refused the request with status {status_code}", detail)
        self.status_code = status_code
        self.body = body
        self.content_type = content_type
        self.headers = dict(headers)


class Deadline:
    """A moment, some seconds from now, at which something must have ended."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    def remaining(self) -> float:
        """Return the seconds left, never negative."""
        return max(0.0, self._end - time.monotonic())

    def attempt(self, seconds: float) -> Deadline:
        """Return the deadline of one try: this many seconds, or the rest of this deadline if shorter."""
        return Deadline(min(seconds, self.remaining()))


_limit: contextvars.ContextVar[Deadline | None] = contextvars.ContextVar("model_time_limit", default=None)


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Limit all calls of models in the block to so many seconds in total; the tightest enclosing limit
    applies.
    """
    outer = _limit.get()
    token = _limit.set(outer.attempt(seconds) if outer else Deadline(seconds))
    try:
        yield
    finally:
        _limit.reset(token)


def call_with_retries(
    attempt: Callable[[Deadline], T],
    *,
    attempt_seconds: float,
    attempts: int = ATTEMPTS,
) -> T:
    """Return the result of `attempt`, retried while it raises TransientModelError.

    Pauses between tries grow from 0.5 s to 5 s with jitter, or are what the server asked for.

    Args:
        attempt: Called with the deadline of this try, on a thread of its own. The thread is abandoned when
            the deadline passes, because a client's timeout counts from byte to byte and name resolution has
            none.
        attempt_seconds: Limit of each try; all tries and pauses together take at most 1.5 times as long, and
            never longer than an enclosing `time_limit`.
        attempts: Most tries.

    Raises:
        ModelError: The last one.
    """
    whole = make_deadline(attempt_seconds * TOTAL_PER_ATTEMPT)
    pauses = _Pauses(whole)
    for trial in stamina.retry_context(on=pauses.after, attempts=attempts, timeout=None):
        with trial:
            return run_bounded(attempt, whole.attempt(attempt_seconds))
    raise AssertionError("unreachable: the last try returns or raises")


async def await_with_retries(
    attempt: Callable[[], Awaitable[T]], *, attempt_seconds: float, attempts: int = ATTEMPTS
) -> T:
    """Call and retry like `call_with_retries`, but in an event loop and without a thread.

    Args:
        attempt: Called for each try; what it returns is awaited, and cancelled when the try's time is over.
        attempt_seconds: As in `call_with_retries`.
        attempts: Most tries.

    Raises:
        ModelError: The last one.
    """
    whole = make_deadline(attempt_seconds * TOTAL_PER_ATTEMPT)
    pauses = _Pauses(whole)
    async for trial in stamina.retry_context(on=pauses.after, attempts=attempts, timeout=None):
        with trial:
            return await before(whole.attempt(attempt_seconds), attempt())
    raise AssertionError("unreachable: the last try returns or raises")


async def before(deadline: Deadline, awaited: Awaitable[T]) -> T:
    """Return what is awaited. Raises TransientModelError if it does not come before the deadline."""
    try:
        async with asyncio.timeout(deadline.remaining()):
            return await awaited
    except TimeoutError:
        raise timeout_error() from None


def make_deadline(seconds: float) -> Deadline:
    """Return a deadline in so many seconds, or at the end of the enclosing `time_limit` if earlier."""
    limit = _limit.get()
    return limit.attempt(seconds) if limit else Deadline(seconds)


class _Pauses:
    """Decides after each failure whether to retry, and how long to wait before."""

    def __init__(self, whole: Deadline) -> None:
        self._whole = whole
        self._failures = 0

    def after(self, error: Exception) -> float | bool:
        if not isinstance(error, TransientModelError):
            return False
        self._failures += 1
        pause = error.retry_after
        if pause is None:
            growing = WAIT_INITIAL * 2 ** (self._failures - 1) + random.uniform(0, WAIT_JITTER)  # noqa: S311 - a pause, nothing secret
            pause = min(WAIT_MAX, growing)
        return pause if pause < self._whole.remaining() else False


def run_bounded(action: Callable[[Deadline], T], deadline: Deadline) -> T:
    """Return the result of `action` if it arrives before the deadline.

    Args:
        action: Called with the deadline, on a thread of its own.
        deadline: When the result must have arrived.

    Raises:
        TransientModelError: If the result does not arrive in time.
    """
    future: Future[T] = Future()

    def run() -> None:
        try:
            result = action(deadline)
        except BaseException as error:  # noqa: BLE001 - raised again where the result is awaited
            if future.set_running_or_notify_cancel():
                future.set_exception(error)
            return
        if future.set_running_or_notify_cancel():
            future.set_result(result)

    threading.Thread(target=contextvars.copy_context().run, args=(run,), daemon=True).start()
    try:
        return future.result(timeout=deadline.remaining())
    except TimeoutError:
        if not future.cancel():  # it arrived at the last moment
            return future.result()
        raise timeout_error() from None


def timeout_error() -> TransientModelError:
    """Return the error for an answer that did not arrive in time."""
    return TransientModelError("the model server did not answer in time", {"reason": "timeout"})


def broken_off_error() -> TransientModelError:
    """Return the error for an answer that began and did not end."""
    return TransientModelError("the model server broke off its answer", {"reason": "connection"})


def bad_answer_error(problem: str, usage: Usage | None = None) -> ModelError:
    """Return the error for an answer that cannot be used, with its cost in tokens."""
    return BadAnswer(f"the model server's answer cannot be used: {problem}", usage)


def as_model_error(error: Exception) -> ModelError:
    """Convert an error of the openai client to ours: kind and status, but none of the server's text."""
    import openai  # noqa: PLC0415 - takes half a second to load, and only callers that ask a server need it

    if isinstance(error, ModelError):
        return error
    if isinstance(error, openai.APITimeoutError):
        return timeout_error()
    if isinstance(error, openai.APIStatusError):
        return _of_answer(error)
    if isinstance(error, openai.APIConnectionError):
        return TransientModelError("the model server could not be reached", {"reason": "connection"})
    return ModelError(f"asking the model server failed ({type(error).__name__})", {"reason": "failed"})


def status_error(status: int, details: str = "", retry_after: float | None = None) -> ModelError:
    """Return the error for an HTTP status of failure.

    Args:
        status: The HTTP status.
        details: The server's error code; used only if it is in plain letters.
        retry_after: Seconds the server asked us to wait.
    """
    code = f" ({details})" if _PLAIN_CODE.fullmatch(details) else ""
    message = f"the model server answered with status {status}{code}"
    detail = {"reason": "status", "status": status}
    if status in _RETRIED_STATUSES:
        return TransientModelError(message, detail, retry_after)
    return ModelError(message, detail)


def _of_answer(error: openai.APIStatusError) -> ModelError:
    wait = _retry_after(error.response.headers.get("retry-after"))
    return status_error(error.status_code, error.code or error.type or "", wait)


def _retry_after(header: str | None) -> float | None:
    """Return the seconds of a Retry-After header; None if it is absent or a date."""
    try:
        return max(0.0, float(header or ""))
    except ValueError:
        return None
