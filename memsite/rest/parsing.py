"""Parse request bodies: JSON that PostgreSQL can store."""

from __future__ import annotations

import json
import math
import unicodedata
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from itertools import chain
from typing import IO, Annotated, Any, Final, NoReturn

from django.conf import settings
from django.http import QueryDict
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict
from pydantic.config import JsonDict
from rest_framework.parsers import BaseParser

from memsite.errors import InvalidInput, TooLarge

#: Values (texts, numbers, objects, …) that the JSON of a request may have together. The parser lets no other
#: thread run until it has read all: five million empty lists, which are 15 MB, took half a second.
MOST_VALUES: Final = 250_000
#: Except for the outermost value, each one follows a comma, or begins a list or object that is not empty.
_BEFORE_VALUES: Final = (b",", b"[", b"{")
_EMPTY: Final = (b"[]", b"{}")


class Body(BaseModel):
    """Base of request bodies and query parameters. An unknown field is an error."""

    model_config = ConfigDict(extra="forbid", str_strip_whitespace=False, frozen=True)


def convert_to_utc(moment: datetime) -> datetime:
    """Return the time in UTC; a time without a zone is taken as UTC.

    Raises:
        ValueError: If the time in UTC is outside of the calendar.
    """
    try:
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except OverflowError:
        raise ValueError("this time lies outside of the calendar") from None


def _read_time(value: Any) -> datetime | None:  # noqa: ANN401 - any JSON value
    """Return a time that is written as a text. A number of seconds, such as 0.5 of 1970, is none."""
    if value is None or isinstance(value, datetime):
        return value
    try:
        return datetime.fromisoformat(value.strip().upper() if isinstance(value, str) else "")
    except ValueError:
        raise ValueError("a time is written as 2026-01-31T12:00:00Z") from None


#: A time that PostgreSQL can return: in UTC its year still has four digits.
Moment = Annotated[datetime, BeforeValidator(_read_time), AfterValidator(convert_to_utc)]


#: Characters of the JSON of metadata.
MOST_METADATA: Final = 65_536


def _check_size(metadata: dict[str, Any]) -> dict[str, Any]:
    if metadata and len(json.dumps(metadata)) > MOST_METADATA:
        raise ValueError(f"metadata is longer than {MOST_METADATA} characters of JSON")
    return metadata


