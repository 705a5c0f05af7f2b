"""A context in the shape a model's API wants: OpenAI's, or Anthropic's. Pure.

Messages go through here in OpenAI's shape. Whatever the shape, every tool call is followed by its
result, and one without the other is left out: both APIs refuse half a pair. In Anthropic's shape user
and assistant take turns: what one of them says twice in a row is one message of several blocks.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from memsite.llm.tokens import count_message_tokens
from threads.prompt.trimming import Count, Message

Format = Literal["openai", "anthropic"]
FORMATS: Final[tuple[Format, ...]] = ("openai", "anthropic")


@dataclass(frozen=True, slots=True)
class Rendered:
    """system: where the shape keeps the system text apart from the messages (Anthropic's), else None."""

    messages: tuple[Message, ...]
    system: str | None = None

    def tokens(self, count: Count = count_message_tokens) -> int:
        """The count of everything in it, the system text as one more message. count: of one message."""
        system = count({"content": self.system}) if self.system else 0
        return sum(map(count, self.messages)) + system


def render(shape: Format, system_texts: Sequence[str], messages: Sequence[Message]) -> Rendered:
    """System texts, joined by blank lines, and messages (tool calls paired) in one API's shape."""
    system = "\n\n".join(text for text in system_texts if text)
    if shape == "openai":
        first = ({"role": "system", "content": system},) if system else ()
        return Rendered((*first, *messages))
    sent = sendable(shape, messages)
    own = [str(message["content"]) for message in sent if message["role"] == "system"]
    whole = "\n\n".join([system, *own] if system else own)
    return Rendered(tuple(_to_anthropic(sent)), whole or None)


def followed(shape: Format, rendered: Rendered, text: str) -> Rendered:
    """The same with a text of the user's at the end: as a message, or as the last block of the last one."""
    message: Message = {"role": "user", "content": text}
    last = rendered.messages[-1] if rendered.messages else None
    if shape == "openai" or last is None or last["role"] != "user":
        return replace(rendered, messages=(*rendered.messages, message))
    return replace(rendered, messages=(*rendered.messages[:-1], _joined(last, message)))


def counter(shape: Format, count: Count = count_message_tokens) -> Count:
    """What a message adds to a context in this shape, at most. count: of a message as the shape has it."""
    if shape == "openai":
        return count
    return lambda message: count(_one_to_anthropic(message))


def paired(messages: Sequence[Message]) -> list[Message]:
    """The messages with every result right behind its call; calls and results that stand alone are left out.

    A result belongs to the nearest earlier call of its id; a second result of one call is left out.
    """
    results = _results_by_call(messages)
    kept: list[Message] = []
    for place, message in enumerate(messages):
        if message["role"] == "tool":
            continue
        calls = message.get("tool_calls")
        if not calls:
            if message.get("content"):
                kept.append(message)
            continue
        answered = [call for call in calls if (place, call["id"]) in results]
        if message.get("content") or answered:
            kept.append(message if len(answered) == len(calls) else _with_calls(message, answered))
        kept += [results[place, call["id"]] for call in answered]
    return kept


def sendable(shape: Format, messages: Sequence[Message]) -> list[Message]:
    """What the shape can carry: Anthropic's begins with the user, so what others said before is left out."""
    if shape == "openai":
        return list(messages)
    first = next((place for place, one in enumerate(messages) if one["role"] == "user"), len(messages))
    return [*(one for one in messages[:first] if one["role"] == "system"), *messages[first:]]


def _with_calls(message: Message, calls: Sequence[Any]) -> Message:
    rest = {name: value for name, value in message.items() if name != "tool_calls"}
    return {**rest, "tool_calls": calls} if calls else rest


def _results_by_call(messages: Sequence[Message]) -> dict[tuple[int, str], Message]:
    callers: dict[str, int] = {}
    results: dict[tuple[int, str], Message] = {}
    for place, message in enumerate(messages):
        if message["role"] == "tool" and message["tool_call_id"] in callers:
            results.setdefault((callers[message["tool_call_id"]], message["tool_call_id"]), message)
        for call in message.get("tool_calls") or ():
            callers[call["id"]] = place
    return results


def _to_anthropic(messages: Sequence[Message]) -> Iterator[Message]:
    """Without system messages; user and assistant in turn."""
    waiting: Message | None = None
    for message in messages:
        if message["role"] == "system":
            continue
        sent = _one_to_anthropic(message)
        if waiting is not None and waiting["role"] == sent["role"]:
            waiting = _joined(waiting, sent)
            continue
        if waiting is not None:
            yield waiting
        waiting = sent
    if waiting is not None:
        yield waiting


def _one_to_anthropic(message: Message) -> Message:
    """Results are the user's; a plain text stays one."""
    role = "assistant" if message["role"] == "assistant" else "user"
    is_plain = message["role"] != "tool" and not message.get("tool_calls")
    return {"role": role, "content": message["content"] if is_plain else _blocks(message)}


def _joined(first: Message, second: Message) -> Message:
    """Two messages of one role as one."""
    return {"role": first["role"], "content": [*_as_blocks(first), *_as_blocks(second)]}


def _as_blocks(message: Message) -> list[dict[str, Any]]:
    content = message["content"]
    return [{"type": "text", "text": content}] if isinstance(content, str) else list(content)


def _blocks(message: Message) -> list[dict[str, Any]]:
    """A message as Anthropic's content blocks."""
    text = message.get("content") or ""
    if message["role"] == "tool":
        return [{"type": "tool_result", "tool_use_id": message["tool_call_id"], "content": text}]
    blocks: list[dict[str, Any]] = [{"type": "text", "text": text}] if text else []
    for call in message.get("tool_calls") or []:
        function = call["function"]
        blocks.append(
            {
                "type": "tool_use",
                "id": call["id"],
                "name": function["name"],
                "input": _arguments(function["arguments"]),
            }
        )
    return blocks


def _arguments(text: str) -> dict[str, Any]:
    """A call's arguments as an object; what is none is kept under `arguments`."""
    try:
        value = json.loads(text or "{}")
    except (ValueError, RecursionError):
        return {"arguments": text}
    return value if isinstance(value, dict) else {"arguments": value}
