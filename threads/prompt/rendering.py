"""Render a context in the format of OpenAI's or Anthropic's API. Pure.

The functions take messages in OpenAI's format. In both formats every tool call is followed by its result, and
one without the other is left out, because both APIs reject incomplete pairs. In Anthropic's format user and
assistant alternate: consecutive messages of one of them become one message of several blocks.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from memsite.llm.tokens import count_message_tokens
from memsite.values import MessageRole
from threads.prompt.trimming import Count, Message

Format = Literal["openai", "anthropic"]
FORMATS: Final[tuple[Format, ...]] = ("openai", "anthropic")


@dataclass(frozen=True, slots=True)
class RenderedContext:
    """A rendered context.

    Attributes:
        system: System text where the format keeps it apart from the messages (Anthropic's), else None.
    """

    messages: tuple[Message, ...]
    system: str | None = None

    def tokens(self, count: Count = count_message_tokens) -> int:
        """Return the total number of tokens, with the system text counted as one more message."""
        system = count({"content": self.system}) if self.system else 0
        return sum(map(count, self.messages)) + system


def render_context(
    shape: Format, system_texts: Sequence[str], messages: Sequence[Message]
) -> RenderedContext:
    """Render system texts, joined by blank lines, and messages with paired tool calls."""
    system = "\n\n".join(text for text in system_texts if text)
    if shape == "openai":
        first = ({"role": "system", "content": system},) if system else ()
        return RenderedContext((*first, *messages))
    sent = select_sendable(shape, messages)
    own = [str(message["content"]) for message in sent if message["role"] == MessageRole.SYSTEM]
    whole = "\n\n".join([system, *own] if system else own)
    return RenderedContext(tuple(_to_anthropic(sent)), whole or None)


def append_input(shape: Format, rendered: RenderedContext, text: str) -> RenderedContext:
    """Append a user text: as a message, or in Anthropic's format as the last block of a last user message."""
    message: Message = {"role": "user", "content": text}
    last = rendered.messages[-1] if rendered.messages else None
    if shape == "openai" or last is None or last["role"] != MessageRole.USER:
        return replace(rendered, messages=(*rendered.messages, message))
    return replace(rendered, messages=(*rendered.messages[:-1], _joined(last, message)))


def make_counter(shape: Format, count: Count = count_message_tokens) -> Count:
    """Return a function that counts at most what a message adds to a context in this format.

    Args:
        count: Counts a rendered message.
    """
    if shape == "openai":
        return count
    return lambda message: count(_one_to_anthropic(message))


def pair_tool_results(messages: Sequence[Message]) -> list[Message]:
    """Return the messages with every result directly after its call; incomplete pairs are left out.

    A result belongs to the nearest earlier call with its id; a second result of a call is left out.
    """
    results = _results_by_call(messages)
    kept: list[Message] = []
    for place, message in enumerate(messages):
        if message["role"] == MessageRole.TOOL:
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


def select_sendable(shape: Format, messages: Sequence[Message]) -> list[Message]:
    """Return the messages that the format can represent.

    Anthropic's format starts with a user message, so earlier messages other than system messages are left
    out.
    """
    if shape == "openai":
        return list(messages)
    first = next(
        (place for place, one in enumerate(messages) if one["role"] == MessageRole.USER), len(messages)
    )
    return [*(one for one in messages[:first] if one["role"] == MessageRole.SYSTEM), *messages[first:]]


def _with_calls(message: Message, calls: Sequence[Any]) -> Message:
    rest = {name: value for name, value in message.items() if name != "tool_calls"}
    return {**rest, "tool_calls": calls} if calls else rest


def _results_by_call(messages: Sequence[Message]) -> dict[tuple[int, str], Message]:
    callers: dict[str, int] = {}
    results: dict[tuple[int, str], Message] = {}
    for place, message in enumerate(messages):
        if message["role"] == MessageRole.TOOL and message["tool_call_id"] in callers:
            results.setdefault((callers[message["tool_call_id"]], message["tool_call_id"]), message)
        for call in message.get("tool_calls") or ():
            callers[call["id"]] = place
    return results


def _to_anthropic(messages: Sequence[Message]) -> Iterator[Message]:
    """Yield messages in Anthropic's format: without system messages, user and assistant alternating."""
    waiting: Message | None = None
    for message in messages:
        if message["role"] == MessageRole.SYSTEM:
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
    """Convert one message; tool results become user messages, and a plain text stays a text."""
    role = "assistant" if message["role"] == MessageRole.ASSISTANT else "user"
    is_plain = message["role"] != MessageRole.TOOL and not message.get("tool_calls")
    return {"role": role, "content": message["content"] if is_plain else _blocks(message)}


def _joined(first: Message, second: Message) -> Message:
    """Join two messages of one role."""
    return {"role": first["role"], "content": [*_as_blocks(first), *_as_blocks(second)]}


def _as_blocks(message: Message) -> list[dict[str, Any]]:
    content = message["content"]
    return [{"type": "text", "text": content}] if isinstance(content, str) else list(content)


def _blocks(message: Message) -> list[dict[str, Any]]:
    """Return a message's content as Anthropic's content blocks."""
    text = message.get("content") or ""
    if message["role"] == MessageRole.TOOL:
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
    """Return a call's arguments as an object; anything else is put under the key `arguments`."""
    try:
        value = json.loads(text or "{}")
    except (ValueError, RecursionError):
        return {"arguments": text}
    return value if isinstance(value, dict) else {"arguments": value}
