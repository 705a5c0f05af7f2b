"""The three tools as clients see them: names, descriptions and schemas, by the scopes of a key."""

from __future__ import annotations

from typing import Any, Final

from mcp_types import Tool, ToolAnnotations

from memories.mcp.arguments import (
    DEFAULT_RESULTS,
    MAX_BATCH,
    MAX_CONTENT,
    MAX_IDS,
    MAX_OFFSET,
    MAX_QUERY,
    MAX_RESULTS,
    USES,
    ToolAction,
    list_actions,
)
from memories.values import Kind, Layer
from memsite.accounts.models import Scope

MEMORY: Final = "memory"
SEARCH: Final = "search"
FETCH: Final = "fetch"

_DATE: Final = {"type": "string", "description": "ISO 8601, such as 2025-03-01"}
_TEXT: Final = {"type": "string"}
#: The arguments of `memory`; the schema has those that the allowed actions take.
_PROPERTIES: Final[dict[str, dict[str, Any]]] = {
    "content": {"type": "string", "maxLength": MAX_CONTENT},
    "id": {"type": "string", "description": "as in [m:4f2a91c0], or whole"},
    "ids": {"type": "array", "items": {"type": "string"}, "maxItems": MAX_IDS},
    "query": {"type": "string", "maxLength": MAX_QUERY},
    "batch": {"type": "array", "items": {"type": ["object", "string"]}, "maxItems": MAX_BATCH},
    "kind": {"type": "string", "enum": list(Kind)},
    "layer": {"type": "string", "enum": list(Layer)},
    "tags": {"type": "array", "items": {"type": "string", "maxLength": 64}},
    "metadata": {"type": "object"},
    "mode": {"type": "string", "enum": ["replace", "append"]},
    "sort": {"type": "string", "enum": ["relevance", "newest", "oldest", "importance"]},
    "what": {"type": "string", "enum": ["consolidate", "facts", "patterns", "compress", "infer"]},
    "when": _DATE | {"description": "when it happened, ISO 8601"},
    "since": _DATE,
    "until": _DATE,
    "limit": {"type": "integer", "minimum": 1, "maximum": MAX_RESULTS, "default": DEFAULT_RESULTS},
    "offset": {"type": "integer", "minimum": 0, "maximum": MAX_OFFSET, "default": 0},
    "dry_run": {"type": "boolean"},
    "max_age_days": {"type": "integer", "minimum": 0},
    "min_access_count": {"type": "integer", "minimum": 0},
}
_LINK: Final = {
    "type": "object",
    "properties": {"id": _TEXT, "title": _TEXT, "url": _TEXT},
    "required": ["id", "title", "url"],
}
_READING: Final = ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)
_WRITING: Final = ToolAnnotations(
    read_only_hint=False, destructive_hint=True, idempotent_hint=False, open_world_hint=False
)


def list_tools(scopes: frozenset[str]) -> list[Tool]:
    """Return the tools that a key with these scopes may use, always in the same order."""
    actions = list_actions(scopes)
    tools = [_describe_memory(actions)] if actions else []
    return [*tools, _SEARCH, _FETCH] if Scope.READ in scopes else tools


def _describe_memory(actions: tuple[ToolAction, ...]) -> Tool:
    taken = {name for action in actions for name in (*USES[action].needs, *USES[action].takes)}
    properties = {"action": {"type": "string", "enum": list(actions)}}
    properties |= {name: schema for name, schema in _PROPERTIES.items() if name in taken}
    may_change = any(Scope.WRITE in USES[action].scopes for action in actions)
    heading = "Long-term memory of this person, kept between conversations. By action:"
    return Tool(
        name=MEMORY,
        title="Memory",
        description="\n".join([heading, *(USES[action].help for action in actions)]),
        input_schema={
            "type": "object",
            "properties": properties,
            "required": ["action"],
            "additionalProperties": False,
        },
        annotations=_WRITING if may_change else _READING,
    )


_SEARCH: Final = Tool(
    name=SEARCH,
    title="Search memories",
    description="Find memories of this person that answer a query. Returns id, title and url of each.",
    input_schema={
        "type": "object",
        "properties": {"query": {"type": "string", "maxLength": MAX_QUERY}},
        "required": ["query"],
        "additionalProperties": False,
    },
    output_schema={
        "type": "object",
        "properties": {"results": {"type": "array", "items": _LINK}},
        "required": ["results"],
    },
    annotations=_READING,
)
_FETCH: Final = Tool(
    name=FETCH,
    title="Read a memory",
    description="Read one memory whole, by an id that search returned.",
    input_schema={
        "type": "object",
        "properties": {"id": _TEXT},
        "required": ["id"],
        "additionalProperties": False,
    },
    output_schema={
        "type": "object",
        "properties": {
            **dict.fromkeys(("id", "title", "text", "url"), _TEXT),
            "metadata": {"type": "object", "additionalProperties": _TEXT},
        },
        "required": ["id", "title", "text", "url"],
    },
    annotations=_READING,
)
