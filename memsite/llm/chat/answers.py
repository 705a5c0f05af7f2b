"""Parse a chat server's JSON: a whole answer, or one event of a stream. Lenient where servers differ.

Tokens that the server did not count are counted here.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from memsite.errors import ModelError
from memsite.llm import tokens
from memsite.llm.chat import retry
from memsite.llm.chat.chat import ChatMessage, Usage
from memsite.llm.chat.reading import make_storable


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
    """Return our own count, in the model's encoding if it is built in, else in the default one."""
    encoding = tokens.get_built_in_encoding(model)
    asked = sum(tokens.count_message_tokens(message, encoding) for message in messages)
    return Usage(asked, tokens.count_tokens(answer, encoding))


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
    counts = [given.get("prompt_tokens"), given.get("completion_tokens", 0)]
    if any(isinstance(count, bool) or not isinstance(count, int) or count < 0 for count in counts):
        return None
    return Usage(*counts) if any(counts) else None
