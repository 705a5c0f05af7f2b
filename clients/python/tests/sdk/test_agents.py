"""The session and the tools of the OpenAI Agents SDK; the behaviours of the SDK's own tests of sessions."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine
from typing import Any
from uuid import uuid4

import pytest

pytest.importorskip("agents")

from agents.memory.session import Session
from agents.tool_context import ToolContext

from memsite import AsyncMemsite
from memsite.agents import MemsiteSession, memory_tools

ITEMS: list[Any] = [
    {"role": "user", "content": "Look at the tea."},
    {"type": "reasoning", "id": "rs_1", "summary": []},
    {"type": "function_call", "call_id": "c1", "name": "look", "arguments": '{"at": "tea"}', "id": "fc_1"},
    {"type": "function_call_output", "call_id": "c1", "output": "green"},
    {
        "type": "message",
        "role": "assistant",
        "content": [{"type": "output_text", "text": "It is green.", "annotations": []}],
    },
]


def run(site: tuple[str, str], act: Callable[[AsyncMemsite], Coroutine[Any, Any, Any]]) -> Any:
    async def use() -> Any:
        async with AsyncMemsite(*site, retries=0) as client:
            return await act(client)

    return asyncio.run(use())


def test_items_come_back_as_they_were(site: tuple[str, str]) -> None:
    async def act(client: AsyncMemsite) -> None:
        session = MemsiteSession(uuid4().hex, client)
        assert isinstance(session, Session)
        await session.add_items(ITEMS)
        assert await session.get_items() == ITEMS
        assert await session.get_items(2) == ITEMS[-2:]
        assert await session.get_items(0) == []
        assert await MemsiteSession(session.session_id, client).get_items() == ITEMS

    run(site, act)


def test_newest_item_is_popped(site: tuple[str, str]) -> None:
    async def act(client: AsyncMemsite) -> None:
        session = MemsiteSession(uuid4().hex, client)
        assert await session.pop_item() is None
        await session.add_items(ITEMS)
        assert [await session.pop_item() for _ in ITEMS] == ITEMS[::-1]
        assert await session.get_items() == []

    run(site, act)


def test_cleared_session_is_empty_and_goes_on(site: tuple[str, str]) -> None:
    async def act(client: AsyncMemsite) -> None:
        session = MemsiteSession(uuid4().hex, client)
        await session.add_items(ITEMS)
        await session.clear_session()
        assert await session.get_items() == []
        await session.add_items(ITEMS[:1])
        assert await session.get_items() == ITEMS[:1]

    run(site, act)


def test_result_without_its_call_is_kept(site: tuple[str, str]) -> None:
    async def act(client: AsyncMemsite) -> None:
        session = MemsiteSession(uuid4().hex, client)
        await session.add_items([ITEMS[3]])
        assert await session.get_items() == [ITEMS[3]]

    run(site, act)


def test_sessions_are_separate(site: tuple[str, str]) -> None:
    async def act(client: AsyncMemsite) -> None:
        first, second = MemsiteSession(uuid4().hex, client), MemsiteSession(uuid4().hex, client)
        await first.add_items(ITEMS[:1])
        assert await second.get_items() == []

    run(site, act)


def test_runs_go_on_while_memory_is_away() -> None:
    async def act(client: AsyncMemsite) -> None:
        session = MemsiteSession("s", client)
        await session.add_items(ITEMS)
        await session.clear_session()
        assert (await session.get_items(), await session.pop_item()) == ([], None)

    run(("http://127.0.0.1:9", "msk_x"), act)


def test_tools_remember_and_recall(site: tuple[str, str]) -> None:
    async def act(client: AsyncMemsite) -> str:
        remember, recall = memory_tools(client)
        name = f"Zorp{uuid4().hex[:8]}"
        for tool, arguments in (
            (remember, {"fact": f"The ship is named {name}."}),
            (recall, {"query": name}),
        ):
            text = json.dumps(arguments)
            context = ToolContext(None, tool_name=tool.name, tool_call_id="c", tool_arguments=text)
            answer = str(await tool.on_invoke_tool(context, text))
        assert name in answer
        return answer

    run(site, act)
