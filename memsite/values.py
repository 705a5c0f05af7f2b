"""Values that every package uses: ids, and enums of texts.

Ids are UUIDv7, so that newer rows sort after older ones. The members of the enums are texts of the API, the
database and the templates.
"""

from __future__ import annotations

import time
import uuid
from enum import StrEnum
from hashlib import blake2b
from typing import Any, Final

from pydantic_core import CoreSchema, core_schema
from uuid_utils import compat

#: Significant digits of a number in an answer: the last ones of a float come from the arithmetic.
_DIGITS: Final = 12
#: Fields that hold what a client gave.
_AS_GIVEN: Final = frozenset({"metadata", "state", "tool_calls"})


def new_id() -> uuid.UUID:
    """Return a new UUIDv7 (RFC 9562): the first 48 bits are the current milliseconds."""
    return compat.uuid7()


def derive_id(given: uuid.UUID, owner: uuid.UUID) -> uuid.UUID:
    """Return the UUIDv7 of an owner for one that a client chose: always the same, and of no other owner.

    Its time is that of the given id. If that is no UUIDv7, or of the future, it is the present, and the
    result is a new id each time.
    """
    now = time.time_ns() // 1_000_000
    given_at = given.int >> 80
    milliseconds = given_at if given.version == 7 and given_at <= now else now  # noqa: PLR2004 - the version
    random = int.from_bytes(blake2b(given.bytes + owner.bytes, digest_size=10).digest())
    return uuid.UUID(
        int=milliseconds << 80 | 0x7 << 76 | (random >> 68 & 0xFFF) << 64 | 2 << 62 | random & (1 << 62) - 1
    )


def parse_id(text: str) -> uuid.UUID | None:
    """Parse an id; return None if the string is not one."""
    try:
        return uuid.UUID(text)
    except (ValueError, AttributeError, TypeError):
        return None


def round_numbers(data: Any) -> Any:  # noqa: ANN401 - any JSON value
    """Return a JSON value with all floats in 12 significant digits, except in what a client gave."""
    if isinstance(data, float):
        return float(f"{data:.{_DIGITS}g}")
    if isinstance(data, dict):
        return {name: one if name in _AS_GIVEN else round_numbers(one) for name, one in data.items()}
    return [round_numbers(one) for one in data] if isinstance(data, list | tuple) else data


class TextEnum(StrEnum):
    """An enum of texts. pydantic validates and describes it like a `Literal` of its values."""

    __repr__ = str.__repr__  # pydantic's errors list the expected members by their `repr`

    @classmethod
    def __get_pydantic_core_schema__(cls, *_: Any) -> CoreSchema:
        """Return the schema that OpenAPI shows in place, where an enum would become a component."""
        return core_schema.literal_schema(list(cls))

    @classmethod
    def choices(cls) -> list[tuple[str, str]]:
        """Return the texts with their names, for the choices of a model's field."""
        return [(member.value, member.value.title()) for member in cls]


class MessageRole(TextEnum):
    """The role of a message's writer."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


class OutcomeStatus(TextEnum):
    """The state of a requested piece of work."""

    WAITING = "waiting"
    DONE = "done"
    FAILED = "failed"
