"""Validate a new message, whichever interface it comes from. Pure."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Annotated, Any, Final, Literal, Self

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    model_validator,
)

from memsite.llm.tokens import count_message_tokens
from memsite.values import MessageRole
from threads.conf import (
    CLOCK_SKEW,
    CONTENT_CHARACTERS,
    EXTERNAL_ID_CHARACTERS,
    ID_CHARACTERS,
    JSON_CHARACTERS,
    TOOL_CALLS,
)
from threads.messages.content_parts import ContentParts, render_content

DEVELOPER: Final = "developer"
_EARLIEST: Final = datetime(1900, 1, 1, tzinfo=UTC)


def _storable(text: str) -> str:
    if "\x00" in text:
        raise ValueError("text may not contain NUL characters")
    return text


def _printable(text: str) -> str:
    if not text.isprintable():
        raise ValueError("an id has printable characters only")
    return text


def _compact(value: dict[str, Any]) -> dict[str, Any]:
    """Check that a JSON object can be stored in a database column."""
    try:
        text = json.dumps(value, allow_nan=False)
    except (ValueError, TypeError, RecursionError):
        raise ValueError("not JSON that can be stored") from None
    if len(text) > JSON_CHARACTERS:
        raise ValueError(f"at most {JSON_CHARACTERS} characters of JSON")
    if "\\u0000" in text and _has_nul(value):
        raise ValueError("text may not contain NUL characters")
    return value


def _has_nul(value: object) -> bool:
    if isinstance(value, dict):
        return any(_has_nul(key) or _has_nul(item) for key, item in value.items())
    if isinstance(value, list):
        return any(map(_has_nul, value))
    return isinstance(value, str) and "\x00" in value


def _check_not_in_future(moment: datetime) -> datetime:
    if not _EARLIEST <= moment <= datetime.now(UTC) + CLOCK_SKEW:
        raise ValueError("a time between 1900 and now")
    return moment.astimezone(UTC)


Text = Annotated[str, AfterValidator(_storable)]
#: Text, null, or content parts, which are converted to text: attachments become their captions.
Content = Annotated[
    Text | None, BeforeValidator(render_content, json_schema_input_type=Text | ContentParts | None)
]


def _convert_role(role: Any) -> Any:  # noqa: ANN401 - whatever a request held
    return MessageRole.SYSTEM if role == DEVELOPER else role


#: A role. OpenAI's newer name for `system` is stored as that.
Role = Annotated[
    MessageRole,
    BeforeValidator(
        _convert_role, json_schema_input_type=Literal["system", "developer", "user", "assistant", "tool"]
    ),
]
Identifier = Annotated[str, Field(min_length=1, max_length=ID_CHARACTERS), AfterValidator(_printable)]
#: The id that a program gives a thread.
ExternalId = Annotated[
    str, Field(min_length=1, max_length=EXTERNAL_ID_CHARACTERS), AfterValidator(_printable)
]
JsonObject = Annotated[dict[str, Any], AfterValidator(_compact)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ToolFunction(_Part):
    """The function of a tool call. `arguments` is JSON text as the model wrote it, which may be invalid."""

    name: Identifier
    arguments: Text = Field(default="", max_length=CONTENT_CHARACTERS)


class ToolCall(_Part):
    """One tool call in OpenAI's format."""

    id: Identifier
    type: Literal["function"] = "function"
    function: ToolFunction


class NewMessage(_Part):
    """One message to append.

    `content` is text, or content parts in OpenAI's or Anthropic's format. It may be empty if there are tool
    calls, and in a tool's result; null counts as empty. `created_at` is when it was said, for a conversation
    that is imported later; by default now.
    """

    role: Role
    content: Content = Field(default=None, max_length=CONTENT_CHARACTERS)
    tool_calls: list[ToolCall] | None = Field(default=None, max_length=TOOL_CALLS)
    tool_call_id: Identifier | None = None
    state: JsonObject = Field(default_factory=dict)
    client_id: Identifier | None = None
    do_not_remember: bool = False
    created_at: Annotated[AwareDatetime, AfterValidator(_check_not_in_future)] | None = None

    @model_validator(mode="after")
    def _check_role(self) -> Self:
        if self.tool_calls and self.role != MessageRole.ASSISTANT:
            raise ValueError("only an assistant's message has tool_calls")
        if self.role == MessageRole.TOOL and not self.tool_call_id:
            raise ValueError("a tool's message needs the tool_call_id it answers")
        if self.role != MessageRole.TOOL and self.tool_call_id:
            raise ValueError("only a tool's message has a tool_call_id")
        if not self.content and not self.tool_calls and self.role != MessageRole.TOOL:
            raise ValueError("content may be empty only beside tool_calls")
        if len(self.call_ids) != len(self.tool_calls or []):
            raise ValueError("two tool_calls have the same id")
        return self

    @property
    def call_ids(self) -> frozenset[str]:
        """Ids of the tool calls in this message."""
        return frozenset(call.id for call in self.tool_calls or [])

    def calls_json(self) -> list[dict[str, Any]] | None:
        """Return the tool calls as they are stored; None if there are none."""
        return [call.model_dump() for call in self.tool_calls] if self.tool_calls else None

    def token_count(self) -> int:
        """Return the exact number of tokens in o200k_base: 4 + content + tool calls as JSON."""
        return count_message_tokens({"content": self.content or "", "tool_calls": self.calls_json()})
