"""Ask a model for a validated object: read its answer tolerantly, and ask once more if it cannot be read."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final, TypeVar

from pydantic import BaseModel, ValidationError

from memsite.llm.chat import retry
from memsite.llm.chat.chat import ChatMessage, ChatModel, Completion, JsonSchema
from memsite.llm.chat.reading import NoJson, read_json

T = TypeVar("T", bound=BaseModel)

#: Characters of an unusable answer, and of the list of its problems, that are sent back to the model.
_SHOWN: Final = 8_000
_REPAIR_INSTRUCTION: Final = 1_500


def ask_structured(
    model: ChatModel,
    messages: Sequence[ChatMessage],
    shape: type[T],
    *,
    temperature: float = 0.3,
    max_tokens: int | None = None,
) -> T:
    """Return the model's answer as a `shape`.

    Code fences, `<think>` parts and text around the JSON are removed; a list, or one of its items, is read as
    an object whose only list it fits (see `reading`). An answer that still does not fit is sent back once,
    with its problems and the schema.

    Args:
        model: The model to ask.
        messages: The conversation.
        shape: The pydantic model of the answer.
        temperature: Sampling temperature.
        max_tokens: Most tokens of the answer.

    Raises:
        ModelError: Of the call, or with reason `bad_answer` after the second answer.
    """
    schema = JsonSchema(shape.__name__, shape.model_json_schema())

    def once(turns: Sequence[ChatMessage]) -> Completion:
        return model.complete(turns, temperature=temperature, max_tokens=max_tokens, schema=schema)

    first = once(messages)
    try:
        return read_json(first.text, shape)
    except (NoJson, ValidationError) as error:
        repair = _repair(first, error, schema)
    try:
        return read_json(once([*messages, *repair]).text, shape)
    except NoJson:
        raise retry.bad_answer_error("it holds no whole JSON object") from None
    except ValidationError:
        raise retry.bad_answer_error("its JSON does not have the shape that was asked for") from None


def _repair(answer: Completion, error: NoJson | ValidationError, schema: JsonSchema) -> list[ChatMessage]:
    cut = " It was cut off: answer more briefly." if answer.finish_reason == "length" else ""
    wrong = (
        f"Your answer cannot be used: {_problems(error)[:_REPAIR_INSTRUCTION]}.{cut}\n"
        "Answer again with one JSON object and nothing else, after this JSON schema:\n"
        f"{json.dumps(schema.body, ensure_ascii=False, separators=(',', ':'))}"
    )
    return [
        {"role": "assistant", "content": answer.text[:_SHOWN]},
        {"role": "user", "content": wrong},
    ]


def _problems(error: NoJson | ValidationError) -> str:
    """Return what is wrong, field by field; at most five problems."""
    if isinstance(error, NoJson):
        return str(error)
    found = error.errors(include_url=False, include_input=False, include_context=False)
    return "; ".join(f"{'.'.join(str(part) for part in item['loc'])}: {item['msg']}" for item in found[:5])
