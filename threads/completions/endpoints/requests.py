"""A request under `/v1`, its caller, and the two kinds of answers."""

from __future__ import annotations

import json
import math
import re
from collections.abc import AsyncGenerator, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import parse_qsl

import orjson
from asgiref.typing import HTTPScope
from django.db import DatabaseError, InterfaceError
from django.utils.datastructures import CaseInsensitiveMapping

from memsite.accounts.authentication import parse_bearer_key
from memsite.accounts.keys import recognise_recent_key
from memsite.accounts.models import ApiKey
from memsite.errors import InvalidInput, NotAllowed, NotAuthenticated, TooLarge, Unavailable
from memsite.rest.parsing import check_value_count
from memsite.rest.throttling import count_request, name_address_caller, name_person_caller
from memsite.serving.streaming import run_in_long_thread, run_in_stream_thread
from threads.completions.preparation import Credential

#: Most bytes of a body: a few images fit.
MOST_BYTES: Final = 20 * 1024**2
#: Bytes of a body from which it is parsed on a thread, by the faster parser.
_LARGE: Final = 256 * 1024
_HALF_CHARACTER: Final = re.compile(rb"\\u[dD][89a-fA-F]")  # or one half of a pair
#: An escape in JSON: a pair of halves, one half (the group), or any other.
_ESCAPE: Final = re.compile(
    rb"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Request:
    """A request.

    Attributes:
        path: Without `/v1` and a trailing slash.
        headers: Names in any case.
    """

    method: str
    path: str
    query: Mapping[str, str]
    headers: CaseInsensitiveMapping[str]
    address: str
    content: bytes

    async def read_body(self) -> dict[str, Any]:
        """Return the body's JSON object. A large one is parsed on a thread.

        Raises:
            InvalidInput: If it is none.
            TooLarge: If it is longer than MOST_BYTES, or has too many values.
        """
        if len(self.content) > MOST_BYTES:
            raise TooLarge(f"A request may have {MOST_BYTES // 1024**2} MB.", {"bytes": MOST_BYTES})
        try:
            if len(self.content) > _LARGE:
                found = await run_in_long_thread(_parse_large_json, self.content)
            else:
                found = _parse_json(self.content or b"{}")
        except (ValueError, RecursionError):
            raise InvalidInput("The body is not JSON.") from None
        if not isinstance(found, dict):
            raise InvalidInput("The body must be a JSON object.")
        return found


@dataclass(frozen=True, slots=True)
class Answer:
    """A whole answer. `body` is JSON."""

    body: bytes
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class EventAnswer:
    """An answer of server-sent events.

    Attributes:
        pieces: The bytes to send; closed whatever happens.
        close: Called at the end, also if nothing of `pieces` was read.
    """

    pieces: AsyncGenerator[bytes, None]
    close: Callable[[], Any]
    headers: Mapping[str, str] = field(default_factory=dict)


def read_request(scope: HTTPScope, path: str, content: bytes) -> Request:
    """Return a request from its ASGI scope."""
    headers = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in scope["headers"]]
    query = dict(parse_qsl(scope["query_string"].decode("latin-1")))
    client = scope.get("client")
    address = client[0] if client else ""
    return Request(scope["method"], path, query, CaseInsensitiveMapping(dict(headers)), address, content)


def _parse_json(content: bytes) -> Any:  # noqa: ANN401 - any JSON
    """Return a JSON document that can be written again: numbers are finite, and no character is half.

    A client that cuts a text by its length in UTF-16 sends half of an emoji. It becomes a question mark.

    Raises:
        ValueError: If it is no JSON.
        RecursionError: If it is nested too deeply.
    """
    whole = _replace_halves(content)
    return json.loads(whole, parse_float=_parse_finite, parse_constant=_parse_finite)


def _parse_large_json(content: bytes) -> Any:  # noqa: ANN401 - any JSON
    """Parse like `_parse_json`, but several times as fast, because no other thread runs meanwhile.

    What the faster parser refuses, such as nesting of more than a thousand levels, is parsed as all else is.

    Raises:
        TooLarge: If it has too many values.
    """
    check_value_count(content)
    try:
        return orjson.loads(content)
    except orjson.JSONDecodeError:
        return _parse_json(content)


def _replace_halves(content: bytes) -> bytes:
    """Return JSON with a question mark for each half of a character."""
    if _HALF_CHARACTER.search(content) is None:
        return content
    return _ESCAPE.sub(lambda found: b"?" if found.group(1) else found.group(), content)


def _parse_finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError("JSON has finite numbers only")
    return number


async def authenticate(request: Request, scope: str) -> Credential:
    """Return the key of a request, which has this scope, and count the request.

    Raises:
        NotAuthenticated: If it has no valid key.
        NotAllowed: If the key lacks the scope.
        TooManyRequests: If the caller exceeds the rate limit.
        Unavailable: If the database does not answer and the key is not known from before.
    """
    return await run_in_stream_thread(_authenticate, request, scope)


def _authenticate(request: Request, scope: str) -> Credential:
    try:
        key = _read_key(request)
        row, is_stored = recognise_recent_key(key, address=request.address or None)
    except NotAuthenticated:
        count_request(name_address_caller(request.address))
        raise
    except (DatabaseError, InterfaceError):
        raise Unavailable("The database is not available right now; try again.") from None
    credential = Credential(row, is_stored and _count(row))
    if scope not in row.scopes:
        raise NotAllowed(f"This key lacks the scope {scope!r}.", {"scope": scope})
    return credential


def _count(row: ApiKey) -> bool:
    """Count a request against the rate limit of its person; return whether the database answered."""
    try:
        count_request(name_person_caller(row.owner_id))
    except (DatabaseError, InterfaceError):
        return False
    return True


def _read_key(request: Request) -> str:
    key = parse_bearer_key(request.headers.get("authorization", ""))
    if key is None:
        raise NotAuthenticated("Send an API key of Memsite: Authorization: Bearer KEY.")
    return key
