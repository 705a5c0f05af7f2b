"""Write the typed events of a response while the chunks of a chat completion arrive. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from memsite.llm.chat import CollectedAnswer
from threads.completions.responses.items import make_item_id, render_message_items
from threads.completions.responses.tools import ClientTool
from threads.completions.values import encode_json

Event = dict[str, Any]
_TEXT: Final = "output_text"


@dataclass(slots=True)
class _OpenItem:
    """An item that is being written.

    Attributes:
        text: The text, or a call's arguments, so far.
        call: Place of the tool call; None for the message.
    """

    output_index: int
    item: dict[str, Any]
    text: str = ""
    call: int | None = None
    is_done: bool = False


class ResponseWriter:
    """Turns chunks into events, with numbers in their order.

    Args:
        row: The id from which the ids of the items are made.
        tools: The client's tools, by the names of the functions that represent them.
    """

    def __init__(self, row: UUID, tools: Mapping[str, ClientTool]) -> None:
        self._row = row
        self._tools = tools
        self._number = 0
        self._items: list[_OpenItem] = []

    def write(self, kind: str, **fields: Any) -> bytes:
        """Return one event as bytes."""
        event = {"type": kind, "sequence_number": self._number, **fields}
        self._number += 1
        return f"event: {kind}\ndata: ".encode() + encode_json(event) + b"\n\n"

    def add_chunk(self, data: str) -> Iterator[bytes]:
        """Yield the events for one chunk of the server's stream."""
        try:
            chunk = json.loads(data)
        except (ValueError, RecursionError):
            return
        choices = chunk.get("choices") if isinstance(chunk, dict) else None
        for choice in choices if isinstance(choices, list) else ():
            if isinstance(choice, dict) and choice.get("index", 0) == 0:
                delta = choice.get("delta")
                if isinstance(delta, dict):
                    yield from self._add_delta(delta)

    def finish(self) -> Iterator[bytes]:
        """Yield the events that end the open items."""
        for one in self._items:
            yield from self._finish_item(one)

    def list_output(self, collected: CollectedAnswer) -> list[dict[str, Any]]:
        """Return the items of the whole answer, in the order in which they were begun."""
        if self._items:
            return [one.item for one in self._items]
        message = {"role": "assistant", "content": collected.text, "tool_calls": collected.tool_calls}
        items = render_message_items(message, self._row)
        return [self._restore(item) for item in items]

    def _restore(self, item: dict[str, Any]) -> dict[str, Any]:
        """Return a call of a function as a call of the client's tool; any other item as it is."""
        tool = self._tools.get(item.get("name", ""))
        return tool.restore_call(item) if tool is not None else dict(item)

    def _add_delta(self, delta: Mapping[str, Any]) -> Iterator[bytes]:
        text = delta.get("content")
        if isinstance(text, str) and text:
            yield from self._add_text(text)
        calls = delta.get("tool_calls")
        for place, call in enumerate(calls if isinstance(calls, list) else ()):
            if isinstance(call, dict) and isinstance(call.get("function"), dict):
                index = call.get("index", place)
                yield from self._add_call(index if isinstance(index, int) else place, call)

    def _add_text(self, text: str) -> Iterator[bytes]:
        one = next((one for one in self._items if one.call is None), None)
        if one is None:
            item = {"id": make_item_id("msg", self._row), "type": "message", "role": "assistant"}
            one = self._begin({**item, "status": "in_progress", "content": []}, None)
            yield self._write_added(one)
            yield self.write("response.content_part.added", **self._place(one), part=_render_part(""))
        one.text += text
        yield self.write("response.output_text.delta", **self._place(one), delta=text, logprobs=[])

    def _add_call(self, index: int, call: Mapping[str, Any]) -> Iterator[bytes]:
        one = next((one for one in self._items if one.call == index), None)
        function = call["function"]
        if one is None:
            yield from (event for item in self._items for event in self._finish_item(item))
            item = {"id": make_item_id("fc", self._row, index), "type": "function_call"}
            named = {"call_id": str(call.get("id") or ""), "name": str(function.get("name") or "")}
            one = self._begin({**item, "status": "in_progress", "arguments": "", **named}, index)
            yield self._write_added(one)
        piece = function.get("arguments")
        if isinstance(piece, str) and piece:
            one.text += piece
            tool = self._tools.get(one.item["name"])
            if tool is not None and tool.is_custom:
                return  # its text is known at the end
            place = {"item_id": one.item["id"], "output_index": one.output_index}
            yield self.write("response.function_call_arguments.delta", **place, delta=piece)

    def _begin(self, item: dict[str, Any], call: int | None) -> _OpenItem:
        one = _OpenItem(len(self._items), item, call=call)
        self._items.append(one)
        return one

    def _write_added(self, one: _OpenItem) -> bytes:
        item = self._restore(one.item)
        return self.write("response.output_item.added", output_index=one.output_index, item=item)

    def _finish_item(self, one: _OpenItem) -> Iterator[bytes]:
        if one.is_done:
            return
        one.is_done = True
        if one.call is None:
            part = _render_part(one.text)
            yield self.write("response.output_text.done", **self._place(one), text=one.text, logprobs=[])
            yield self.write("response.content_part.done", **self._place(one), part=part)
            one.item |= {"content": [part]}
        else:
            one.item = self._restore(one.item | {"arguments": one.text})
            yield from self._finish_call(one)
        one.item |= {"status": "completed"}
        yield self.write("response.output_item.done", output_index=one.output_index, item=dict(one.item))

    def _finish_call(self, one: _OpenItem) -> Iterator[bytes]:
        place = {"item_id": one.item["id"], "output_index": one.output_index}
        text = one.item.get("input")
        if text is None:
            named = {"name": one.item["name"], "arguments": one.text}
            yield self.write("response.function_call_arguments.done", **place, **named)
        else:
            yield self.write("response.custom_tool_call_input.delta", **place, delta=text)
            yield self.write("response.custom_tool_call_input.done", **place, input=text)

    def _place(self, one: _OpenItem) -> dict[str, Any]:
        return {"item_id": one.item["id"], "output_index": one.output_index, "content_index": 0}


def _render_part(text: str) -> dict[str, Any]:
    return {"type": _TEXT, "text": text, "annotations": [], "logprobs": []}
