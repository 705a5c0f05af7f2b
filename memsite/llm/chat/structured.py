"""A model's answer as a validated object: tolerant reading, and one turn to mend what cannot be read."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final, TypeVar

from pydantic import BaseModel, ValidationError

from memsite.llm.chat import retry
from memsite.llm.chat.chat import ChatMessage, ChatModel, Completion, JsonSchema
from memsite.llm.chat.reading import NoJson, read

T = TypeVar("T", bound=BaseModel)

#: Characters of a bad answer that the model is shown again, and of what is told about it.
_SHOWN: Final = 8_000
_TOLD: Final = 1_500


def ask(
    model: ChatModel,
    messages: Sequence[ChatMessage],
    shape: type[T],
    *,
    temperature: float = 0.3,
    max_tokens: int | None = None,
) -> T:
    """The model's answer as a `shape`.

    Taken off are code fences, `<think>` parts and text around the JSON; a list, or one of its items, stands
    for an object whose only list it fits (see `reading`). An answer that still does not fit is sent back once
    with what is wrong and the schema. Raises ModelError of the call, or with reason `bad_answer` after the
    second answer.
    """
    schema = JsonSchema(shape.__name__, shape.model_json_schema())

    def once(turns: Sequence[ChatMessage]) -> Completion:
        return model.complete(turns, temperature=temperature, max_tokens=max_tokens, schema=schema)

    first = once(messages)
    try:
        return read(first.text, shape)
    except (NoJson, ValidationError) as error:
        repair = _repair(first, error, schema)
    try:
        return read(once([*messages, *repair]).text, shape)
    except NoJson:
        raise retry.bad_answer("it holds no whole JSON object") from None
    except ValidationError:
        raise retry.bad_answer("its JSON does not have the shape that was asked for") from None


def _repair(answer: Completion, error: NoJson | ValidationError, schema: JsonSchema) -> list[ChatMessage]:
    cut = " It was cut off: answer more briefly." if answer.finish_reason == "length" else ""
    wrong = (
        f"Your answer cannot be used: {_problems(error)[:_TOLD]}.{cut}\n"
        "Answer again with one JSON object and nothing else, after this JSON schema:\n"
        f"{json.dumps(schema.body, ensure_ascii=False, separators=(',', ':'))}"
    )
    return [
        {"role": "assistant", "content": answer.text[:_SHOWN]},
        {"role": "user", "content": wrong},
    ]


def _problems(error: NoJson | ValidationError) -> str:
    """What is wrong, field by field; at most five of them."""
    if isinstance(error, NoJson):
        return str(error)
    found = error.errors(include_url=False, include_input=False, include_context=False)
    return "; ".join(f"{'.'.join(str(part) for part in item['loc'])}: {item['msg']}" for item in found[:5])
