"""Describe why a job failed without repeating a person's text."""

from __future__ import annotations

import sysconfig
import traceback
from types import FrameType
from typing import Final

from memsite.errors import Conflict, MemsiteError, TooManyRequests

_LONGEST: Final = 500  # characters
_SERVER_ERROR: Final = 500  # the first HTTP status of a server error
_NOT_OURS: Final = tuple({sysconfig.get_paths()[name] for name in ("stdlib", "purelib", "platlib")})


def describe_error(error: BaseException) -> str:
    """Return at most 500 characters: the error's class, with our own message or with where it was raised.

    Our own errors have messages that are safe to show. The message of any other error may quote the text
    that caused it, so only its class, SQLSTATE and place in our code are given.
    """
    name = type(error).__name__
    if isinstance(error, MemsiteError):
        return f"{name}: {error.message}"[:_LONGEST]
    state = getattr(error.__cause__, "sqlstate", None)
    code = f" ({state})" if state else ""
    return f"{name}{code}{_place(error)}"[:_LONGEST]


def is_final(error: BaseException) -> bool:
    """Return whether the same task would fail again: true for errors of the caller (4xx).

    Conflicts and rate limits are not final: the next attempt may pass.
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
