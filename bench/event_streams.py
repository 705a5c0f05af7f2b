"""Measure a web process while many streams of events are open: its threads, delivery, and its end.

python -m bench.event_streams [--streams 1000]

A thread begun in the site's own web processes is delivered by the process that is measured.
"""

from __future__ import annotations

import asyncio
import json
import signal
import time
from argparse import ArgumentParser
from contextlib import suppress
from dataclasses import dataclass, field
from os import kill
from typing import Final
from urllib.parse import urlsplit

from bench.clock import p50
from bench.figures import Figure, print_figures
from bench.site import Site, count_threads, own_site, web_process

MANY: Final = 1_000
_AT_ONCE: Final = 50  # streams that are opened at the same time
_EVENTS: Final = 60
_PATIENCE: Final = 120.0


@dataclass
class Reader:
    """One open stream.

    Attributes:
        arrived: When each event arrived, by its number.
    """

    key: str
    arrived: dict[int, float] = field(default_factory=dict)
    is_open: asyncio.Event = field(default_factory=asyncio.Event)

    async def read(self, port: int) -> None:
        """Read events until the server ends the stream."""
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(_request("GET", "/api/events", self.key))
        try:
            while line := await reader.readline():
                if line.startswith(b"retry:"):
                    self.is_open.set()
                elif line.startswith(b"data:"):
                    self.arrived[json.loads(line[5:])["id"]] = time.perf_counter()
        finally:
            writer.close()


def _request(method: str, path: str, key: str, body: bytes = b"") -> bytes:
    head = (
        f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {key}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    )
    return head.encode() + body


async def _begin_thread(port: int, key: str) -> float:
    """Begin a thread, which is an event; return when the answer arrived."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(_request("POST", "/api/threads", key, b"{}"))
    answer = await reader.read()
    writer.close()
    if not answer.startswith(b"HTTP/1.1 201"):
        raise SystemExit(f"No thread was made: {answer!r}")
    return time.perf_counter()


async def _measure(site: Site, number: int) -> list[Figure]:
    with web_process(site) as (process, port):
        before = count_threads(process)
        readers = [Reader(site.keys[place % len(site.keys)]) for place in range(number)]
        tasks: list[asyncio.Task[None]] = []
        start = time.perf_counter()
        for place in range(0, number, _AT_ONCE):
            some = readers[place : place + _AT_ONCE]
            tasks += [asyncio.create_task(one.read(port)) for one in some]
            await asyncio.wait_for(asyncio.gather(*(one.is_open.wait() for one in some)), _PATIENCE)
        opening = time.perf_counter() - start
        await asyncio.sleep(2.0)  # it listens by now
        during = count_threads(process)
        delays = await _deliver(site, readers)
        lost = sum(len(one.arrived) != _EVENTS for one in readers if one.key == site.keys[0])
        ending = await _end(process, tasks)
    delays.sort()
    return [
        Figure("threads without streams", before, "threads"),
        Figure(f"threads with {number:,} streams", during, "threads", most=20),
        Figure("opening a stream", opening * 1000 / number, "ms"),
        Figure("commit to delivery, p50", p50(delays), "ms"),
        Figure("commit to delivery, p95", delays[int(len(delays) * 0.95)], "ms", most=250),
        Figure("streams that lost an event or got one twice", lost, "", most=0),
        Figure("SIGTERM to the last stream's end", ending * 1000, "ms", most=3_000),
    ]


async def _deliver(site: Site, readers: list[Reader]) -> list[float]:
    """Cause events for the streams of one person; return each delay in milliseconds."""
    theirs = [one for one in readers if one.key == site.keys[0]]
    port = urlsplit(site.url).port or 0
    delays: list[float] = []
    for number in range(1, _EVENTS + 1):
        committed = await _begin_thread(port, site.keys[0])
        end = committed + _PATIENCE
        while not all(number in one.arrived for one in theirs) and time.perf_counter() < end:  # noqa: ASYNC110 - one check of all streams
            await asyncio.sleep(0.002)
        delays += [max(0.0, (one.arrived.get(number, end) - committed) * 1000) for one in theirs]
    return delays


async def _end(process: int, tasks: list[asyncio.Task[None]]) -> float:
    """Stop the process; return the seconds until its last stream has ended."""
    start = time.perf_counter()
    kill(process, signal.SIGTERM)
    with suppress(ConnectionError):
        await asyncio.wait_for(asyncio.gather(*tasks, return_exceptions=True), _PATIENCE)
    return time.perf_counter() - start


def main() -> None:
    """Run from the command line."""
    options = ArgumentParser(description=__doc__)
    options.add_argument("--streams", type=int, default=MANY)
    chosen = options.parse_args()
    with own_site(MEMSITE_KEY_STREAMS=str(chosen.streams), MEMSITE_EVENT_STREAMS=str(chosen.streams)) as site:
        print_figures("Streams of events", asyncio.run(_measure(site, chosen.streams)))


if __name__ == "__main__":
    main()
