"""Translate a request of OpenAI's Responses to the chat format, and describe a response. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from memsite.errors import InvalidInput
from memsite.llm.chat import Usage
from threads.completions.responses.items import CUSTOM_INPUT

#: Fields that mean something to Responses only, or that are translated below.
_TRANSLATED: Final = frozenset(
    {
        "background",
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
        """Whether the response is kept."""
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
        InvalidInput: For tools that are no list, or a format that is not supported.
    """
    body = options.body
    chat = {name: value for name, value in body.items() if name not in _TRANSLATED and value is not None}
    if body.get("tools"):
        if not isinstance(body["tools"], list):
            raise InvalidInput("tools is a list.", {"tools": "not a list"})
        chat["tools"] = [_translate_tool(tool) for tool in body["tools"]]
        if body.get("tool_choice") is not None:
            chat["tool_choice"] = _translate_choice(body["tool_choice"])
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


def _translate_tool(tool: object) -> object:
    """Return a function in the chat format; a tool of another kind as it is, for the server to judge."""
    if not isinstance(tool, Mapping):
        return tool
    if tool.get("type") == "custom" and tool.get("name"):
        return _translate_custom_tool(tool)
    if tool.get("type") != "function":
        return dict(tool)
    names = ("name", "description", "parameters", "strict")
    return {
        "type": "function",
        "function": {name: tool[name] for name in names if tool.get(name) is not None},
    }


def _translate_custom_tool(tool: Mapping[str, Any]) -> dict[str, Any]:
    """Return a function with one text in place of a tool with free text; a grammar becomes a description."""
    parts = [str(tool.get("description") or "")]
    shape = tool.get("format")
    if isinstance(shape, Mapping) and shape.get("definition"):
        parts.append(f"The input follows this {shape.get('syntax') or ''} grammar:\n{shape['definition']}")
    text = {"type": "object", "properties": {CUSTOM_INPUT: {"type": "string"}}, "required": [CUSTOM_INPUT]}
    description = "\n\n".join(one for one in parts if one)
    return {
        "type": "function",
        "function": {"name": tool["name"], "description": description, "parameters": text},
    }


def list_custom_tools(body: Mapping[str, Any]) -> frozenset[str]:
    """Return the names of a request's tools that take free text."""
    tools = body.get("tools")
    return frozenset(
        str(tool.get("name"))
        for tool in (tools if isinstance(tools, list) else ())
        if isinstance(tool, Mapping) and tool.get("type") == "custom"
    )


def _translate_choice(choice: object) -> object:
    if isinstance(choice, Mapping) and choice.get("type") in {"function", "custom"}:
        return {"type": "function", "function": {"name": choice.get("name")}}
    return choice


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
