"""A whole site beset by slow clients, waits and exports at once: it stays well, and works afterwards."""

from __future__ import annotations

import asyncio
import json
import shutil
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.site.test_running_site import Site, free_port

pytestmark = pytest.mark.kill

EXPORT = "/api/memories/export"
SLOW, WAITS, EXPORTS = 50, 24, 40
_PAUSE = 0.05


@dataclass
class Crowd:
    """Clients of one site, and what they met.

    Attributes:
        health: Seconds that each look at /healthz took.
        delays: Seconds that this process itself was late after each look: the machine was busy.
    """

    port: int
    key: str
    health: list[float] = field(default_factory=list)
    delays: list[float] = field(default_factory=list)
    exports: list[bytes] = field(default_factory=list)
    waits: list[bytes] = field(default_factory=list)
    after: list[bytes] = field(default_factory=list)
    writers: list[asyncio.StreamWriter] = field(default_factory=list)

    async def open(self, method: str, path: str, body: bytes = b"") -> asyncio.StreamReader:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, limit=2**14)
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {self.key}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
        )
        writer.write(head.encode() + body)
        self.writers.append(writer)
        return reader

    async def ask(self, method: str, path: str, body: bytes = b"") -> bytes:
        reader = await self.open(method, path, body)
        writer = self.writers[-1]
        answer = await reader.read()
        writer.close()
        self.writers.remove(writer)
        return answer

    async def send_slowly(self) -> None:
        _, writer = await asyncio.open_connection("127.0.0.1", self.port)
        self.writers.append(writer)
        for byte in b"GET /api/memories HTTP/1.1\r\nHost: ":
            writer.write(bytes([byte]))
            await asyncio.sleep(0.1)

    async def read_nothing(self) -> None:
        await self.open("GET", EXPORT)
        await asyncio.sleep(3)

    async def go_away(self) -> None:
        await self.open("GET", EXPORT)
        self.writers[-1].transport.abort()

    async def look_at_health(self) -> None:
        while True:
            start = time.perf_counter()
            assert (await self.ask("GET", "/healthz")).startswith(b"HTTP/1.1 200")
            self.health.append(time.perf_counter() - start)
            start = time.perf_counter()
            await asyncio.sleep(_PAUSE)
            self.delays.append(time.perf_counter() - start - _PAUSE)

    async def come(self) -> None:
        """Everything at once; then ordinary requests."""
        looking = asyncio.ensure_future(self.look_at_health())
        wish = b'{"what": "patterns", "wait": 3}'
        waits = asyncio.gather(*(self.ask("POST", "/api/memories/reflect", wish) for _ in range(WAITS)))
        exports = asyncio.gather(*(self.ask("GET", EXPORT) for _ in range(EXPORTS)))
        rest = [self.send_slowly() for _ in range(SLOW)]
        rest += [part() for part in (self.read_nothing, self.go_away) for _ in range(10)]
        await asyncio.gather(*rest)
        self.exports, self.waits = await exports, await waits
        looking.cancel()
        await asyncio.gather(looking, return_exceptions=True)
        await self.leave()
        self.after = [await self.ask("GET", "/api/memories") for _ in range(20)]

    async def leave(self) -> None:
        """Break off every connection that is still open."""
        for writer in self.writers:
            writer.transport.abort()
        await asyncio.gather(*(writer.wait_closed() for writer in self.writers), return_exceptions=True)
        self.writers.clear()


@pytest.fixture(scope="module")
def crowd() -> Iterator[Crowd]:
    folder = Path(tempfile.mkdtemp(prefix="memsite-crowd-"))
    site = Site(folder / "data", free_port())
    site.start()
    site.command("create_user", "alice", "--password", "as it may be 17")
    key = site.command("issue_key", "alice").stdout.split()[-1]
    crowd = Crowd(site.port, key)
    memories = [{"content": f"Alice saw bird number {number} at the lake."} for number in range(500)]
    asyncio.run(crowd.ask("POST", "/api/memories/batch", json.dumps({"memories": memories}).encode()))
    asyncio.run(crowd.come())
    yield crowd
    site.stop()
    shutil.rmtree(folder)


def test_health_answers_at_once_all_the_while(crowd: Crowd) -> None:
    assert sorted(crowd.health)[len(crowd.health) * 95 // 100] < 0.25
    assert max(crowd.health) < 0.25 + 4 * max(crowd.delays)  # a request takes a few steps of two processes


def test_every_export_that_is_read_is_whole(crowd: Crowd) -> None:
    assert [b'"complete": true' in export for export in crowd.exports] == [True] * EXPORTS


def test_every_wait_is_answered(crowd: Crowd) -> None:
    assert {answer[9:12] for answer in crowd.waits} <= {b"200", b"202"}


def test_site_works_afterwards(crowd: Crowd) -> None:
    assert {answer[9:12] for answer in crowd.after} == {b"200"}
