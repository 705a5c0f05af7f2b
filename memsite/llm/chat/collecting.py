"""Collect what an answer says while it is relayed: text, tool calls, finish reason and usage of choice 0."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Final

from memsite.llm.chat.answers import read_text, read_usage
from memsite.llm.chat.chat import Usage
from memsite.llm.chat.reading import make_storable, remove_thought

_CALL_FIELDS: Final = ("name", "arguments")


@dataclass(frozen=True, slots=True)
class RelayedEvent:
    """A part of a stream: an event, or a comment.

    Attributes:
        raw: Its bytes with the blank line after it.
        data: The data of an event; empty for a comment.
    """

    raw: bytes
    data: str


class CollectedAnswer:
    """What choice 0 of an answer says. Anything that has another shape is left out.

    Attributes:
        finish_reason: As the server gave it; "" while there is none.
        usage: The server's count of tokens; None if it sent none.
        error: The `error` of an event or a body that holds nothing else; None for an answer.
    """

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._calls: dict[int, dict[str, Any]] = {}
        self.finish_reason = ""
        self.usage: Usage | None = None
        self.error: object = None

    @property
    def is_finished(self) -> bool:
        """Whether the answer has its end, or an error in place of it."""
        return bool(self.finish_reason) or self.error is not None

    @property
    def written(self) -> str:
        """All text so far, thoughts included."""
        return "".join(self._parts)

    @property
    def text(self) -> str:
        """The text so far without a leading `<think>` part."""
        return remove_thought(self.written)

    @property
    def tool_calls(self) -> list[dict[str, Any]]:
        """The calls of functions, in order, in OpenAI's shape."""
        return [self._calls[place] for place in sorted(self._calls)]

    def add_event(self, data: str) -> None:
        """Add one event of a stream."""
        try:
            chunk = json.loads(data)
        except (ValueError, RecursionError):
            return  # `[DONE]`, or something that the client has to judge
        if isinstance(chunk, dict):
            self._add(chunk, "delta")

    def add_whole(self, body: dict[str, Any]) -> None:
        """Add a whole answer."""
        self._add(body, "message")

    def _add(self, body: dict[str, Any], part: str) -> None:
        if body.get("error") and not body.get("choices"):
            self.error = body["error"]
        self.usage = read_usage(body) or self.usage
        choices = body.get("choices")
        for choice in choices if isinstance(choices, list) else ():
            if isinstance(choice, dict) and choice.get("index", 0) == 0:
                self._add_choice(choice, part)

    def _add_choice(self, choice: dict[str, Any], part: str) -> None:
        reason = choice.get("finish_reason")
        if isinstance(reason, str) and reason:
            self.finish_reason = reason
        message = choice.get(part)
        if not isinstance(message, dict):
            return
        text = read_text(message)
        if not text and isinstance(message.get("refusal"), str):
            text = make_storable(message["refusal"])
        if text:
            self._parts.append(text)
        calls = message.get("tool_calls")
        for place, call in enumerate(calls if isinstance(calls, list) else ()):
            if isinstance(call, dict) and isinstance(call.get("function"), dict):
                self._add_call(call.get("index", place), call)

    def _add_call(self, place: object, call: dict[str, Any]) -> None:
        if not isinstance(place, int):
            return
        empty: dict[str, Any] = {"id": "", "type": "function", "function": {"name": "", "arguments": ""}}
        stored = self._calls.setdefault(place, empty)
        if isinstance(call.get("id"), str) and call["id"]:
            stored["id"] = make_storable(call["id"])
        for name in _CALL_FIELDS:
            piece = call["function"].get(name)
            if isinstance(piece, str):
                stored["function"][name] += make_storable(piece)
