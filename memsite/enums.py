"""The base of enums whose members are texts of the API, the database and the templates, and shared enums."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from pydantic_core import CoreSchema, core_schema


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
    """Who wrote a message."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


class OutcomeStatus(TextEnum):
    """How a requested piece of work stands."""

    WAITING = "waiting"
    DONE = "done"
    FAILED = "failed"
