"""Flows: the steps of a call, without the input and output."""

from __future__ import annotations

import random
from collections.abc import Generator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Generic, TypeVar

from memsite.errors import AnswerError, ConnectionFailed
from memsite.wire.calls import Answer, Call

T = TypeVar("T")
V = TypeVar("V")

#: Statuses of a server that may answer otherwise soon; the request may have been carried out.
_TRANSIENT: Final = frozenset({408, 502, 503, 504})
_OVER_THE_LIMIT: Final = 429
_FIRST_PAUSE: Final = 0.5
_LONGEST_PAUSE: Final = 8.0
#: A caller waits longer only if it decides so itself.
_LONGEST_RETRY_AFTER: Final = 30.0


@dataclass(frozen=True)
class Send:
    """Send a request and read the whole answer; the outcome is an `Answer`."""

    call: Call[Any]


@dataclass(frozen=True)
class Open:
    """Send a request and leave its answer open; the outcome is an `Answer`, with a body if it is an error."""

    call: Call[Any]


@dataclass(frozen=True)
class NextPiece:
    """Read from the open answer; the outcome is `bytes`, or None at its end."""


@dataclass(frozen=True)
class Close:
    """Close the open answer."""


@dataclass(frozen=True)
class Pause:
    """Wait for so many seconds."""

    seconds: float


@dataclass(frozen=True)
class Emit(Generic[V]):
    """Hand a value to the caller."""

    value: V


#: The steps of an iterator, which emits values of a type.
Emits = Generator[Send | Open | NextPiece | Close | Pause | Emit[V], Any, None]
Step = Send | Open | NextPiece | Close | Pause | Emit[Any]
Flow = Generator[Step, Any, T]


@dataclass(frozen=True)
class Policy:
    """How often a call is tried again.

    Attributes:
        retries: Tries after the first.
    """

    retries: int = 2

    def pause_after(
        self, error: AnswerError | ConnectionFailed, tries: int, *, repeatable: bool
    ) -> float | None:
        """Return the seconds to wait before the next try, or None if there is none.

        Args:
            error: Of the last try.
            tries: How many there were, from 1.
            repeatable: Whether the request, sent twice, has the effect of one.
        """
        if tries > self.retries or not _may_repeat(error, repeatable=repeatable):
            return None
        requested = error.retry_after if isinstance(error, AnswerError) else None
        if requested is not None:
            return requested if requested <= _LONGEST_RETRY_AFTER else None
        return backoff(tries)


def backoff(tries: int) -> float:
    """Return a pause that doubles with each try, between half of it and all of it."""
    longest = min(_LONGEST_PAUSE, _FIRST_PAUSE * 2.0 ** (min(tries, 10) - 1))
    return longest * random.uniform(0.5, 1.0)  # noqa: S311 - to spread the clients, not to keep a secret


def perform(call: Call[T], policy: Policy) -> Flow[T]:
    """Send a call, again if that is safe, and return its result."""
    tries = 0
    while True:
        tries += 1
        try:
            answer: Answer = yield Send(call)
            if not answer.is_error:
                return call.reads(answer)
            raise answer.error()
        except (AnswerError, ConnectionFailed) as error:
            pause = policy.pause_after(error, tries, repeatable=call.repeatable)
            if pause is None:
                raise
        yield Pause(pause)


def emit_value(flow: Flow[T]) -> Emits[T]:
    """Emit what a flow returns."""
    value = yield from flow
    yield Emit(value)


def download(path: str, to: str | Path, params: Mapping[str, Any] | None = None) -> Flow[int]:
    """Write a long answer to a file, and return its size in bytes.

    The file has its name only once it is whole: an interrupted download leaves `NAME.part`.
    """
    target = Path(to)
    part = target.with_name(f"{target.name}.part")
    opened: Answer = yield Open(
        Call(method="GET", path=path, reads=lambda answer: answer, params=params, repeatable=True, wait=600)
    )
    if opened.is_error:
        raise opened.error()
    size = 0
    with part.open("wb") as file:
        while (piece := (yield NextPiece())) is not None:
            size += file.write(piece)
    part.replace(target)
    return size


def _may_repeat(error: AnswerError | ConnectionFailed, *, repeatable: bool) -> bool:
    if isinstance(error, ConnectionFailed):
        return repeatable or not error.may_have_arrived
    return error.status == _OVER_THE_LIMIT or (repeatable and error.status in _TRANSIENT)
