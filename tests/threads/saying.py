"""Build messages from their text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from memsite.values import MessageRole
from threads.messages.incoming import NewMessage
from threads.models import Message

Talk = Callable[..., list[Message]]


def user_says(text: str, **fields: Any) -> NewMessage:
    return NewMessage(role=MessageRole.USER, content=text, **fields)


def assistant_says(text: str, **fields: Any) -> NewMessage:
    return NewMessage(role=MessageRole.ASSISTANT, content=text, **fields)


def assistant_calls(*call_ids: str, text: str = "") -> NewMessage:
    calls = [{"id": one, "function": {"name": "look", "arguments": '{"at": "sea"}'}} for one in call_ids]
    return NewMessage.model_validate({"role": "assistant", "content": text, "tool_calls": calls})


def tool_answers(call_id: str, text: str = "found") -> NewMessage:
    return NewMessage(role=MessageRole.TOOL, tool_call_id=call_id, content=text)
