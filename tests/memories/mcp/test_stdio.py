"""`manage.py mcp`: the client of `mcp` over stdio, with a live site behind it, and without one."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters

from memsite.accounts.keys import issue_key
from memsite.accounts.models import User
from tests.memories.mcp.live_site import live_site

ROOT = Path(__file__).parents[3]
#: No database answers here, so that the command fails if it asks for one.
ALONE = {
    "MEMSITE_SECRET_KEY": "only-for-tests",
    "DATABASE_URL": "postgres://nobody@127.0.0.1:1/none",
    "MEMSITE_DATA_DIR": "/nonexistent",
    "PATH": os.environ["PATH"],
}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
def test_messages_pass_without_a_database(alice: User, mode: str) -> None:
    async def use(environment: dict[str, str]) -> Any:
        server = StdioServerParameters(
            command=sys.executable, args=["manage.py", "mcp"], env=environment, cwd=ROOT
        )
        async with Client(server, mode=mode) as client:
            unknown = await client.call_tool("memory", {"action": "update", "id": "m:0", "content": "x"})
            added = await client.call_tool("memory", {"action": "add", "content": "Alice keeps bees"})
            return client.protocol_version, unknown, added

    _, key = issue_key(alice, name="laptop")
    with live_site() as site:
        found = asyncio.run(use({**ALONE, "MEMSITE_KEY": key, "MEMSITE_URL": f"http://{site}"}))
    version, unknown, added = found
    assert version == ("2025-11-25" if mode == "legacy" else "2026-07-28")
    assert unknown.content[0].text == "There is no such memory."
    assert added.content[0].text.startswith("Remembered as m:")


def test_absent_site_is_an_error_of_the_protocol() -> None:
    message = {"jsonrpc": "2.0", "id": 7, "method": "tools/list"}
    run = subprocess.run(
        [sys.executable, "manage.py", "mcp"],
        cwd=ROOT,
        env={**ALONE, "MEMSITE_KEY": "msk_a_b", "MEMSITE_URL": "http://127.0.0.1:1"},
        input="{\n" + json.dumps(message) + "\n",
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    broken, away = map(json.loads, run.stdout.splitlines())
    assert (broken["id"], broken["error"]["code"]) == (None, -32700)
    assert away["id"] == 7
    assert "cannot be reached" in away["error"]["message"]
