"""Translate the tools of Responses to functions of the chat format, and calls of them back. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from memsite.errors import InvalidInput
from threads.completions.responses.items import CUSTOM_INPUT, as_custom_call, join_tool_name

_FIELDS: Final = ("description", "parameters", "strict")


@dataclass(frozen=True, slots=True)
class ClientTool:
    """A tool as the client names it.

    Attributes:
        namespace: The group that it belongs to; empty for none.
        is_custom: Whether it takes free text.
    """

    name: str
    namespace: str = ""
    is_custom: bool = False

    @property
    def function(self) -> str:
        """The name of the function that represents it."""
        return join_tool_name(self.namespace, self.name)

    def restore_call(self, item: dict[str, Any]) -> dict[str, Any]:
        """Return a call of the function as a call of this tool."""
        named = {**item, "name": self.name}
        if self.namespace:
            named["namespace"] = self.namespace
        return as_custom_call(named) if self.is_custom else named


def list_client_tools(body: Mapping[str, Any]) -> dict[str, ClientTool]:
    """Return the tools of a request by the names of the functions that represent them."""
    return {tool.function: tool for tool, _ in _walk(body.get("tools"))}


def translate_tools(tools: object) -> list[dict[str, Any]]:
    """Return functions for the tools of a request.

    Tools in namespaces become functions beside the others. Tools that OpenAI hosts, such as the search of the
    web, are left out: a chat server has only functions.

    Raises:
        InvalidInput: If it is no list, or a function has no name.
    """
    if not isinstance(tools, list):
        raise InvalidInput("tools is a list.", {"tools": "not a list"})
    return [_translate(tool, given) for tool, given in _walk(tools)]


def translate_tool_choice(choice: object) -> object:
    """Return which tool is to be called, in the chat format; None for a tool that is left out."""
    if not isinstance(choice, Mapping) or choice.get("type") == "allowed_tools":
        return choice
    if choice.get("type") not in ("function", "custom"):
        return None
    name = join_tool_name(choice.get("namespace"), str(choice.get("name")))
    return {"type": "function", "function": {"name": name}}


def _walk(tools: object, namespace: str = "") -> Iterator[tuple[ClientTool, Mapping[str, Any]]]:
    """Yield the functions and the tools with free text among these tools and their namespaces."""
    for tool in tools if isinstance(tools, list) else ():
        kind = tool.get("type") if isinstance(tool, Mapping) else None
        if kind not in ("function", "custom", "namespace"):
            continue
        name = tool.get("name")
        if not isinstance(name, str) or not name:
            raise InvalidInput("A tool has a name.", {"tools": "a name is missing"})
        if kind != "namespace":
            yield ClientTool(name, namespace, is_custom=kind == "custom"), tool
        elif not namespace:
            yield from _walk(tool.get("tools"), name)


def _translate(tool: ClientTool, given: Mapping[str, Any]) -> dict[str, Any]:
    if tool.is_custom:
        return {"type": "function", "function": {"name": tool.function, **_describe_custom_tool(given)}}
    fields = {field: given[field] for field in _FIELDS if given.get(field) is not None}
    return {"type": "function", "function": {"name": tool.function, **fields}}


def _describe_custom_tool(tool: Mapping[str, Any]) -> dict[str, Any]:
    """Return a function with one text in place of a tool with free text; a grammar becomes a description."""
    parts = [str(tool.get("description") or "")]
    shape = tool.get("format")
    if isinstance(shape, Mapping) and shape.get("definition"):
        parts.append(f"The input follows this {shape.get('syntax') or ''} grammar:\n{shape['definition']}")
    text = {"type": "object", "properties": {CUSTOM_INPUT: {"type": "string"}}, "required": [CUSTOM_INPUT]}
    return {"description": "\n\n".join(one for one in parts if one), "parameters": text}
