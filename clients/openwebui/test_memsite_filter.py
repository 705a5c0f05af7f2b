"""The filter as Open WebUI 0.12 calls it: bodies and metadata of its source, against a live Memsite.

`MEMSITE_TEST_URL` and `MEMSITE_TEST_APPLICATION_KEY` (scopes read and write) name the site.
"""

from __future__ import annotations

import asyncio
import copy
import importlib.util
import os
import time
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest

_spec = importlib.util.spec_from_file_location(
    "memsite_filter", Path(__file__).with_name("memsite_filter.py")
)
assert _spec
assert _spec.loader
module = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(module)


@pytest.fixture
def person() -> dict[str, Any]:
    return {"id": uuid4().hex, "name": "Ann", "role": "user", "valves": module.Filter.UserValves()}


@pytest.fixture
def chat() -> dict[str, Any]:
    return {"chat_id": str(uuid4()), "message_id": "m2", "session_id": "s", "task": None}


@pytest.fixture
def made() -> Any:
    url, key = os.environ.get("MEMSITE_TEST_URL"), os.environ.get("MEMSITE_TEST_APPLICATION_KEY")
    if not url or not key:
        pytest.skip("no live site: MEMSITE_TEST_URL and MEMSITE_TEST_APPLICATION_KEY are not set")
    filtering = module.Filter()
    filtering.valves = module.Filter.Valves(url=url, key=key, seconds=30)
    return filtering


def api(made: Any, person: dict[str, Any], method: str, path: str, body: Any = None) -> Any:
    headers = {"Authorization": f"Bearer {made.valves.key}", "Memsite-User": person["id"]}
    response = httpx.request(method, made.valves.url + path, headers=headers, json=body, timeout=60)
    response.raise_for_status()
    return response.json()


def body(*turns: str, ids: str = "m") -> dict[str, Any]:
    """Return a body of `outlet`: user and assistant in turns."""
    roles = ("user", "assistant")
    messages = [{"id": f"{ids}{n}", "role": roles[n % 2], "content": text} for n, text in enumerate(turns)]
    return {"model": "x", "messages": messages}


def transcript(made: Any, person: Any, chat: Any) -> list[str]:
    thread = api(made, person, "POST", "/api/threads", {"external_id": chat["chat_id"]})["id"]
    found = api(made, person, "GET", f"/api/threads/{thread}/messages")["results"]
    return [one["content"] for one in found]


def test_memories_are_added_to_the_system_message_and_shown(made: Any, person: Any, chat: Any) -> None:
    name = f"Zorp{uuid4().hex[:8]}"
    api(made, person, "POST", "/api/memories", {"content": f"The ship is named {name}."})
    shown: list[Any] = []

    async def emit(event: Any) -> None:
        shown.append(event)

    sent = {
        "messages": [
            {"role": "system", "content": "Be short."},
            {"role": "user", "content": f"What is {name}?"},
        ]
    }
    changed = asyncio.run(made.inlet(sent, person, chat, emit))
    assert changed["messages"][0]["content"].startswith("Be short.\n\nWhat is known")
    assert f"The ship is named {name}." in changed["messages"][0]["content"]
    assert changed["messages"][1]["content"] == f"What is {name}?"
    assert shown[0]["data"]["document"] == [f"The ship is named {name}."]


def test_turns_are_stored_once(made: Any, person: Any, chat: Any) -> None:
    asyncio.run(made.outlet(body("Hi", "Hello"), person, chat))
    asyncio.run(made.outlet(body("Hi", "Hello"), person, chat))
    asyncio.run(made.outlet(body("Hi", "Hello", "Tea?", "Yes"), person, chat))
    assert transcript(made, person, chat) == ["Hi", "Hello", "Tea?", "Yes"]


def test_another_answer_becomes_a_branch(made: Any, person: Any, chat: Any) -> None:
    asyncio.run(made.outlet(body("Hi", "Hello"), person, chat))
    again = body("Hi", "Good day")
    again["messages"][1]["id"] = "other"
    asyncio.run(made.outlet(again, person, chat))
    assert transcript(made, person, chat) == ["Hi", "Good day"]


def test_edited_question_is_placed_after_the_answer_before_it(made: Any, person: Any, chat: Any) -> None:
    asyncio.run(made.outlet(body("Hi", "Hello"), person, chat))
    asyncio.run(made.outlet(body("Hi", "Hello", "Tea?", "Yes"), person, chat))
    edited = body("Hi", "Hello", "Coffee?", "No")
    edited["messages"][2]["id"], edited["messages"][3]["id"] = "e2", "e3"
    asyncio.run(made.outlet(edited, person, chat))
    assert transcript(made, person, chat) == ["Hi", "Hello", "Coffee?", "No"]


@pytest.mark.parametrize(
    "change",
    [
        {"task": "title_generation"},
        {"chat_id": "local:1"},
        {"chat_id": "temporary:1"},
        {"chat_id": "channel:1"},
        {"chat_id": None},
    ],
)
def test_tasks_and_temporary_chats_are_left_alone(person: Any, chat: Any, change: dict[str, Any]) -> None:
    filtering = module.Filter()
    filtering.valves = module.Filter.Valves(url="http://127.0.0.1:9", key="msk_x")
    assert not filtering._is_wanted(person, chat | change)
    assert filtering._is_wanted(person, chat)


def test_person_can_switch_it_off(person: Any, chat: Any) -> None:
    filtering = module.Filter()
    filtering.valves = module.Filter.Valves(key="msk_x")
    off = person | {"valves": module.Filter.UserValves(enabled=False)}
    assert not filtering._is_wanted(off, chat)


def test_chat_goes_on_within_two_seconds_while_memory_is_away(person: Any, chat: Any) -> None:
    async def talk() -> tuple[Any, Any]:
        async def silent(_reader: asyncio.StreamReader, _writer: asyncio.StreamWriter) -> None:
            await asyncio.sleep(30)

        server = await asyncio.start_server(silent, "127.0.0.1", 0)
        filtering = module.Filter()
        port = server.sockets[0].getsockname()[1]
        filtering.valves = module.Filter.Valves(url=f"http://127.0.0.1:{port}", key="msk_x", seconds=0.3)
        sent = {"messages": [{"role": "user", "content": "Hi"}]}
        before = copy.deepcopy(sent)
        return before, await filtering.inlet(sent, person, chat)

    started = time.monotonic()
    before, after = asyncio.run(talk())
    assert before == after
    assert time.monotonic() - started < 10
