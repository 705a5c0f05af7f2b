"""Translate items of OpenAI's Responses and Conversations to messages of the chat format, and back. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from memsite.errors import InvalidInput

ChatMessage = dict[str, Any]
#: Returns the messages that an `item_reference` refers to.
Resolve = Callable[[str], Sequence[ChatMessage]]

_ID: Final = re.compile(r"([a-z]+)_([0-9a-f]{32})(?:_(\d{1,3}))?")
# Tuples: what a client sends may be a list, which has no hash.
_ROLES: Final = ("user", "assistant", "system", "developer")
#: The parameter of a function that represents a tool with free text, which few chat servers know.
CUSTOM_INPUT: Final = "input"
#: Characters of a function's name that chat servers take.
_FUNCTION_NAME: Final = 64
_TEXT_PARTS: Final = ("input_text", "output_text", "text", "summary_text", "refusal")


@dataclass(frozen=True, slots=True)
class ItemId:
    """An id of OpenAI's form.

    Attributes:
        kind: `msg`, `fc`, `resp` or `conv`.
        row: Id of our row.
        place: Which tool call of a message.
    """

    kind: str
    row: UUID
    place: int | None = None


def make_item_id(kind: str, row: UUID, place: int | None = None) -> str:
    """Return an id of OpenAI's form for a row of ours."""
    return f"{kind}_{row.hex}" if place is None else f"{kind}_{row.hex}_{place}"


def join_tool_name(namespace: object, name: str) -> str:
    """Return the name of the function that represents a tool, which may be in a namespace."""
    if not isinstance(namespace, str) or not namespace:
        return name
    return f"{namespace}__{name}"[-_FUNCTION_NAME:]  # the end tells the tools of a namespace apart


def parse_item_id(text: object) -> ItemId | None:
    """Return the parts of an id that `make_item_id` made; None for any other."""
    found = _ID.fullmatch(text) if isinstance(text, str) else None
    if found is None:
        return None
    kind, row, place = found.groups()
    return ItemId(kind, UUID(hex=row), int(place) if place else None)


def read_item_messages(items: object, resolve: Resolve) -> list[ChatMessage]:
    """Return the messages of a list of items, or of a text of the user.

    Args:
        items: As the client sent them.
        resolve: For references to stored items.

    Raises:
        InvalidInput: For an item of an unknown type or shape.
    """
    if isinstance(items, str):
        return [{"role": "user", "content": items}]
    if not isinstance(items, list):
        raise InvalidInput("input is a text or a list of items.", {"input": "not items"})
    messages: list[ChatMessage] = []
    for place, item in enumerate(items):
        if not isinstance(item, Mapping):
            raise InvalidInput("An item is an object.", {f"input.{place}": "not an object"})
        for message in _read_item(item, place, resolve):
            _append(messages, message)
    return messages


def render_message_items(message: ChatMessage, row: UUID) -> list[dict[str, Any]]:
    """Return the items of a stored message.

    Args:
        message: In the chat format.
        row: The id from which the ids of the items are made.
    """
    if message["role"] == "tool":
        output = {"call_id": message["tool_call_id"], "output": message.get("content") or ""}
        return [
            {"id": make_item_id("fc", row), "type": "function_call_output", "status": "completed", **output}
        ]
    items: list[dict[str, Any]] = []
    if message.get("content"):
        items.append(_render_message(message, row))
    for place, call in enumerate(message.get("tool_calls") or ()):
        items.append(
            {
                "id": make_item_id("fc", row, place),
                "type": "function_call",
                "status": "completed",
                "call_id": call["id"],
                "name": call["function"]["name"],
                "arguments": call["function"]["arguments"],
            }
        )
    return items


def _render_message(message: ChatMessage, row: UUID) -> dict[str, Any]:
    is_answer = message["role"] == "assistant"
    part: dict[str, Any] = {"type": "output_text" if is_answer else "input_text", "text": message["content"]}
    if is_answer:
        part |= {"annotations": [], "logprobs": []}
    return {
        "id": make_item_id("msg", row),
        "type": "message",
        "status": "completed",
        "role": message["role"],
        "content": [part],
    }


def as_custom_call(item: dict[str, Any]) -> dict[str, Any]:
    """Return a call of the function that represents a tool with free text as a call of that tool."""
    try:
        given = json.loads(item["arguments"])
    except (ValueError, RecursionError):
        given = None
    text = given.get(CUSTOM_INPUT) if isinstance(given, dict) else None
    kept = {name: value for name, value in item.items() if name != "arguments"}
    return {**kept, "type": "custom_tool_call", "input": text if isinstance(text, str) else item["arguments"]}


