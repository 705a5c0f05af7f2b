"""Measure what `/v1/chat/completions` adds to the model server's time to the first byte, and its threads.

python -m bench.completions [--memories 10000] [--requests 100] [--streams 200]

A scripted model on loopback begins each answer at once. Every request goes to it directly and through the
site, in turns, so that a busy moment affects both: the median of the differences is what is added.
"""

from __future__ import annotations

import asyncio
import json
import time
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.client import HTTPConnection
from threading import Thread
from typing import Any, Final
from urllib.parse import urlsplit

from bench import texts
from bench.clock import p50, p95
from bench.connection import Person, encoded
from bench.figures import Figure, print_figures
from bench.site import count_threads, own_site, web_process
from bench.stage import QUESTIONS_SEED, Stage

MEMORIES: Final = 10_000
REQUESTS: Final = 100
STREAMS: Final = 200
_WARM_UP: Final = 10
_TURNS: Final = 20  # the newest of a conversation that goes on, which a client sends each time
_TIMEOUT: Final = 120.0
_OPEN: Final = "Stay open."
_HEAD: Final = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
_ANSWER: Final = "It is answer {number} of this conversation, and long enough to be recognised later."


class Model:
    """A model server on a thread of its own. An answer to `_OPEN` begins, and ends with `release`."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._end = asyncio.Event()
        self._answers = 0
        self._thread = Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self.port = asyncio.run_coroutine_threadsafe(self._start(), self._loop).result()

    @property
    def url(self) -> str:
        """Base URL."""
        return f"http://127.0.0.1:{self.port}/v1"

    def release(self) -> None:
        """End all answers that are open."""
        self._loop.call_soon_threadsafe(self._end.set)

    async def _start(self) -> int:
        server = await asyncio.start_server(self._answer, "127.0.0.1", 0, backlog=2_000)
        port: int = server.sockets[0].getsockname()[1]
        return port

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).lower()
        sizes = [line for line in head.split(b"\r\n") if line.startswith(b"content-length")]
        body = await reader.readexactly(int(sizes[0].split(b":")[1])) if sizes else b""
        self._answers += 1
        text = _ANSWER.format(number=self._answers)
        writer.write(_HEAD + _chunk({"delta": {"role": "assistant", "content": text}}))
        if _OPEN.encode() in body:
            await self._end.wait()
        writer.write(_chunk({"delta": {}, "finish_reason": "stop"}) + b"data: [DONE]\n\n")
        writer.close()


def _chunk(choice: dict[str, Any]) -> bytes:
    return b"data: " + encoded({"choices": [{"index": 0, **choice}]}) + b"\n\n"


class Client:
    """Asks one server for streams, one connection each, as most chat programs do."""

    def __init__(self, url: str, person: Person) -> None:
        parts = urlsplit(url)
        self._host, self._port = str(parts.hostname), parts.port
        self._headers = person.headers()
        self.memories = 0

    def ask(self, messages: Sequence[dict[str, str]]) -> tuple[float, str]:
        """Return the milliseconds to the first byte of the answer, and its text."""
        body = encoded({"model": "memsite", "messages": list(messages), "stream": True})
        with self._open(body) as (start, response):
            first = response.read(1)
            spent = (time.perf_counter() - start) * 1000
            lines = (first + response.read()).split(b"\n")
        events = [json.loads(line[6:]) for line in lines if line.startswith(b"data: {")]
        return spent, "".join(one["choices"][0]["delta"].get("content", "") for one in events)

    @contextmanager
    def _open(self, body: bytes) -> Iterator[tuple[float, Any]]:
        connection = HTTPConnection(self._host, self._port, timeout=_TIMEOUT)
        start = time.perf_counter()
        connection.request("POST", "/v1/chat/completions", body=body, headers=self._headers)
        response = connection.getresponse()
        if response.status != 200:
            raise SystemExit(f"/v1/chat/completions: {response.status} {response.read()[:300]!r}")
        self.memories += "used=0" not in response.headers.get("Memsite-Memory", "used=0")
        try:
            yield start, response
        finally:
            connection.close()


def measure(stage: Stage, model: Model, memories: int, requests: int) -> list[Figure]:
    """Return what is added to questions that begin a conversation, and to those that continue one."""
    person = stage.site.person()
    stage.fill(person, memories)
    stage.wait_for_vectors(person)  # made-up ones would find less, and so add less
    questions = texts.questions(2 * (requests + _WARM_UP), QUESTIONS_SEED)
    begun = _measure_added(stage, model, person, questions[: requests + _WARM_UP], kept=0)
    continued = _measure_added(stage, model, person, questions[requests + _WARM_UP :], kept=2 * _TURNS)
    name = f"at {memories:,} memories"
    return [
        *_describe(f"a new conversation {name}", begun),
        *_describe(f"one that goes on {name}", continued),
    ]


def _measure_added(
    stage: Stage, model: Model, person: Person, questions: Sequence[str], kept: int
) -> list[tuple[float, float]]:
    """Return, for each question, the milliseconds through the site and directly.

    Args:
        kept: How many of the newest messages of the conversation are sent again with each question.
    """
    ours, direct = Client(stage.site.url, person), Client(model.url, person)
    times, history = list[tuple[float, float]](), list[dict[str, str]]()
    for question in stage.bar(questions, "asking"):
        history = [*history[max(0, len(history) - kept) :], {"role": "user", "content": question}]
        spent, answer = ours.ask(history)
        times.append((spent, direct.ask(history)[0]))
        history.append({"role": "assistant", "content": answer})
    if not ours.memories:
        raise SystemExit("No answer had memories: the measurement would say nothing.")
    return times[_WARM_UP:]


def _describe(name: str, times: Sequence[tuple[float, float]]) -> list[Figure]:
    added = [through - direct for through, direct in times]
    direct = [one for _, one in times]
    return [
        Figure(f"added to {name}, p50", p50(added), "ms", p50(direct), "directly", most=40.0),
        Figure(f"added to {name}, p95", p95(added), "ms", p95(direct), "directly", most=120.0),
    ]


async def _count_stream_threads(process: int, port: int, key: str, number: int, model: Model) -> list[Figure]:
    """Open so many streams of one web process, and count its threads."""
    body = encoded({"messages": [{"role": "user", "content": _OPEN}], "stream": True})
    head = (
        f"POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {key}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    )
    before, at_once = count_threads(process), asyncio.Semaphore(20)

    async def begin() -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        async with at_once:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(head.encode() + body)
            await asyncio.wait_for(reader.readuntil(b"data: "), _TIMEOUT)
        return reader, writer  # a writer that nobody holds closes its connection

    open_now = await asyncio.gather(*(begin() for _ in range(number)))
    during = count_threads(process)
    model.release()
    ends = await asyncio.wait_for(asyncio.gather(*(reader.read() for reader, _ in open_now)), _TIMEOUT)
    whole = sum(b"[DONE]" in one for one in ends)
    return [
        Figure("threads without streams", before, "threads"),
        Figure(f"threads with {number:,} streams", during, "threads", most=before + 10),
        Figure("streams that ended whole", 100 * whole / number, "%", least=100.0),
    ]


def main() -> None:
    """Run from the command line."""
    options = ArgumentParser(description=__doc__)
    options.add_argument("--memories", type=int, default=MEMORIES)
    options.add_argument("--requests", type=int, default=REQUESTS)
    options.add_argument("--streams", type=int, default=STREAMS)
    chosen = options.parse_args()
    model = Model()
    with own_site(MEMSITE_MODEL_PRIMARY="scripted", OPENAI_BASE_URL=model.url) as site:
        figures = measure(Stage(site, progress=True), model, chosen.memories, chosen.requests)
        with web_process(site) as (process, port):
            figures += asyncio.run(_count_stream_threads(process, port, site.keys[-1], chosen.streams, model))
    print_figures("OpenAI's protocol", figures)


if __name__ == "__main__":
    main()
