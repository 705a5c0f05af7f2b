"""The JSON in a model's answer: where it stands, and how it may differ from the shape that was asked for."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final, TypeVar, get_origin

from pydantic import BaseModel, ValidationError

T = TypeVar("T", bound=BaseModel)

_THINK_END: Final = "</think>"
_LEADING_THOUGHT: Final = re.compile(r"\s*<think>.*?(?:</think>\s*|\Z)", re.DOTALL)
#: Where an object or a list may begin: a brace in a sentence ("{name}") is none.
_BEGINNING: Final = re.compile(r'\{\s*["}]|\[\s*["\[{\]\d\-tfn]')
#: JSON values looked at in one answer.
_VALUES: Final = 20


class NoJson(Exception):
    """The answer holds no whole JSON object or list."""


def without_thought(text: str) -> str:
    """The answer without a `<think>` part at its beginning; one that never ends is all there is."""
    return _LEADING_THOUGHT.sub("", text, count=1) if _LEADING_THOUGHT.match(text) else text


def read(text: str, shape: type[T]) -> T:
    """The longest JSON value of the text that is a `shape`; what follows a `</think>` goes before all else.

    A list, or an object that shares no key with the shape, stands for the shape's list where it has just one;
    in a list's place, one object stands for a list of it. What begins as JSON and does not end is not
    searched for parts: half an answer is no answer. Raises NoJson, or the first value's ValidationError.
    """
    answer = without_thought(text)
    _, thought_ends, after = answer.rpartition(_THINK_END)
    if not thought_ends:
        return _read(answer, shape)
    try:
        return _read(after, shape)
    except NoJson:  # the mark stood in the answer's own text
        return _read(answer, shape)


def storable(text: str) -> str:
    """The text as the database takes it: without NUL, half characters (lone surrogates) made whole or `�`."""
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
    """(characters, value) of each JSON object or list that stands for itself."""
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
        return storable(value)
    if isinstance(value, list):
        return [_storable(item) for item in value]
    if isinstance(value, dict):
        return {storable(key): _storable(item) for key, item in value.items()}
    return value


def _fitted(value: Any, shape: type[BaseModel]) -> Any:  # noqa: ANN401 - any JSON value
    """The value with lists put where the shape has them."""
    lists = [name for name, field in shape.model_fields.items() if get_origin(field.annotation) is list]
    known = {field.alias or name for name, field in shape.model_fields.items()}
    only = lists[0] if len(lists) == 1 else None
    if isinstance(value, list):
        return {only: value} if only else (value[0] if len(value) == 1 else value)
    if not isinstance(value, dict):
        return value
    if only and value and not known & value.keys():
        return {only: [value]}
    return {key: [item] if key in lists and isinstance(item, dict) else item for key, item in value.items()}
