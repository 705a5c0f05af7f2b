"""Send messages to `/mcp` through the site's ASGI application: raw ones, and by the clients of `mcp`.

The pieces of work run on the test's own thread (`OwnLoop`), within its transaction.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import Implementation

from memsite import asgi
from memsite.accounts.keys import issue_key
from memsite.accounts.models import User
from memsite.serving.streaming import OwnLoop

T = TypeVar("T")
SITE = "http://localhost"
MODERN = "2026-07-28"
HANDSHAKE = "2025-11-25"
ERAS = ["legacy", MODERN]


@dataclass
class Answer:
    """An answer to a raw request."""

    status: int
    headers: httpx2.Headers
    content: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.content)


def make_key(user: User, *scopes: str) -> str:
    return issue_key(user, name="my laptop", scopes=scopes or ("read", "write"))[1]


@asynccontextmanager
async def http_client(headers: dict[str, str]) -> AsyncIterator[httpx2.AsyncClient]:
    """An HTTP client of the site, which serves `/mcp` within the block."""
    application: Any = asgi.application
    transport = httpx2.ASGITransport(app=application)
    async with (
        asgi._mcp.run(),  # noqa: SLF001 - what the site's lifespan enters
        httpx2.AsyncClient(transport=transport, headers=headers) as client,
    ):
        yield client


def with_client(key: str, work: Callable[[Client], Awaitable[T]], *, mode: str = MODERN, user: str = "") -> T:
    """Return what `work` does with a connected client."""

    async def run() -> T:
        headers = {"Authorization": f"Bearer {key}", **({"Memsite-User": user} if user else {})}
        async with http_client(headers) as http:
            transport = streamable_http_client(f"{SITE}/mcp", http_client=http)
            info = Implementation(name="probe", version="1")
            async with Client(transport, mode=mode, client_info=info, cache=None) as client:
                return await work(client)

    with OwnLoop() as loop:
        return loop.run(run())


def call(key: str, tool: str, *, mode: str = MODERN, user: str = "", **arguments: Any) -> Any:
    """Return the result of one call of a tool."""
    return with_client(key, lambda client: client.call_tool(tool, arguments), mode=mode, user=user)


def do(key: str, action: str, **arguments: Any) -> Any:
    """Return the result of one action of the tool `memory`."""
    return call(key, "memory", action=action, **arguments)


def text_of(result: Any) -> str:
    return str(result.content[0].text)


def post(message: Any, key: str = "", *, method: str = "POST", **headers: str) -> Answer:
    """Send one raw request; `headers` with `_` for `-`."""

    async def run() -> Answer:
        named = {
            "Accept": "application/json, text/event-stream",
            "Content-Type": "application/json",
            **({"Authorization": f"Bearer {key}"} if key else {}),
            **{name.replace("_", "-"): value for name, value in headers.items()},
        }
        content = message if isinstance(message, bytes) else json.dumps(message).encode()
        async with http_client(named) as client:
            response = await client.request(method, f"{SITE}/mcp", content=content)
            return Answer(response.status_code, response.headers, response.content)

    with OwnLoop() as loop:
        return loop.run(run())


def request(method: str, **params: Any) -> dict[str, Any]:
    """Return a message of the era with a handshake."""
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
