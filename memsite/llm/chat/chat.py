"""The interface of a chat model, its inputs and its outputs.

`openai_chat` implements it for servers that speak OpenAI's protocol.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NotRequired, Protocol, TypedDict, runtime_checkable

from memsite.values import TextEnum

ModelTier = Literal["fast", "primary"]
MODEL_TIERS: tuple[ModelTier, ...] = ("fast", "primary")


class AnswerSource(TextEnum):
    """The source of an answer: a language model, or our own rules; empty if there is no answer."""

    NONE = ""
    LLM = "llm"
    FALLBACK = "fallback"


class ChatMessage(TypedDict):
    """A message in OpenAI's shape.

    Attributes:
        content: Text, or a list of its parts; None beside tool_calls.
    """

    role: str
    content: str | list[dict[str, Any]] | None
    name: NotRequired[str]
    tool_calls: NotRequired[list[dict[str, Any]]]
    tool_call_id: NotRequired[str]


@dataclass(frozen=True, slots=True)
class JsonSchema:
    """The shape an answer must have.

    Attributes:
        name: Letters, digits, `_` and `-`.
        body: The JSON schema.
    """

    name: str
    body: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one call: the server's count, or our own if the server sent none.

    Attributes:
        cached_tokens: Of the input, those that the server had in its cache.
        reasoning_tokens: Of the output, those that the model thought in.
    """

    input_tokens: int
    output_tokens: int
    cached_tokens: int = 0
    reasoning_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Completion:
    """A whole answer.

    Attributes:
        text: Never blank; a leading `<think>` part is removed.
        finish_reason: As the server gave it (`stop`, `length` …).
        model: The name that was asked for.
        usage: Tokens of the call.
    """

    text: str
    finish_reason: str
    model: str
    usage: Usage


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of a streamed answer.

    Only the last piece has a finish_reason and a usage; its text may be empty.
    """

    text: str
    finish_reason: str | None = None
    usage: Usage | None = None


@runtime_checkable
class ChatModel(Protocol):
    """A model that answers messages. It sends messages unchanged: removing secrets is the caller's task."""

    @property
    def model(self) -> str:
        """The model's name on the server."""

    def complete(
        self,
        messages: Sequence[ChatMessage],
        *,
        temperature: float = 0.3,
        max_tokens: int | None = None,
        schema: JsonSchema | None = None,
    ) -> Completion:
        """Return the whole answer.

        Args:
            messages: The conversation, oldest first.
            temperature: Sampling temperature.
            max_tokens: Most tokens of the answer; None for the server's default.
            schema: Requested of servers that can enforce a schema; the answer may still not match it.

        Raises:
            ModelError: From `memsite.errors`; `detail["reason"]` is one of `timeout`, `connection`, `status`,
                `bad_answer`, `failed`, `budget`, `breaker`. The message contains nothing of prompt, answer or
                key.
        """

    def stream(
        self,
        messages: Sequence[ChatMessage],
        *,
        temperature: float = 0.7,
        max_tokens: int | None = None,
    ) -> AsyncIterator[Chunk]:
        """Yield the answer piece by piece, in an event loop. The request is sent at the first `anext`.

        Closing the iterator early (`aclose()`, or cancelling the task that reads it) frees the connection.

        Raises:
            ModelError: As `complete`, also in the middle: an answer that ends without a finish_reason was
                interrupted.
        """
