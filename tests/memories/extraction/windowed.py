"""Build windows and scripted models from text."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime
from typing import Any

from memories.extraction.windows import ExtractionWindow, UnreadMessage, make_window
from memories.values import Utterance
from memsite.errors import ModelError
from memsite.llm.chat.chat import ChatMessage, Chunk, Completion, JsonSchema, Usage
from memsite.values import MessageRole

AT = datetime(2025, 11, 21, 9, 30, tzinfo=UTC)


def said(text: str, role: str = "user", number: int = 1) -> Utterance:
    return Utterance(
        f"message:{role}-{number}", MessageRole(role), text, AT, "alice" if role == "user" else role
    )


def window(*texts: str, earlier: Sequence[str] = ()) -> ExtractionWindow:
    """Build a window in which user and assistant alternate: m1 is the user's …; earlier ones are e1 …"""
    roles = ("user", "assistant")
    turns = [UnreadMessage(said(text, roles[place % 2], place)) for place, text in enumerate(texts)]
    return make_window(turns, [said(text, "user", 100 + place) for place, text in enumerate(earlier)])


def item(content: str, evidence: str | list[str] = "m1", kind: str = "fact", **fields: Any) -> dict[str, Any]:
    """Return a valid answer of a model."""
    return {
        "kind": kind,
        "content": content,
        "importance": 0.8,
        "confidence": 0.9,
        "subject": "user",
        "predicate": "",
        "object": "",
        "entities": [],
        "valid_from": None,
        "valid_until": None,
        "evidence": [evidence] if isinstance(evidence, str) else evidence,
        "sensitive": False,
        "should_store": True,
        **fields,
    }


class Scripted:
    """A ChatModel that returns one text after the other, and the last one from then on; errors are raised."""

    model = "scripted"

    def __init__(self, *answers: str | ModelError | list[dict[str, Any]]) -> None:
        self.answers = list(answers)
        self.asked: list[Sequence[ChatMessage]] = []

    def complete(
        self,
        messages: Sequence[ChatMessage],
        *,
        temperature: float = 0.3,  # noqa: ARG002 - the protocol's
        max_tokens: int | None = None,  # noqa: ARG002 - the protocol's
        schema: JsonSchema | None = None,  # noqa: ARG002 - the protocol's
    ) -> Completion:
        self.asked.append(messages)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, ModelError):
            raise answer
        text = answer if isinstance(answer, str) else json.dumps({"memories": answer}, ensure_ascii=False)
        return Completion(text, "stop", self.model, Usage(1, 1))

    def stream(
        self, messages: Sequence[ChatMessage], *, temperature: float = 0.7, max_tokens: int | None = None
    ) -> AsyncIterator[Chunk]:
        raise NotImplementedError

    @property
    def prompt(self) -> str:
        """Return all text of the first request."""
        return "\n".join(str(message["content"]) for message in self.asked[0])