def write_object(value: Mapping[str, Any] | None) -> str:
    """Return the JSON of an object, the same text for equal ones; an empty text for an empty one."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False) if value else ""


def read_object(text: str) -> str:
    """Return the JSON of an object as `write_object` writes it. Raises ValueError if it is none."""
    if not text:
        return text
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    if isinstance(value, dict):
        return write_object(value)
    raise ValueError('the JSON of an object, such as {"project": "x"}')


Metadata = Annotated[dict[str, Any], AfterValidator(_check_size)]


def _is_given(name: str) -> JsonDict:
    """Return the schema of an object in which a field is neither missing nor empty."""
    return {"required": [name], "properties": {name: {"not": {"enum": [None, "", False, []]}}}}


def require_one(first: str, second: str) -> JsonDict:
    """Return the schema of an object in which exactly one of two fields is given.

    Generators of clients read no `if`, so they still see one object and not a choice of two.
    """
    return {"if": _is_given(first), "then": {"not": _is_given(second)}, "else": _is_given(second)}


def require_any(first: str, second: str) -> JsonDict:
    """Return the schema of an object in which at least one of two fields is given."""
    return {"if": {"not": _is_given(first)}, "then": _is_given(second)}


def refuse_both(first: str, second: str) -> JsonDict:
    """Return the schema of an object in which at most one of two fields is given."""
    return {"if": _is_given(first), "then": {"not": _is_given(second)}}


class StrictJSONParser(BaseParser):
    """UTF-8 JSON (RFC 8259) without NaN, NUL characters or lone surrogates."""

    media_type = "application/json"

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,  # noqa: ARG002 - DRF's signature
        parser_context: Mapping[str, Any] | None = None,  # noqa: ARG002 - DRF's signature
    ) -> Any:  # noqa: ANN401 - any JSON value
        raw = stream.read()
        check_value_count(raw)
        try:
            text = raw.decode("utf-8")
        except UnicodeDecodeError:
            raise InvalidInput("The body is not UTF-8.") from None
        return parse_json(text)


def parse_json(text: str) -> Any:  # noqa: ANN401 - any JSON value
    """Return the value of a JSON text.

    Raises:
        InvalidInput: If the text is not JSON or cannot be stored; the message says where.
    """
    try:
        value = json.loads(text, parse_constant=_refuse_constant, parse_float=_finite)
    except json.JSONDecodeError as error:
        raise InvalidInput(f"The body is not JSON: {error.msg} at character {error.pos}.") from None
    except (RecursionError, ValueError):
        raise InvalidInput(
            "The body is not JSON that can be read: nested too deep, or a number too long."
        ) from None
    if "\\u0000" in text or "\\ud" in text.lower():
        check_text(value)
    return value


def check_value_count(content: bytes) -> None:
    """Raise TooLarge if a JSON document has more than MOST_VALUES values; what is no JSON may pass.

    Other threads can run meanwhile, unlike while it is parsed.
    """
    if sum(map(content.count, _BEFORE_VALUES)) < MOST_VALUES:  # with those in texts, but quickly
        return
    plain = content.replace(b"\\\\", b"").replace(b'\\"', b"")  # now each quote begins or ends a text
    count, place = 1, 0
    while place < len(plain):
        quote = plain.find(b'"', place)
        end = quote if quote >= 0 else len(plain)
        count += sum(plain.count(mark, place, end) for mark in _BEFORE_VALUES)
        count -= sum(plain.count(mark, place, end) for mark in _EMPTY)
        if count > MOST_VALUES:
            message = f"The JSON of a request may have {MOST_VALUES} values. Send it in several requests."
            raise TooLarge(message, {"limit": MOST_VALUES})
        place = plain.find(b'"', end + 1) + 1 or len(plain)


def check_text(value: Any) -> None:  # noqa: ANN401 - any JSON value
    """Raise InvalidInput if a string anywhere in the value cannot be stored as text."""
    if isinstance(value, str):
        if "\x00" in value:
            raise InvalidInput("Text may not contain NUL characters.")
        if not value.isascii() and any("\ud800" <= character <= "\udfff" for character in value):
            raise InvalidInput("Text may not contain half of a surrogate pair.")
    elif isinstance(value, Mapping):
        for key, item in value.items():
            check_text(key)
            check_text(item)
    elif isinstance(value, list):
        for item in value:
            check_text(item)


def check_characters(batch: Any) -> None:  # noqa: ANN401 - any JSON value
    """Check that the strings of a batch have at most MEMSITE_BATCH_CHARACTERS characters together.

    Reading text takes time in proportion to its length in its normal form (NFKC), which makes 18 characters
    of `ﷺ`, and a batch is read within one request. A batch of one item passes: the limits of its fields
    apply.

    Raises:
        TooLarge: If they have more.
    """
    most = settings.MEMSITE_BATCH_CHARACTERS
    count = _count_characters(batch, most)
    if count > most and isinstance(batch, list) and len(batch) > 1:
        raise TooLarge(
            f"A batch may have {most} characters of text (MEMSITE_BATCH_CHARACTERS), counted in its normal"
            f" form (NFKC); this one has {count} or more. Send it in several requests.",
            {"characters": count, "limit": most},
        )


def measure_text(text: str) -> int:
    """Return the number of characters of a text in its normal form (NFKC)."""
    return len(text) if text.isascii() else len(unicodedata.normalize("NFKC", text))


def _count_characters(value: Any, most: int) -> int:  # noqa: ANN401 - any JSON value
    """Return the characters of all strings in their normal form. Stops once there are more than `most`."""
    if isinstance(value, str):
        return measure_text(value)
    parts: Iterable[Any] = ()
    if isinstance(value, Mapping):
        parts = chain(value.keys(), value.values())
    elif isinstance(value, list):
        parts = value
    count = 0
    for part in parts:
        count += _count_characters(part, most - count)
        if count > most:
            break
    return count


def make_list(value: Any) -> Any:  # noqa: ANN401 - whatever the query string held
    """Return the values of a query parameter that may be repeated."""
    return value if isinstance(value, list) else [value]


def read_query_values(query: QueryDict) -> dict[str, Any]:
    """Return query parameters as a mapping for pydantic: a single value as it is, repeated ones as a list."""
    values: dict[str, Any] = {}
    for name, items in query.lists():
        check_text(items)
        values[name] = items[0] if len(items) == 1 else items
    return values


def _finite(literal: str) -> float:
    number = float(literal)
    if math.isinf(number):
        raise InvalidInput(f"The body is not JSON that can be read: {literal[:20]} is too large.")
    return number


def _refuse_constant(name: str) -> NoReturn:
    raise InvalidInput(f"The body is not JSON: {name} is no JSON number.")
