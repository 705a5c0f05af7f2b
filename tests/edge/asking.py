"""Send requests at the level of ASGI: headers and parts of a body, as a server passes them on."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from asgiref.testing import ApplicationCommunicator


@dataclass
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes


@dataclass
class Echo:
    """An application that answers 200 and records its request."""

    bodies: list[bytes] = field(default_factory=list)
    scopes: list[Any] = field(default_factory=list)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.scopes.append(scope)
        message = await receive()
        self.bodies.append(message["body"])
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})


def scope(*headers: tuple[str, str], path: str = "/api/memories", method: str = "POST") -> Any:
    named = [(name.lower().encode(), value.encode()) for name, value in (("Host", "localhost"), *headers)]
    return {
        "type": "http",
        "path": path,
        "raw_path": path.encode(),
        "method": method,
        "headers": named,
        "query_string": b"",
        "http_version": "1.1",
        "scheme": "http",
        "client": ("127.0.0.1", 40000),
        "server": ("127.0.0.1", 8000),
        "root_path": "",
    }


def ask(application: Any, request: Any, parts: Sequence[bytes] = (b"",), *, ended: bool = True) -> Answer:
    """Return the answer to a request whose body arrives in these parts; if not `ended`, more is announced."""
    return asyncio.run(_ask(application, request, parts, ended=ended))


async def _ask(application: Any, request: Any, parts: Sequence[bytes], *, ended: bool) -> Answer:
    connection: Any = ApplicationCommunicator(application, request)
    for number, part in enumerate(parts, start=1):
        more = number < len(parts) or not ended
        await connection.send_input({"type": "http.request", "body": part, "more_body": more})
    start = await connection.receive_output(20)
    body = b""
    while True:
        message = await connection.receive_output(20)
        body += message.get("body", b"")
        if not message.get("more_body"):
            break
    await connection.wait(20)
    headers = {name.decode(): value.decode() for name, value in start["headers"]}
    return Answer(start["status"], headers, body)
