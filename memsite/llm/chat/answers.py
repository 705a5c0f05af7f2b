"""Parse a chat server's JSON: a whole answer, or one event of a stream. Lenient where servers differ.

`CollectedAnswer` collects what an answer says while it is relayed.

Tokens that the server did not count are counted here.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeGuard

from memsite.errors import ModelError
from memsite.llm import tokens
from memsite.llm.chat import retry
from memsite.llm.chat.chat import ChatMessage, Usage
from memsite.llm.chat.reading import make_storable, remove_thought

#: The fields of a tool call that arrive in pieces.
_CALL_FIELDS: Final = ("name", "arguments")


@dataclass(frozen=True, slots=True)
class AnswerPart:
    """A whole answer or one piece of a stream; finish_reason and usage if the server sent them with it."""

    text: str
    finish_reason: str | None
    usage: Usage | None


def parse_answer(body: bytes) -> AnswerPart:
    """Parse a completion's JSON.

    Raises:
        ModelError: For anything else, including errors sent with a status of success.
    """
    data = _object(body)
    usage = read_usage(data)
    choice = _choice(data)
    message = choice.get("message") if choice else None
    if not isinstance(message, dict):
        raise retry.bad_answer_error("it holds no message", usage)
    if message.get("refusal"):
        raise retry.bad_answer_error("the model refused", usage)
    return AnswerPart(read_text(message), _finish(choice) or "stop", usage)


def parse_event(event: str) -> AnswerPart:
    """Parse an event's JSON; its text may be empty.

    Raises:
        ModelError: As `parse_answer`.
    """
    data = _object(event.encode("utf-8", "replace"))
    choice = _choice(data) or {}
    delta = choice.get("delta")
    return AnswerPart(read_text(delta) if isinstance(delta, dict) else "", _finish(choice), read_usage(data))


def counted(model: str, messages: Sequence[ChatMessage], answer: str) -> Usage:
    """Return our own count, in the model's encoding if it is built in, else in the default one.

    It is an estimate if the messages are long.
    """
    encoding = tokens.get_built_in_encoding(model)
    texts = [text for message in messages for text in tokens.list_message_texts(message)]
    prompt_tokens = tokens.MESSAGE_OVERHEAD * len(messages) + tokens.estimate_tokens(texts, encoding)
    return Usage(prompt_tokens, tokens.estimate_tokens([answer], encoding))


def _object(body: bytes) -> dict[str, Any]:
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):
        raise retry.bad_answer_error("it is no JSON") from None
    if not isinstance(data, dict):
        raise retry.bad_answer_error("it is no JSON object")
    if data.get("error") and not data.get("choices"):
        raise _disguised(data["error"])
    return data


def _disguised(error: object) -> ModelError:
    """Return the error for an error body sent with a status of success, with the status it names, if any."""
    code = error.get("code") if isinstance(error, dict) else None
    if isinstance(code, int) and 400 <= code < 600:  # noqa: PLR2004 - HTTP's statuses of failure
        return retry.status_error(code)
    return retry.bad_answer_error("it is an error with a good status")


def _choice(data: dict[str, Any]) -> dict[str, Any] | None:
    choices = data.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    return first if isinstance(first, dict) else None


def _finish(choice: dict[str, Any] | None) -> str | None:
    reason = (choice or {}).get("finish_reason")
    return reason if isinstance(reason, str) and reason else None


def read_text(message: dict[str, Any]) -> str:
    """Return the content: its text, or the text of its parts."""
    content = message.get("content")
    if isinstance(content, str):
        return make_storable(content)
    parts = content if isinstance(content, list) else []
    texts = [part.get("text") for part in parts if isinstance(part, dict)]
    return make_storable("".join(text for text in texts if isinstance(text, str)))


def read_usage(data: dict[str, Any]) -> Usage | None:
    """Return the tokens the server counted; None if it sent no counts or they are not numbers."""
    given = data.get("usage")
    if not isinstance(given, dict):
        return None
    prompt, answer = given.get("prompt_tokens"), given.get("completion_tokens", 0)
    if not (_is_count(prompt) and _is_count(answer)) or not (prompt or answer):
        return None
    cached = _read_detail(given, "prompt_tokens_details", "cached_tokens")
    return Usage(prompt, answer, cached, _read_detail(given, "completion_tokens_details", "reasoning_tokens"))


def _read_detail(usage: dict[str, Any], group: str, name: str) -> int:
    """Return one of the counts that servers may add; 0 if this one did not."""
    details = usage.get(group)
    count = details.get(name) if isinstance(details, dict) else None
    return count if isinstance(count, int) and _is_count(count) else 0


def _is_count(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


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
    """The content of choice 0 of an answer. Anything that has another shape is left out.

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
