"""Make a JSON schema strict for servers that enforce one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from memsite.llm.chat.chat import JsonSchema

#: Not all servers that enforce a schema know these; the answer is checked against the whole shape anyway.
_LEFT_OUT: Final = frozenset({"default", "examples", "minLength", "maxLength", "pattern"})
_BY_NAME: Final = frozenset({"properties", "$defs"})
_LISTS: Final = frozenset({"anyOf", "allOf", "oneOf", "prefixItems"})


class _FreeKeys(Exception):
    """An object of the schema accepts any key."""


def make_strict_schema(schema: JsonSchema) -> dict[str, Any]:
    """Return the `response_format` of a schema: every object closed, every property required, as strict mode
    needs.

    A schema with an object that accepts any key cannot be strict and is sent unchanged.
    """
    try:
        body, strict = _closed(schema.body), True
    except _FreeKeys:
        body, strict = schema.body, False
    return {"type": "json_schema", "json_schema": {"name": schema.name, "schema": body, "strict": strict}}


def _closed(schema: Any) -> Any:  # noqa: ANN401 - a schema, or true and false which are schemas too
    if not isinstance(schema, Mapping):
        return schema
    if "$ref" in schema:  # strict mode allows nothing beside it
        return {"$ref": schema["$ref"]}
    if schema.get("type") == "object" and not schema.get("properties"):
        raise _FreeKeys
    closed = {key: _part(key, part) for key, part in schema.items() if key not in _LEFT_OUT}
    if "properties" in closed:
        closed |= {"required": list(closed["properties"]), "additionalProperties": False}
    return closed


def _part(key: str, part: Any) -> Any:  # noqa: ANN401 - any value of a schema
    if key in _BY_NAME:
        return {name: _closed(inner) for name, inner in part.items()}
    if key in _LISTS:
        return [_closed(inner) for inner in part]
    return _closed(part) if key == "items" else part
