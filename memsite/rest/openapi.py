"""Parts of the API description that all operations share: the error answers."""

from __future__ import annotations

from typing import Any, Final

from pydantic import BaseModel

_ERROR: Final = {
    "type": "object",
    "required": ["code", "message", "detail"],
    "properties": {
        "code": {"type": "string", "description": "names the kind of error for programs"},
        "message": {"type": "string", "description": "one sentence for people"},
        "detail": {"description": "facts, such as errors by field; null where there are none"},
    },
}
_FAILURES: Final = {
    "400": "Invalid input: unknown field, wrong type, out of range.",
    "401": "No key, or a key that is not valid.",
    "403": "The key lacks the scope, or the person switched this off.",
    "404": "Not there, or not yours.",
    "408": "The body came too slowly.",
    "409": "Taken, or changed meanwhile.",
    "413": "Too large.",
    "422": "Refused by the gate.",
    "429": "Too many requests.",
    "503": "Something this needs is away.",
}


def describe_query(model: type[BaseModel]) -> Any:  # noqa: ANN401 - drf-spectacular takes pydantic models; its types do not say so
    """Return a pydantic model as the `parameters` of `extend_schema`."""
    return [model]


def describe_failures(result: dict[str, Any], **_context: object) -> dict[str, Any]:
    """Add the error answers to every operation (drf-spectacular's postprocessing hook)."""
    result["components"]["schemas"]["Error"] = _ERROR
    content = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    for operations in result["paths"].values():
        for operation in operations.values():
            for status, description in _FAILURES.items():
                operation["responses"].setdefault(status, {"description": description, "content": content})
    return result
