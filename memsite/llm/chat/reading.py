"""Find the JSON in a model's answer, and read it even if its shape differs from the requested one."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final, TypeVar, get_origin

from pydantic import BaseModel, ValidationError

T = TypeVar("T", bound=BaseModel)

_THINK_END: Final = "</think>"
_LEADING_THOUGHT: Final = re.compile(r"\s*<think>.*?(?:</think>\s*|\Z)", re.DOTALL)
#: Where an object or a list may begin; a brace in a sentence ("{name}") does not match.
_BEGINNING: Final = re.compile(r'\{\s*["}]|\[\s*["\[{\]\d\-tfn]')
#: Most JSON values to read in one answer.
_VALUES: Final = 20


class NoJson(Exception):
    """The answer contains no whole JSON object or list."""


def remove_thought(text: str) -> str:
    """Remove a `<think>` part from the beginning; if it never ends, the result is empty."""
    thought = _LEADING_THOUGHT.match(text)
    return text[thought.end() :] if thought else text


def read_json(text: str, shape: type[T]) -> T:
    """Return the longest JSON value of the text that validates as `shape`.

    Text after a `</think>` is tried first. If the shape has exactly one list, a JSON list, or an object that
    shares no key with the shape, is read as that list. If the shape expects a list, one object is read as a
    list of it. JSON that begins and does not end is not searched for parts, because half an answer is
    unusable.

    Args:
        text: A model's answer.
        shape: The expected pydantic model.

    Raises:
        NoJson: If there is no whole JSON value.
        ValidationError: Of the first value, if no value validates.
    """
    answer = remove_thought(text)
    _, thought_ends, after = answer.rpartition(_THINK_END)
    if not thought_ends:
        return _read(answer, shape)
    try:
        return _read(after, shape)
    except NoJson:  # the mark was part of the answer's own text
        return _read(answer, shape)


def make_storable(text: str) -> str:
    """Return the text as the database needs it: without NUL, lone surrogates joined or replaced by `�`."""
    clean = text.replace("\0", "")
    if clean.isascii():
        return clean
    return clean.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _read(text: str, shape: type[T]) -> T:
    fitting: list[tuple[int, T]] = []
    wrong: ValidationError | None = None
    for length, value in _values(text):
        try:
            fitting.append((length, shape.model_validate(_fitted(_storable(value), shape))))
        except ValidationError as error:
            wrong = wrong or error
    if fitting:
        return max(fitting, key=lambda found: found[0])[1]
    raise wrong or NoJson("it holds no whole JSON object")


def _values(text: str) -> Iterator[tuple[int, Any]]:
    """Yield (characters, value) of each JSON object or list that is not inside another."""
    decoder = json.JSONDecoder(parse_constant=_no_number)
    place = 0
    for _ in range(_VALUES):
        begins = _BEGINNING.search(text, place)
        if begins is None:
            return
        try:
            value, place = decoder.raw_decode(text, begins.start())
        except (ValueError, RecursionError):
            return
        yield place - begins.start(), value


def _no_number(name: str) -> float:
    raise ValueError(f"{name} is no JSON")


def _storable(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    if isinstance(value, str):
        return make_storable(value)
    if isinstance(value, list):
        return [_storable(item) for item in value]
    if isinstance(value, dict):
        return {make_storable(key): _storable(item) for key, item in value.items()}
    return value


def _fitted(value: Any, shape: type[BaseModel]) -> Any:  # noqa: ANN401 - any JSON value
    """Return the value with lists where the shape has them."""
    lists = [name for name, field in shape.model_fields.items() if get_origin(field.annotation) is list]
    names = {field.alias or name for name, field in shape.model_fields.items()}
    only = lists[0] if len(lists) == 1 else None
    if isinstance(value, list):
        return {only: value} if only else (value[0] if len(value) == 1 else value)
    if not isinstance(value, dict):
        return value
    if only and value and not names & value.keys():
        return {only: [value]}
    return {key: [item] if key in lists and isinstance(item, dict) else item for key, item in value.items()}
