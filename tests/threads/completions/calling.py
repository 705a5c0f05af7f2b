"""Call `/v1` through the site's ASGI application, on the test's own thread and transaction."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from memsite import asgi
from memsite.serving.streaming import OwnLoop

PATIENCE = 60.0
User = dict[str, Any]


@dataclass
class Answer:
    """An answer of `/v1`."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def error(self) -> dict[str, Any]:
        return dict(self.json["error"])

    @property
    def text(self) -> str:
        return str(self.json["choices"][0]["message"]["content"])

    @property
    def thread(self) -> str:
        return self.headers["memsite-thread"]

    @property
    def memory(self) -> str:
        return self.headers["memsite-memory"]

    @property
    def events(self) -> list[Any]:
        """The data of a stream's events: JSON, or text that is none."""
        found = [line[6:] for line in self.body.decode().split("\n") if line.startswith("data: ")]
        return [json.loads(one) if one.startswith("{") else one for one in found]

    @property
    def streamed_text(self) -> str:
        deltas = [
            choice["delta"] for one in self.events if isinstance(one, dict) for choice in one["choices"]
        ]
        return "".join(delta.get("content") or "" for delta in deltas)


@dataclass
class Caller:
    """A client with a key."""

    loop: OwnLoop
    key: str

    def call(
        self,
        method: str,
        path: str,
        body: object = None,
        *,
        headers: Mapping[str, str] | None = None,
        leave_after: int | None = None,
        leave_when: Callable[[], bool] | None = None,
    ) -> Answer:
        """Return the answer.

        Args:
            leave_after: Disconnect after so many pieces of the answer.
            leave_when: Disconnect as soon as this is true.
        """
        named = {"authorization": f"Bearer {self.key}", "content-type": "application/json", **(headers or {})}
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        leaving = _Leaving(leave_after, leave_when)
        return self.loop.run(_call(method, path, named, content if body is not None else b"", leaving))

    def get(self, path: str, **headers: str) -> Answer:
        """Write `_` for `-` in header names, as in `post`."""
        return self.call("GET", path, headers=_name(headers))

    def post(self, path: str, body: object, **headers: str) -> Answer:
        return self.call("POST", path, body, headers=_name(headers))

    def delete(self, path: str) -> Answer:
        return self.call("DELETE", path)

    def chat(self, *messages: str | User, **fields: Any) -> Answer:
        """Complete a chat; plain strings alternate between user and assistant; headers in `headers`."""
        options = {name: fields.pop(name, None) for name in ("headers", "leave_after", "leave_when")}
        roles = ("user", "assistant")
        told = [
            {"role": roles[place % 2], "content": one} if isinstance(one, str) else one
            for place, one in enumerate(messages)
        ]
        body = {"model": "memsite", "messages": told, **fields}
        return self.call("POST", "/v1/chat/completions", body, **options)

    def stream_together(
        self, count: int, text: str, leave_when: Callable[[], bool], **headers: str
    ) -> list[Answer]:
        """Ask the same of several streams at once; leave each once it has begun and this is true.

        Each asks for an answer with an id of its own.
        """
        content = json.dumps({"messages": [{"role": "user", "content": text}], "stream": True}).encode()
        named = {"authorization": f"Bearer {self.key}", **_name(headers)}

        async def run() -> list[Answer]:
            calls = [
                _call(
                    "POST",
                    "/v1/chat/completions",
                    {**named, "memsite-reply": f"reply {place}"},
                    content,
                    _Leaving(None, leave_when, least=1),
                )
                for place in range(count)
            ]
            return await asyncio.gather(*calls)

        return self.loop.run(run())


@dataclass
class _Leaving:
    """When a client disconnects. `least`: pieces of the answer before `when` is asked."""

    after: int | None
    when: Callable[[], bool] | None
    least: int = 0
    pieces: int = 0
    gone: asyncio.Event = field(default_factory=asyncio.Event)

    def count(self, pieces: int) -> None:
        self.pieces = pieces
        if self.after is not None and pieces >= self.after:
            self.gone.set()

    async def watch(self) -> None:
        if self.when is None:
            return
        while self.pieces < self.least or not self.when():  # noqa: ASYNC110 - another thread makes it true
            await asyncio.sleep(0.02)
        self.gone.set()


def _name(headers: Mapping[str, str]) -> dict[str, str]:
    return {name.replace("_", "-"): value for name, value in headers.items()}


async def _call(method: str, path: str, headers: dict[str, str], content: bytes, leaving: _Leaving) -> Answer:
    bare, _, query = path.partition("?")
    scope: Any = {
        "type": "http",
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": bare,
        "raw_path": bare.encode(),
        "root_path": "",
        "query_string": query.encode(),
        "headers": [
            (b"host", b"localhost"),
            (b"content-length", str(len(content)).encode()),
            *((name.lower().encode(), value.encode()) for name, value in headers.items()),
        ],
        "client": ("127.0.0.1", 4711),
        "server": ("127.0.0.1", 8000),
    }
    start: dict[str, Any] = {}
    pieces: list[bytes] = []
    given = iter([{"type": "http.request", "body": content, "more_body": False}])

    async def receive() -> Any:
        for message in given:
            return message
        await leaving.gone.wait()
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        if message["type"] == "http.response.start":
            start.update(message)
        else:
            pieces.append(message.get("body", b""))
        leaving.count(len(pieces))

    async with asyncio.timeout(PATIENCE):
        watching = asyncio.create_task(leaving.watch())
        await asgi.application(scope, receive, send)
        watching.cancel()
    named = {name.decode(): value.decode() for name, value in start.get("headers", ())}
    return Answer(start.get("status", 0), named, b"".join(pieces))
