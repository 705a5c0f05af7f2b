"""Saying why a job failed without repeating what it was about."""

from __future__ import annotations

import sysconfig
import traceback
from types import FrameType
from typing import Final

from memsite.errors import Conflict, MemsiteError, TooManyRequests

_LONGEST: Final = 500  # characters
_SERVER_ERROR: Final = 500  # the first HTTP status that is not the caller's fault
_NOT_OURS: Final = tuple({sysconfig.get_paths()[name] for name in ("stdlib", "purelib", "platlib")})


def describe(error: BaseException) -> str:
    """At most 500 characters: the error's class with our own message, else with where it was raised.

    Our own errors carry sentences that are safe to show. Anybody else's message may quote the text
    it choked on, so its class, SQLSTATE and place in our code must do.
    """
    name = type(error).__name__
    if isinstance(error, MemsiteError):
        return f"{name}: {error.message}"[:_LONGEST]
    state = getattr(error.__cause__, "sqlstate", None)
    code = f" ({state})" if state else ""
    return f"{name}{code}{_place(error)}"[:_LONGEST]


def is_final(error: BaseException) -> bool:
    """Whether the same task would be refused again: the errors that are the caller's own (4xx).

    What changed meanwhile, or came too often, may pass the next time.
    """
    if not isinstance(error, MemsiteError) or isinstance(error, Conflict | TooManyRequests):
        return False
    return error.status < _SERVER_ERROR


def _place(error: BaseException) -> str:
    ours = [
        (frame, line)
        for frame, line in traceback.walk_tb(error.__traceback__)
        if not frame.f_code.co_filename.startswith(_NOT_OURS)
    ]
    if not ours:
        return ""
    frame, line = ours[-1]
    return f" in {_name(frame)}, line {line}"


def _name(frame: FrameType) -> str:
    return f"{frame.f_globals.get('__name__', '?')}.{frame.f_code.co_qualname}"
