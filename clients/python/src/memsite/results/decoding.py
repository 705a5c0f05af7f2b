"""Build the dataclasses of results from JSON; a page of them."""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from datetime import date, datetime
from functools import cache
from typing import Any, Generic, TypeVar, Union, cast, get_args, get_origin, get_type_hints

T = TypeVar("T")

#: Fields whose name in JSON is a word that Python reserves, or that says too little beside other results.
_NAMES = {"import_id": "import"}


@dataclass(frozen=True, kw_only=True)
class Page(Generic[T]):
    """One page of a list; `next_cursor` is the `cursor` of the page after it, None at the end."""

    results: tuple[T, ...]
    next_cursor: str | None
    previous_cursor: str | None


def decode(kind: type[T], value: object) -> T:
    """Return a JSON value as a value of this type.

    Fields that the type does not have are left out, so that a newer server can add some.

    Args:
        kind: A dataclass of this package, or a type of one of its fields.
        value: Parsed JSON.

    Raises:
        ValueError: If a field is missing or of another type.
    """
    return cast("T", _decode(kind, value))


def _decode(kind: Any, value: Any) -> Any:
    if kind is Any:
        return value
    if is_dataclass(kind):
        return _decode_fields(kind, value)
    origin = get_origin(kind)
    if origin in {Union, types.UnionType}:
        return _decode_optional(get_args(kind), value)
    if origin is tuple:
        return tuple(_decode(get_args(kind)[0], item) for item in _checked(list, value))
    if origin is not None and issubclass(origin, Mapping):
        item_kind = get_args(kind)[1]
        return {name: _decode(item_kind, item) for name, item in _checked(dict, value).items()}
    return _decode_scalar(kind, value)


def _decode_fields(kind: Any, value: Any) -> Any:
    given = _checked(dict, value)
    decoded = {}
    for name, field_kind in _field_kinds(kind).items():
        key = _NAMES.get(name, name)
        if key in given:
            decoded[name] = _decode(field_kind, given[key])
    try:
        return kind(**decoded)
    except TypeError as error:
        raise ValueError(f"{kind.__name__}: {error}") from error


@cache
def _field_kinds(kind: Any) -> dict[str, Any]:
    hints = get_type_hints(kind)
    return {field.name: hints[field.name] for field in fields(kind)}


def _decode_optional(kinds: tuple[Any, ...], value: Any) -> Any:
    if value is None and type(None) in kinds:
        return None
    [kind] = [kind for kind in kinds if kind is not type(None)]
    return _decode(kind, value)


def _decode_scalar(kind: Any, value: Any) -> Any:
    if kind is datetime:
        return datetime.fromisoformat(_checked(str, value).replace("Z", "+00:00"))
    if kind is date:
        return date.fromisoformat(_checked(str, value))
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    return _checked(kind, value)


def _checked(kind: Any, value: Any) -> Any:
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise ValueError(f"expected {kind.__name__}, got {type(value).__name__}")
    return value
