"""Ask a model about memories. They are redacted, fenced as data, and identified by short ids."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeVar
from uuid import UUID

from pydantic import BaseModel, BeforeValidator, Field, ValidationError

from memories.gate import redact_together
from memories.maintenance.reflection.conf import SHOWN, SHOWN_CHARACTERS
from memories.maintenance.reflection.model.prompts import Task, get_instructions
from memories.maintenance.reflection.proposals import ReflectionKind
from memories.models import Memory
from memories.text import fence_lines, new_mark
from memories.values import AbstractionLevel, Kind
from memsite.llm.chat import ChatMessage, ChatModel, ModelTier, ask_structured
from memsite.metering import ModelPurpose, get_chat_model

Shape = TypeVar("Shape", bound=BaseModel)


def _strings(value: Any) -> Any:  # noqa: ANN401 - whatever the model put there
    return [str(item) for item in value] if isinstance(value, list) else value


Ids = Annotated[list[str], BeforeValidator(_strings)]


class PatternOut(BaseModel):
    """A pattern as a model names it."""

    content: str
    kind: Literal[Kind.PREFERENCE, Kind.HABIT, Kind.PATTERN] = Kind.PATTERN
    category: str = ""
    abstraction_level: Literal[
        AbstractionLevel.SHALLOW, AbstractionLevel.INTERMEDIATE, AbstractionLevel.DEEP
    ] = AbstractionLevel.INTERMEDIATE
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
    """A model's answer.

    Items are validated one by one, so that an invalid item does not affect the others.
    """

    patterns: list[Any]

    @classmethod
    def model_json_schema(cls, *args: Any, **options: Any) -> dict[str, Any]:
        """Return the schema that the model receives, with the fields of an item."""
        return _Patterns.model_json_schema(*args, **options)


class InferencesOut(BaseModel):
    """A model's answer.

    Items are validated one by one, so that an invalid item does not affect the others.
    """

    inferences: list[Any]

    @classmethod
    def model_json_schema(cls, *args: Any, **options: Any) -> dict[str, Any]:
        """Return the schema that the model receives, with the fields of an item."""
        return _Inferences.model_json_schema(*args, **options)


class CompressedOut(BaseModel):
    """Several memories as one text."""

    content: str


def validate_items(items: Sequence[Any], shape: type[Shape], most: int) -> list[Shape]:
    """Return the valid items among the first `most`."""
    found: list[Shape] = []
    for item in items[:most]:
        with suppress(ValidationError):
            found.append(shape.model_validate(item))
    return found


@dataclass(frozen=True, slots=True)
class NumberedMemories:
    """The memories that a model sees, by short id."""

    memories: Mapping[str, Memory]

    def named(self, ids: Sequence[str]) -> list[Memory] | None:
        """Return the memories of these ids without repeats, or None if an id was never shown."""
        found = [self.memories.get(name.strip()) for name in ids]
        if any(memory is None for memory in found):
            return None
        return list({memory.pk: memory for memory in found if memory is not None}.values())


def get_model(kind: ReflectionKind, *, owner: UUID) -> ChatModel | None:
    """Return the owner's model for a kind of reflection, or None if none is configured.

    Extracting facts is a small task and uses the fast model.
    """
    tier: ModelTier = "fast" if kind == ReflectionKind.FACTS else "primary"
    return get_chat_model(tier, owner=owner, purpose=ModelPurpose.REFLECTION)


def number_memories(memories: Sequence[Memory]) -> NumberedMemories:
    """Number the first 80 memories m1, m2 …"""
    return NumberedMemories({f"m{number}": memory for number, memory in enumerate(memories[:SHOWN], start=1)})


def ask_model(
    model: ChatModel, task: Task, shown: NumberedMemories, shape: type[Shape], *, whole: bool = False
) -> Shape:
    """Ask a model about memories.

    Args:
        model: The chat model.
        task: What the model has to do.
        shown: The memories.
        shape: Schema of the answer.
        whole: Whether to send texts in full instead of their first 600 characters.

    Raises:
        ModelError: If the call fails or the answer is invalid.
    """
    texts = redact_together([memory.content for memory in shown.memories.values()])
    lines = [
        _line(name, memory, text if whole else text[:SHOWN_CHARACTERS])
        for (name, memory), text in zip(shown.memories.items(), texts, strict=True)
    ]
    mark = new_mark(lines)
    data = fence_lines("memories", lines, mark)
    messages: list[ChatMessage] = [
        {"role": "system", "content": get_instructions(task, texts, mark)},
        {"role": "user", "content": data},
    ]
    return ask_structured(model, messages, shape)


def _line(name: str, memory: Memory, text: str) -> str:
    """Return a memory as one line of JSON, without invisible characters."""
    plain = "".join(
        " " if unicodedata.category(character) in {"Cc", "Zl", "Zp"} else character
        for character in text
        if unicodedata.category(character) not in {"Cf", "Co", "Cs", "Cn"}
    )
    at = memory.valid_from or memory.occurred_at or memory.created_at
    return json.dumps({"id": name, "at": at.date().isoformat(), "text": plain}, ensure_ascii=False)
