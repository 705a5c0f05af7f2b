"""Asking a model about memories: gated, fenced as data, under short ids that its answer repeats."""

from __future__ import annotations

import json
import secrets
import unicodedata
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeVar
from uuid import UUID

from pydantic import BaseModel, BeforeValidator, Field, ValidationError

from memories.gate import redact_together
from memories.maintenance.reflection.conf import SHOWN, SHOWN_CHARACTERS
from memories.maintenance.reflection.model.prompts import Task, instructions
from memories.maintenance.reflection.proposals import Kind
from memories.models import Memory
from memsite.llm.chat import ChatMessage, ChatModel, ask
from memsite.metering import chat_model

Shape = TypeVar("Shape", bound=BaseModel)


def _strings(value: Any) -> Any:  # noqa: ANN401 - whatever the model put there
    return [str(item) for item in value] if isinstance(value, list) else value


Ids = Annotated[list[str], BeforeValidator(_strings)]


class PatternOut(BaseModel):
    """A pattern as a model names it."""

    content: str
    kind: Literal["preference", "habit", "pattern"] = "pattern"
    category: str = ""
    abstraction_level: Literal["shallow", "intermediate", "deep"] = "intermediate"
    evidence: Ids
    against: Ids = []


class InferenceOut(BaseModel):
    """An inference as a model names it. confidence: in [0, 1]."""

    content: str
    evidence: Ids
    confidence: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)] = 0.7


class _Patterns(BaseModel):
    patterns: list[PatternOut]


class _Inferences(BaseModel):
    inferences: list[InferenceOut]


class PatternsOut(BaseModel):
    """Items are read one by one: a wrong one costs no other."""

    patterns: list[Any]

    @classmethod
    def model_json_schema(cls, *args: Any, **options: Any) -> dict[str, Any]:
        """The shape the model is told: with the fields of an item."""
        return _Patterns.model_json_schema(*args, **options)


class InferencesOut(BaseModel):
    """Items are read one by one: a wrong one costs no other."""

    inferences: list[Any]

    @classmethod
    def model_json_schema(cls, *args: Any, **options: Any) -> dict[str, Any]:
        """The shape the model is told: with the fields of an item."""
        return _Inferences.model_json_schema(*args, **options)


class CompressedOut(BaseModel):
    """Several memories as one text."""

    content: str


def valid(items: Sequence[Any], shape: type[Shape], most: int) -> list[Shape]:
    """The first items that have the shape."""
    found: list[Shape] = []
    for item in items[:most]:
        with suppress(ValidationError):
            found.append(shape.model_validate(item))
    return found


@dataclass(frozen=True, slots=True)
class Shown:
    """Memories as a model sees them: by short id, and the text it was given of each."""

    memories: Mapping[str, Memory]

    def named(self, ids: Sequence[str]) -> list[Memory] | None:
        """The memories of these ids, each once; None when one was never shown."""
        known = [self.memories.get(name.strip()) for name in ids]
        if any(memory is None for memory in known):
            return None
        return list({memory.pk: memory for memory in known if memory is not None}.values())


def model_for(kind: Kind, *, owner: UUID) -> ChatModel | None:
    """The model that reflects for an owner; None when none is configured. Extraction is a small task."""
    return chat_model("fast" if kind == "facts" else "primary", owner=owner)


def show(memories: Sequence[Memory]) -> Shown:
    """The first 80 memories under ids m1, m2 …"""
    return Shown({f"m{number}": memory for number, memory in enumerate(memories[:SHOWN], start=1)})


def answer(model: ChatModel, task: Task, shown: Shown, shape: type[Shape], *, whole: bool = False) -> Shape:
    """What the model makes of the memories. Raises ModelError.

    whole: texts are not cut at 600 characters.
    """
    texts = redact_together([memory.content for memory in shown.memories.values()])
    mark = secrets.token_hex(8)
    lines = [
        _line(name, memory, text if whole else text[:SHOWN_CHARACTERS])
        for (name, memory), text in zip(shown.memories.items(), texts, strict=True)
    ]
    data = "\n".join([f"<memories {mark}>", *lines, f"</memories {mark}>"])
    messages: list[ChatMessage] = [
        {"role": "system", "content": instructions(task, texts, mark)},
        {"role": "user", "content": data},
    ]
    return ask(model, messages, shape)


def _line(name: str, memory: Memory, text: str) -> str:
    """One JSON object on one line, without what only machines read."""
    plain = "".join(
        " " if unicodedata.category(character) in {"Cc", "Zl", "Zp"} else character
        for character in text
        if unicodedata.category(character) not in {"Cf", "Co", "Cs", "Cn"}
    )
    at = memory.valid_from or memory.occurred_at or memory.created_at
    return json.dumps({"id": name, "at": at.date().isoformat(), "text": plain}, ensure_ascii=False)
