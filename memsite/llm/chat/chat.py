"""What a chat model is, and what goes in and comes out. `openai_chat` asks a server; others may stand in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NotRequired, Protocol, TypedDict, runtime_checkable

Slot = Literal["fast", "primary"]
SLOTS: tuple[Slot, ...] = ("fast", "primary")


class ChatMessage(TypedDict):
    """A message in OpenAI's shape. content: text, or a list of its parts; None beside tool_calls."""

    role: str
    content: str | list[dict[str, Any]] | None
    name: NotRequired[str]
    tool_calls: NotRequired[list[dict[str, Any]]]
    tool_call_id: NotRequired[str]


@dataclass(frozen=True, slots=True)
class JsonSchema:
    """The shape an answer must have. name: letters, digits, `_` and `-`; body: the JSON schema itself."""

    name: str
    body: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one call: what the server counted, or our own count where it says nothing."""

    input_tokens: int
    output_tokens: int


@dataclass(frozen=True, slots=True)
class Completion:
    """A whole answer. text: never blank, a leading `<think>` part taken off.

    finish_reason: as the server gave it (`stop`, `length` …); model: the name that was asked for.
    """

    text: str
    finish_reason: str
    model: str
    usage: Usage


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of a streamed answer. Only the last one has a finish_reason and a usage; its text may be ""."""

    text: str
    finish_reason: str | None = None
    usage: Usage | None = None


@runtime_checkable
class ChatModel(Protocol):
    """A model that answers. Messages pass unchanged: the gate is the caller's."""

    @property
    def model(self) -> str:
        """The name the server knows it by."""

    def complete(
        self,
        messages: Sequence[ChatMessage],
        *,
        temperature: float = 0.3,
        max_tokens: int | None = None,
        schema: JsonSchema | None = None,
    ) -> Completion:
        """The whole answer. schema: asked of servers that can hold to one; the answer may ignore it.

        Raises memsite.errors.ModelError, `detail["reason"]` one of `timeout`, `connection`, `status`,
        `bad_answer`, `failed`, `budget`, `breaker`; its message holds nothing of prompt, answer or key.
        """

    def stream(
        self,
        messages: Sequence[ChatMessage],
        *,
        temperature: float = 0.7,
        max_tokens: int | None = None,
    ) -> Iterator[Chunk]:
        """The answer piece by piece; nothing is asked before the first `next`.

        Raises ModelError as `complete`, also in the middle: an answer that ends without a finish_reason was
        broken off. Closing the iterator early (`close()`, on the thread that reads it) frees the connection.
        """
