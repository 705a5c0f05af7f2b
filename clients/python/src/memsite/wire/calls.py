"""Descriptions of calls: a request, and how to read its answer."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any, Final, Generic, TypeVar
from urllib.parse import parse_qs, urlsplit

from memsite.errors import BY_CODE, AnswerError, UnexpectedAnswer
from memsite.results import Page, decode

T = TypeVar("T")
U = TypeVar("U")

#: Methods of which a repeated request has the effect of one.
_REPEATABLE: Final = frozenset({"GET", "PUT", "PATCH"})
_QUEUED: Final = 202
_ERRORS_FROM: Final = 400


@dataclass(frozen=True)
class Answer:
    """A whole answer.

    Attributes:
        headers: Names in lower case.
    """

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def is_error(self) -> bool:
        return self.status >= _ERRORS_FROM

    def json(self) -> Any:
        """Return the parsed body.

        Raises:
            UnexpectedAnswer: If it is not JSON.
        """
        try:
            return json.loads(self.body)
        except ValueError as error:
            raise UnexpectedAnswer(f"the answer ({self.status}) is not JSON") from error

    def error(self) -> AnswerError:
        """Return the error that this answer is; of any shape, since a proxy may have sent it."""
        try:
            given = json.loads(self.body)
        except ValueError:
            given = None
        given = given if isinstance(given, dict) else {}
        code = str(given.get("code", ""))
        return BY_CODE.get(code, AnswerError)(
            str(given.get("message") or f"the server answered with status {self.status}"),
            status=self.status,
            code=code,
            detail=given.get("detail"),
            retry_after=_seconds(self.headers.get("retry-after")),
        )


@dataclass(frozen=True, kw_only=True)
class Call(Generic[T]):
    """A request, and how to read its answer.

    Attributes:
        path: Begins with a slash.
        reads: Makes the result of an answer that is no error.
        params: Of the query; those that are None are left out.
        body: To send as JSON; None for no body.
        file: A file to send as the body, as it is.
        repeatable: Whether the request, sent twice, has the effect of one.
        wait: Seconds that the server may take longer than usual.
    """

    method: str
    path: str
    reads: Callable[[Answer], T]
    params: Mapping[str, Any] | None = None
    body: Any = None
    file: Path | None = None
    repeatable: bool = False
    wait: float = 0.0
    headers: Mapping[str, str] | None = None

    @property
    def query(self) -> dict[str, Any]:
        """The parameters as text; a list is sent as one parameter for each item."""
        given = {} if self.params is None else self.params
        return {name: _plain(value) for name, value in given.items() if value is not None}

    @property
    def json_body(self) -> Any:
        """The body with times as text."""
        return _plain_json(self.body)


def call_as(kind: type[T], method: str, path: str, **rest: Any) -> Call[T]:
    """Return a call whose answer is a value of this type."""
    return _call(method, path, lambda answer: _read(kind, answer.json()), rest)


def call_as_either(done: type[T], queued: type[U], method: str, path: str, **rest: Any) -> Call[T | U]:
    """Return a call whose answer is a result, or with status 202 a job that makes it later."""

    def read(answer: Answer) -> T | U:
        if answer.status == _QUEUED:
            return _read(queued, answer.json())
        return _read(done, answer.json())

    return _call(method, path, read, rest)


def call_for_page(kind: type[T], path: str, params: Mapping[str, Any]) -> Call[Page[T]]:
    """Return a call whose answer is a page of such values."""

    def read(answer: Answer) -> Page[T]:
        given = answer.json()
        if not isinstance(given, dict) or not isinstance(given.get("results"), list):
            raise UnexpectedAnswer("the answer is not a list")
        results = tuple(_read(kind, item) for item in given["results"])
        return Page(
            results=results,
            next_cursor=_cursor(given.get("next")),
            previous_cursor=_cursor(given.get("previous")),
        )

    return _call("GET", path, read, {"params": params})


def _call(method: str, path: str, reads: Callable[[Answer], T], rest: Mapping[str, Any]) -> Call[T]:
    return Call(method=method, path=path, reads=reads, **{"repeatable": method in _REPEATABLE, **rest})


def _read(kind: type[T], value: object) -> T:
    try:
        return decode(kind, value)
    except ValueError as error:
        raise UnexpectedAnswer(f"the answer has another shape than expected: {error}") from error


def without_nones(**fields: Any) -> dict[str, Any]:
    """Return the fields that are not None."""
    return {name: value for name, value in fields.items() if value is not None}


def _cursor(url: object) -> str | None:
    """Return the cursor in the URL of a page. Only the cursor is used: the URL may name an inner host."""
    if not isinstance(url, str):
        return None
    return parse_qs(urlsplit(url).query).get("cursor", [None])[0]


def _seconds(value: str | None) -> float | None:
    """Return the seconds of a header `Retry-After`; None for a date, which Memsite does not send."""
    return float(value) if value is not None and value.isdecimal() else None


def _plain(value: Any) -> Any:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (datetime, date)):
        return value.isoformat()
    if isinstance(value, (list, tuple, set, frozenset)):
        return [_plain(item) for item in value]
    return value


def _plain_json(value: Any) -> Any:
    if isinstance(value, (datetime, date)):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {name: _plain_json(item) for name, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [_plain_json(item) for item in value]
    return value
