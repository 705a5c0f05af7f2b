"""Measure how much memory a web process takes after more and more requests of all kinds.

python -m bench.memory [--requests 27000]

Its caches have limits, so that its size approaches one: the second half of the requests must add little.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Final

from tqdm import tqdm

from bench import texts
from bench.connection import Connection, Person, encoded, search_body
from bench.figures import Figure, print_figures
from bench.site import Site, own_site, web_process
from bench.stage import MEMORIES_SEED, QUESTIONS_SEED

REQUESTS: Final = 27_000
_MOST_GROWTH: Final = 15.0  # MB in the second half: the index of the memories that it adds
_PARTS: Final = 10
_ADDED_EVERY: Final = 5  # requests of which one adds a memory


def measure(site: Site, requests: int = REQUESTS) -> list[Figure]:
    """Return the resident memory of one web process at the start, half-way and at the end."""
    sizes: list[float] = []
    with web_process(site) as (process, port), closing(_connection(site, port)) as connection:
        sending = _requests(connection)
        next(sending)
        for part in tqdm(range(_PARTS + 1), leave=False):
            sizes.append(_resident(process))
            for _ in islice(sending, requests // _PARTS if part < _PARTS else 0):
                pass
    half, end = sizes[_PARTS // 2], sizes[-1]
    return [
        Figure("resident after the first request", sizes[0], "MB"),
        *(Figure(f"after {requests * part // _PARTS:,}", sizes[part], "MB") for part in range(1, _PARTS + 1)),
        Figure("growth in the second half", end - half, "MB", most=_MOST_GROWTH),
    ]


def _connection(site: Site, port: int) -> Connection:
    return Connection(f"http://127.0.0.1:{port}", Person(site.keys[0]))


def _requests(connection: Connection) -> Iterator[None]:
    """Send requests of several kinds in turns, for ever."""
    thread = json.loads(connection.post("/api/threads", b"{}"))["id"]
    memories = iter(texts.memories(1_000_000, MEMORIES_SEED))
    while True:
        for number, question in enumerate(texts.questions(1_000, QUESTIONS_SEED)):
            kind = number % _ADDED_EVERY
            if kind == 0:
                connection.add([{"content": next(memories)}])
            elif kind == 1:
                connection.post(
                    f"/api/threads/{thread}/messages", encoded({"role": "user", "content": question})
                )
            elif kind == 2:
                connection.post(f"/api/threads/{thread}/context", encoded({"input": question}))
            elif kind == 3:
                connection.get("/api/memories?page_size=20")
            else:
                connection.search(search_body(question))
            yield


def _resident(process: int) -> float:
    """Return the resident memory in MB."""
    status = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS")) / 1024


def main() -> None:
    """Run from the command line."""
    options = ArgumentParser(description=__doc__)
    options.add_argument("--requests", type=int, default=REQUESTS)
    chosen = options.parse_args()
    with own_site() as site:
        print_figures("Memory", measure(site, chosen.requests))


if __name__ == "__main__":
    main()
