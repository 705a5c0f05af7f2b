"""Measure a web process while many replies stream at once: its threads, and what other requests wait.

python -m bench.streams [--streams 1000]

A scripted model on loopback sends a word of each answer every two seconds until all replies are open.
"""

from __future__ import annotations

import asyncio
import json
import time
from argparse import ArgumentParser
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from bench.clock import p50
from bench.figures import Figure, print_figures
from bench.site import Site, count_threads, own_site, web_process

FEW: Final = 200
MANY: Final = 1_000
_WORD_SECONDS: Final = 2.0
_LOOKED_SECONDS: Final = 10.0
_AT_ONCE: Final = 50  # replies that are asked for at the same time
_PATIENCE: Final = 300.0
_MODEL_PORT: Final = 48_173


class Model:
    """A model server whose answers all go on until `release`."""

    def __init__(self) -> None:
        self._end = asyncio.Event()

    def release(self) -> None:
        """End all answers."""
        self._end.set()

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one request, and close its connection."""
        head = (await reader.readuntil(b"\r\n\r\n")).lower()
        length = next(line for line in head.split(b"\r\n") if line.startswith(b"content-length"))
        await reader.readexactly(int(length.split(b":")[1]))
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n")
        while not self._end.is_set():
            writer.write(_chunk({"delta": {"content": "word "}}))
            try:
                await asyncio.wait_for(self._end.wait(), _WORD_SECONDS)
            except TimeoutError:
                continue
        writer.write(_chunk({"delta": {}, "finish_reason": "stop"}) + b"data: [DONE]\n\n")
        writer.close()


def _chunk(choice: dict[str, Any]) -> bytes:
    return f"data: {json.dumps({'choices': [{'index': 0, **choice}]})}\n\n".encode()


@dataclass
class Streams:
    """Replies of one web process, open at the same time."""

    port: int
    key: str
    first: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(_AT_ONCE))
    open: int = 0
    ended_whole: int = 0

    async def get(self, path: str) -> bytes:
        """Return the answer to a GET."""
        async with self.asking("GET", path) as reader:
            return await reader.read()

    @asynccontextmanager
    async def asking(self, method: str, path: str, body: bytes = b"") -> AsyncIterator[asyncio.StreamReader]:
        """Send a request on a connection of its own; close that at the end of the block."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {self.key}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
        )
        writer.write(head.encode() + body)
        try:
            yield reader
        finally:
            writer.close()

    async def stream(self) -> None:
        """Begin a thread, ask for a reply and read its events to the end."""
        await self.first.acquire()
        thread = await self._begin_thread()
        request = b'{"input": "Hello", "stream": true}'
        async with self.asking("POST", f"/api/threads/{thread}/reply", request) as reader:
            await reader.readuntil(b"event: delta")
            self.first.release()
            self.open += 1
            self.ended_whole += b'"status": "done"' in await reader.read()

    def has_opened(self, number: int) -> bool:
        """Tell whether this many streams are open."""
        return self.open == number

    async def _begin_thread(self) -> str:
        async with self.asking("POST", "/api/threads", b"{}") as reader:
            head, _, body = (await reader.read()).partition(b"\r\n\r\n")
        if not head.startswith(b"HTTP/1.1 201"):
            raise SystemExit(f"No thread was made: {head!r} {body!r}")
        return str(json.loads(body)["id"])

    async def times(self, path: str) -> list[float]:
        """Return the milliseconds of requests, one every 0.1 s for ten seconds."""
        times, end = [], time.perf_counter() + _LOOKED_SECONDS
        while (start := time.perf_counter()) < end:
            answer = await self.get(path)
            if not answer.startswith(b"HTTP/1.1 200"):
                raise SystemExit(f"{path}: {answer!r}")
            times.append((time.perf_counter() - start) * 1000)
            await asyncio.sleep(0.1)
        return times


async def _measure(site: Site, most: int) -> list[Figure]:
    with web_process(site) as (process, port):
        streams = Streams(port, site.keys[0])
        before = {path: await streams.times(path) for path in ("/healthz", "/api/memories?page_size=1")}
        threads = [count_threads(process)]
        tasks: list[asyncio.Task[None]] = []
        async with _model() as model:
            for number in (FEW, most):
                tasks += [asyncio.create_task(streams.stream()) for _ in range(number - len(tasks))]
                await _until(partial(streams.has_opened, number), tasks)
                threads.append(count_threads(process))
            during = {path: await streams.times(path) for path in before}
            model.release()
            await asyncio.wait_for(asyncio.gather(*tasks), _PATIENCE)
    return [
        Figure("threads without streams", threads[0], "threads"),
        Figure(f"threads with {FEW} streams", threads[1], "threads", most=threads[0] + 10),
        Figure(f"threads with {most:,} streams", threads[2], "threads", most=20),
        *(Figure(f"{path}, p50", p50(during[path]), "ms", p50(before[path]), "without") for path in before),
        *(
            Figure(f"{path}, slowest", max(during[path]), "ms", max(before[path]), "without")
            for path in before
        ),
        Figure("replies that ended whole", 100 * streams.ended_whole / most, "%", least=100.0),
    ]


async def _until(condition: Callable[[], bool], tasks: list[asyncio.Task[None]]) -> None:
    end = time.monotonic() + _PATIENCE
    while not condition():
        for task in tasks:
            if task.done():
                await task
        if time.monotonic() > end:
            raise SystemExit("The streams did not open in time.")
        await asyncio.sleep(0.1)


@asynccontextmanager
async def _model() -> AsyncIterator[Model]:
    model = Model()
    server = await asyncio.start_server(model.answer, "127.0.0.1", _MODEL_PORT, backlog=2_000)
    async with server:
        yield model


def main() -> None:
    """Run from the command line."""
    options = ArgumentParser(description=__doc__)
    options.add_argument("--streams", type=int, default=MANY)
    chosen = options.parse_args()
    url = f"http://127.0.0.1:{_MODEL_PORT}/v1"
    with own_site(MEMSITE_MODEL_PRIMARY="scripted", OPENAI_BASE_URL=url) as site:
        print_figures("Streams", asyncio.run(_measure(site, chosen.streams)))


if __name__ == "__main__":
    main()