def _append(messages: list[ChatMessage], message: ChatMessage) -> None:
    """Append a message; tool calls join the answer that they belong to."""
    last = messages[-1] if messages else None
    if last is not None and last["role"] == "assistant" == message["role"] and message.get("tool_calls"):
        last["tool_calls"] = [*(last.get("tool_calls") or ()), *message["tool_calls"]]
        return
    messages.append(message)


def _read_item(item: Mapping[str, Any], place: int, resolve: Resolve) -> Sequence[ChatMessage]:
    kind = item.get("type") or "message"
    match kind:
        case "message":
            return [_read_message(item, place)]
        case "function_call" | "custom_tool_call":
            name = join_tool_name(item.get("namespace"), _text(item, "name", place))
            return [_make_call(_text(item, "call_id", place), name, _read_arguments(item))]
        case "function_call_output" | "custom_tool_call_output":
            content = _read_output(item.get("output"))
            return [{"role": "tool", "tool_call_id": _text(item, "call_id", place), "content": content}]
        case "item_reference":
            return resolve(_text(item, "id", place))
        case "reasoning":
            return ()  # no chat server takes it back, encrypted or not
    if not isinstance(kind, str):
        raise InvalidInput("An item has a type.", {f"input.{place}.type": "not a text"})
    return _read_unknown(item)


def _read_unknown(item: Mapping[str, Any]) -> Sequence[ChatMessage]:
    """Return an item of a kind that we do not know as messages that a model can read.

    A call of a tool and its result stay that. All else is a system message, which is no turn of a thread.
    """
    text = json.dumps(item, ensure_ascii=False)
    kind, call_id = str(item["type"]), item.get("call_id")
    if not isinstance(call_id, str) or not call_id:
        return [{"role": "system", "content": text}]
    if kind.endswith("_output"):
        return [{"role": "tool", "tool_call_id": call_id, "content": _read_output(item.get("output", item))}]
    return [_make_call(call_id, kind.removesuffix("_call"), text)]


def _read_arguments(item: Mapping[str, Any]) -> str:
    if item["type"] == "function_call":
        return str(item.get("arguments") or "")
    return json.dumps({CUSTOM_INPUT: str(item.get("input") or "")}, ensure_ascii=False)


def _make_call(call_id: str, name: str, arguments: str) -> ChatMessage:
    call = {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}
    return {"role": "assistant", "content": None, "tool_calls": [call]}


def _read_message(item: Mapping[str, Any], place: int) -> ChatMessage:
    role, content = item.get("role"), item.get("content")
    if role not in _ROLES:
        raise InvalidInput("A message has a role.", {f"input.{place}.role": "unknown"})
    if isinstance(content, str):
        return {"role": role, "content": content}
    if not isinstance(content, list) or not all(isinstance(part, Mapping) for part in content):
        raise InvalidInput("content is a text or a list of parts.", {f"input.{place}.content": "not parts"})
    parts = [_read_part(part) for part in content]
    if all(part.get("type") == "text" and "text" in part for part in parts):
        return {"role": role, "content": "\n".join(part["text"] for part in parts)}
    return {"role": role, "content": parts}


def _read_part(part: Mapping[str, Any]) -> dict[str, Any]:
    kind = part.get("type")
    if kind in _TEXT_PARTS:
        return {"type": "text", "text": str(part.get("text") or part.get("refusal") or "")}
    if kind == "input_image" and part.get("image_url"):
        image = {name: part[name] for name in ("detail",) if part.get(name)}
        return {"type": "image_url", "image_url": {"url": part["image_url"], **image}}
    if kind == "input_audio":
        return {"type": "input_audio", "input_audio": part.get("input_audio")}
    if kind == "input_file" and part.get("file_data"):
        file = {name: part[name] for name in ("file_data", "filename") if part.get(name)}
        return {"type": "file", "file": file}
    return dict(part)  # for the server to judge


def _read_output(output: object) -> str:
    if isinstance(output, str):
        return output
    if isinstance(output, list):
        texts = [part.get("text") for part in output if isinstance(part, Mapping)]
        return "\n".join(text for text in texts if isinstance(text, str))
    return json.dumps(output, ensure_ascii=False)


def _text(item: Mapping[str, Any], name: str, place: int) -> str:
    value = item.get(name)
    if not isinstance(value, str) or not value:
        raise InvalidInput(f"{name} is missing.", {f"input.{place}.{name}": "missing"})
    return value
