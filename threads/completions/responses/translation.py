"""Translate a request of OpenAI's Responses to the chat format, and describe a response. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from memsite.errors import InvalidInput
from memsite.llm.chat import Usage
from threads.completions.responses.tools import translate_tool_choice, translate_tools

#: Fields that mean something to Responses only, or that are translated below.
_TRANSLATED: Final = frozenset(
    {
        "background",
        "client_metadata",
        "conversation",
        "include",
        "input",
        "instructions",
        "max_output_tokens",
        "max_tool_calls",
        "metadata",
        "model",
        "previous_response_id",
        "prompt",
        "reasoning",
        "store",
        "stream",
        "stream_options",
        "text",
        "tool_choice",
        "tools",
        "truncation",
    }
)
_CUT_REASONS: Final[Mapping[str, str]] = {"length": "max_output_tokens", "content_filter": "content_filter"}


class Unsupported(InvalidInput):
    """Something of OpenAI's that this site does not do."""

    code = "unsupported"


@dataclass(frozen=True, slots=True)
class ResponseOptions:
    """The options of a request, besides its input.

    Attributes:
        body: The request as the client sent it.
        previous: The response that it continues; empty for none.
        conversation: The conversation that it belongs to; empty for none.
        is_streamed: Whether the client asks for events.
    """

    body: Mapping[str, Any]
    previous: str = ""
    conversation: str = ""
    is_streamed: bool = False

    @property
    def is_stored(self) -> bool:
        """Whether the response can be loaded later. What is said is remembered in any case."""
        return self.body.get("store") is not False


def read_options(body: Mapping[str, Any]) -> ResponseOptions:
    """Return the options of a request.

    Raises:
        InvalidInput: If fields contradict each other, or ask for what is not supported.
    """
    if body.get("background"):
        raise Unsupported("background is not supported.", {"background": "unsupported"})
    if body.get("prompt"):
        raise Unsupported("Stored prompts are not supported.", {"prompt": "unsupported"})
    given = body.get("conversation")
    conversation = given.get("id") if isinstance(given, Mapping) else given
    previous = body.get("previous_response_id")
    if previous and conversation:
        message = "Give either previous_response_id or conversation."
        raise InvalidInput(message, {"previous_response_id": "contradicts conversation"})
    return ResponseOptions(
        body, str(previous or ""), str(conversation or ""), is_streamed=body.get("stream") is True
    )


def translate_request(options: ResponseOptions, *, output_limit: str = "max_tokens") -> dict[str, Any]:
    """Return the fields of the chat format, without messages and model.

    Args:
        output_limit: What the server calls the limit of the answer.

    Raises:
        InvalidInput: For tools that are no list or have no name, or a format that is not supported.
    """
    body = options.body
    chat = {name: value for name, value in body.items() if name not in _TRANSLATED and value is not None}
    tools = translate_tools(body["tools"]) if body.get("tools") else []
    choice = translate_tool_choice(body.get("tool_choice"))
    if tools:
        chat |= {"tools": tools} | ({"tool_choice": choice} if choice is not None else {})
    else:
        chat.pop("parallel_tool_calls", None)  # servers refuse it without tools
    if body.get("max_output_tokens") is not None:
        chat[output_limit] = body["max_output_tokens"]
    reasoning = body.get("reasoning")
    if isinstance(reasoning, Mapping) and reasoning.get("effort"):
        chat["reasoning_effort"] = reasoning["effort"]
    text = body.get("text")
    if isinstance(text, Mapping):
        chat |= _translate_text(text)
    if options.is_streamed:
        chat |= {"stream": True, "stream_options": {"include_usage": True}}
    return chat


def render_response(  # noqa: PLR0913 - the fields that change
    identifier: str,
    options: ResponseOptions,
    *,
    model: str,
    created: int,
    status: str,
    output: list[dict[str, Any]],
    usage: Usage | None = None,
    finish_reason: str = "",
    error: Mapping[str, Any] | None = None,
    conversation: str = "",
) -> dict[str, Any]:
    """Return a response in OpenAI's shape."""
    body = options.body
    cut = _CUT_REASONS.get(finish_reason)
    text = body.get("text") if isinstance(body.get("text"), Mapping) else {}
    reasoning = body.get("reasoning") if isinstance(body.get("reasoning"), Mapping) else {}
    return {
        "id": identifier,
        "object": "response",
        "created_at": created,
        "completed_at": created if status == "completed" else None,
        "status": "incomplete" if cut and status == "completed" else status,
        "background": False,
        "error": error,
        "incomplete_details": {"reason": cut} if cut and status == "completed" else None,
        "instructions": body.get("instructions"),
        "max_output_tokens": body.get("max_output_tokens"),
        "max_tool_calls": None,
        "model": model,
        "output": output,
        "parallel_tool_calls": body.get("parallel_tool_calls", True) is not False,
        "previous_response_id": options.previous or None,
        "conversation": {"id": conversation} if conversation else None,
        "prompt_cache_key": body.get("prompt_cache_key"),
        "reasoning": {"effort": None, "summary": None, **(reasoning or {})},
        "safety_identifier": body.get("safety_identifier"),
        "service_tier": "default",
        "store": options.is_stored,
        "temperature": 1.0 if body.get("temperature") is None else body["temperature"],
        "text": {"format": {"type": "text"}, **(text or {})},
        "tool_choice": body.get("tool_choice") or "auto",
        "tools": body.get("tools") or [],
        "top_logprobs": body.get("top_logprobs") or 0,
        "top_p": 1.0 if body.get("top_p") is None else body["top_p"],
        "frequency_penalty": body.get("frequency_penalty") or 0.0,
        "presence_penalty": body.get("presence_penalty") or 0.0,
        "truncation": body.get("truncation") or "disabled",
        "usage": _render_usage(usage),
        "user": body.get("user"),
        "metadata": body.get("metadata") or {},
    }


def _render_usage(usage: Usage | None) -> dict[str, Any] | None:
    if usage is None:
        return None
    return {
        "input_tokens": usage.input_tokens,
        "input_tokens_details": {"cached_tokens": usage.cached_tokens},
        "output_tokens": usage.output_tokens,
        "output_tokens_details": {"reasoning_tokens": usage.reasoning_tokens},
        "total_tokens": usage.input_tokens + usage.output_tokens,
    }


def _translate_text(text: Mapping[str, Any]) -> dict[str, Any]:
    chat: dict[str, Any] = {}
    if text.get("verbosity"):
        chat["verbosity"] = text["verbosity"]
    shape = text.get("format")
    kind = shape.get("type") if isinstance(shape, Mapping) else "text"
    if kind == "json_object":
        chat["response_format"] = {"type": "json_object"}
    elif kind == "json_schema" and isinstance(shape, Mapping):
        schema = {name: value for name, value in shape.items() if name != "type" and value is not None}
        chat["response_format"] = {"type": "json_schema", "json_schema": schema}
    elif kind != "text":
        raise Unsupported("This text.format is not supported.", {"text.format": "unsupported"})
    return chat
