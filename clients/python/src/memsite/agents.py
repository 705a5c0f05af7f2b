"""The OpenAI Agents SDK on a Memsite: a session that is a thread, and the tools `remember` and `recall`.

Runner.run(Agent(..., tools=memory_tools(memsite)), "Hi", session=MemsiteSession("chat-7", memsite))
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from typing import Any, Final

from agents import FunctionTool, function_tool
from agents.memory.session import SessionABC
from agents.memory.session_settings import SessionSettings, resolve_session_limit

from memsite.client import AsyncMemsite
from memsite.errors import Invalid, MemsiteError
from memsite.results import Message

log = logging.getLogger(__name__)

_STATE: Final = "agents"
_AWAY: Final = "Memory is away. Go on without it."


class MemsiteSession(SessionABC):
    """A session of the SDK as a thread; Memsite learns from its messages.

    While Memsite is away, the session is empty, and new items are lost with a line in the log.

    Args:
        session_id: The session's id in your program, up to 200 characters.
        memsite: A client.
        session_settings: Of the SDK; `limit` is the number of items that a run is given.
    """

    def __init__(
        self, session_id: str, memsite: AsyncMemsite, session_settings: SessionSettings | None = None
    ) -> None:
        self.session_id = session_id
        self.session_settings = session_settings or SessionSettings()
        self._memsite = memsite

    async def get_items(self, limit: int | None = None) -> list[Any]:
        """Return the items of the session, oldest first; with a limit the newest."""
        most = resolve_session_limit(limit, self.session_settings)
        items: list[Any] = []
        if most is not None and most <= 0:
            return items
        try:
            thread = await self._thread()
            async for message in self._memsite.threads.all_messages(thread, order="desc"):
                items.append(_to_item(message))
                if len(items) == most:
                    break
        except MemsiteError as error:
            log.warning("Memory is away: %s", error)
            return []
        return items[::-1]

    async def add_items(self, items: list[Any]) -> None:
        """Add items."""
        if not items:
            return
        try:
            thread = await self._thread()
            try:
                await self._memsite.threads.append_many(thread, [_to_message(item) for item in items])
            except Invalid:  # a result without its call, for one: the thread keeps them as they are
                await self._memsite.threads.append_many(thread, [_as_note(item) for item in items])
        except MemsiteError as error:
            log.warning("Memory is away; %d items are lost: %s", len(items), error)

    async def pop_item(self) -> Any:
        """Remove the newest item and return it; None if there is none."""
        try:
            thread = await self._thread()
            newest = await self._memsite.threads.messages(thread, order="desc", page_size=1)
            if not newest.results:
                return None
            await self._memsite.threads.delete_message(thread, newest.results[0].id)
        except MemsiteError as error:
            log.warning("Memory is away: %s", error)
            return None
        return _to_item(newest.results[0])

    async def clear_session(self) -> None:
        """Delete all items of the session."""
        try:
            await self._memsite.threads.clear_messages(await self._thread())
        except MemsiteError as error:
            log.warning("Memory is away; the session was not cleared: %s", error)

    async def _thread(self) -> str:
        return (await self._memsite.threads.create(external_id=self.session_id)).id


def memory_tools(memsite: AsyncMemsite) -> list[FunctionTool]:
    """Return the tools `remember` and `recall` for an agent."""

    async def remember(fact: str) -> str:
        """Keep a fact about the person, in one sentence that can be understood alone.

        Args:
            fact: Such as "Ann's sister is named Maria."
        """
        try:
            return f"{(await memsite.memories.add(fact)).action}"
        except MemsiteError as error:
            return _failed(error)

    async def recall(query: str) -> str:
        """Search what is known about the person.

        Args:
            query: What to look for.
        """
        try:
            found = (await memsite.memories.search(query)).memories
        except MemsiteError as error:
            return _failed(error)
        return "\n".join(f"- {memory.content}" for memory in found) or "Nothing is known about this."

    return [function_tool(remember), function_tool(recall)]


def _failed(error: MemsiteError) -> str:
    if isinstance(error, Invalid) or getattr(error, "code", "") == "refused_by_gate":
        return f"Not kept: {error}"
    log.warning("Memory is away: %s", error)
    return _AWAY


def _to_message(item: Mapping[str, Any]) -> dict[str, Any]:
    """Return an item as a message of the API; its `state` holds the item as it is."""
    state = {_STATE: dict(item)}
    kind = item.get("type", "message")
    if kind == "function_call":
        function = {"name": item["name"], "arguments": item.get("arguments", "")}
        call = {"id": item["call_id"], "type": "function", "function": function}
        return {"role": "assistant", "content": "", "tool_calls": [call], "state": state}
    if kind == "function_call_output":
        content = _text(item.get("output"))
        return {"role": "tool", "content": content, "tool_call_id": item["call_id"], "state": state}
    if kind == "message" and item.get("role") in {"user", "assistant", "system", "developer"}:
        role = "system" if item["role"] == "developer" else item["role"]
        return {"role": role, "content": _text(item.get("content")), "state": state}
    return _as_note(item)


def _as_note(item: Mapping[str, Any]) -> dict[str, Any]:
    """Return an item as a message from which nothing is learnt."""
    name = str(item.get("type") or item.get("role") or "item")
    return {
        "role": "assistant",
        "content": f"[{name}]",
        "state": {_STATE: dict(item)},
        "do_not_remember": True,
    }


def _to_item(message: Message) -> Any:
    kept = message.state.get(_STATE)
    if isinstance(kept, dict):
        return kept
    role = message.role if message.role in {"user", "assistant", "system"} else "assistant"
    return {"role": role, "content": message.content}


def _text(content: Any) -> str:
    """Return the text of an item's content: a text, or a list of parts."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(str(part.get("text", "")) for part in content if isinstance(part, dict)).strip()
    return "" if content is None else json.dumps(content, ensure_ascii=False)
