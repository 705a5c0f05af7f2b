"""Measure how long `/healthz` waits while the site reads texts made to be slow, and how long requests take.

A text repeats one unit: a digit, a bracket, the beginning of a URL, nested JSON. Each is sent as a memory, a
query, a message, and the input of a context, and the worker learns from the message. Exits with 1 if
`/healthz` ever waits longer than the target.
"""

from __future__ import annotations

import http.client
import json
import multiprocessing
import sys
import threading
import time
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection as Pipe
from typing import Final
from urllib.parse import urlsplit

from bench.connection import Connection, Refused, encoded, search_body
from bench.stage import Stage, opened, parser

TARGET: Final = 250.0  # milliseconds
MEMORY, QUERY, MESSAGE = 20_000, 4_000, 1_000_000  # characters: the most that the API accepts
_EVERY: Final = 0.02  # seconds between two probes on one connection
_CONNECTIONS: Final = 4  # the kernel spreads connections over the web processes
_LEARN_SECONDS: Final = 60
_ROW: Final = "{:18} {:10} {:>7} {:>9} {:>7}  {}"

UNITS: Final[dict[str, str]] = {
    "digits": "0",
    "digit groups": "4111 1111 ",
    "Chinese numerals": "一二三",
    "Chinese ten": "十",
    "letters": "a",
    "capitals": "A",
    "spaces": " ",
    "tabs": "\t",
    "line breaks": "\n",
    "blank lines": "a\n\n",
    **{f"sign {sign}": sign for sign in ".,!?。，？-_/\\:;=+#*%$&|^~`@'\"“「([{<>"},
    "Chinese": "中",
    "Chinese I": "我是",
    "accents": "é",
    "combining marks": "a\u0301",
    "marks alone": "\u0301",
    "marks out of order": "\u0301\u0323",
    "one to many": "\ufdfa",
    "emoji": "😀",
    "zero-width": "\u200b",
    "zero-width mixed": "a\u200b",
    "right to left": "אב",
    "Arabic": "سلام ",
    "full width": "Ａ１",
    "a1": "a1",
    "a.": "a.",
    "words": "word ",
    "capital words": "Aa ",
    "sentences": "I like tea. ",
    "clauses": "I like tea and ",
    "Chinese sentences": "我喜欢茶。",
    "Chinese clauses": "我喜欢茶，",
    "URLs": "http://a.bc/ ",
    "URL starts": "http://",
    "passwords": "password: ",
    "password words": "password is hunter2x. ",
    "key=": "key=",
    "mail": "a@b.cd ",
    "years": "2024-",
    "dates": "2024年3月5日",
    "年月日": "年月日",
    "base64": "aGVsbG8gd29ybGQhIQ",
    "random": "x9Q#k2!vB7pL0z ",
    "JWT": "eyJhbGciOi.",
    "PEM": "-----BEGIN PRIVATE KEY-----\n",
    "JSON": '{"a":[',
    "HTML": "<div><a>",
    "code": "if (a[0]) { b(); }\n",
    "quotes": '"a" ',
    "fences": "```\n",
    "quoted lines": "> a\n",
    "list": "- a\n",
    "table": "| a | b |\n",
    "surrogates in JSON": "\\u0000",
}


@dataclass(frozen=True, slots=True)
class Act:
    """One request with one text.

    Attributes:
        seconds: How long the request took.
        waited: The longest wait of `/healthz` meanwhile, in milliseconds.
        stalled: By how much the longest sleep of the prober itself was too long, in milliseconds.
    """

    text: str
    name: str
    seconds: float
    waited: float
    stalled: float
    answer: str

    def cells(self) -> list[str]:
        """Return the row of the table."""
        return [
            self.text,
            self.name,
            f"{self.seconds:.2f}",
            f"{self.waited:.0f}",
            f"{self.stalled:.0f}",
            self.answer,
        ]


class Prober:
    """Asks for `/healthz` in a process of its own, so that our own work does not delay it."""

    def __init__(self, url: str) -> None:
        self._pipe, theirs = multiprocessing.Pipe()
        self._process = multiprocessing.Process(target=_probe, args=(url, theirs), daemon=True)
        self._process.start()

    def longest(self) -> tuple[float, float]:
        """Return the longest wait and stall since the last call, in milliseconds."""
        self._pipe.send("longest")
        waited, stalled = self._pipe.recv()
        return waited, stalled

    def stop(self) -> None:
        """End the process."""
        self._process.terminate()
        self._process.join()


class _Longest:
    """The longest waits since they were last read, shared by the prober's threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waited = self._stalled = 0.0
        self._open: dict[int, float] = {}

    def began(self, at: float) -> None:
        with self._lock:
            self._open[threading.get_ident()] = at

    def ended(self, waited: float, stalled: float) -> None:
        with self._lock:
            self._open.pop(threading.get_ident(), None)
            self._waited, self._stalled = max(self._waited, waited), max(self._stalled, stalled)

    def read(self) -> tuple[float, float]:
        with self._lock:
            now = time.perf_counter()
            still = max((now - at for at in self._open.values()), default=0.0)
            found = max(self._waited, still), self._stalled
            self._waited = self._stalled = 0.0
            return found


def _probe(url: str, pipe: Pipe) -> None:
    longest = _Longest()
    for _ in range(_CONNECTIONS):
        threading.Thread(target=_ask, args=(url, longest), daemon=True).start()
    while pipe.recv():
        waited, stalled = longest.read()
        pipe.send((waited * 1000, stalled * 1000))


def _ask(url: str, longest: _Longest) -> None:
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(str(parts.hostname), parts.port, timeout=120)
    while True:
        asleep = time.perf_counter()
        time.sleep(_EVERY)
        start = time.perf_counter()
        longest.began(start)
        connection.request("GET", "/healthz")
        connection.getresponse().read()
        longest.ended(time.perf_counter() - start, start - asleep - _EVERY)


def text_of(unit: str, length: int) -> str:
    """Return the unit repeated to that length."""
    return (unit * (length // len(unit) + 1))[:length]


def measure(stage: Stage, units: dict[str, str]) -> Iterator[Act]:
    """Yield each request with each text."""
    with closing(stage.connect(stage.site.person())) as connection, _probing(stage.site.url) as prober:
        for name, unit in units.items():
            for what, act in _requests(connection, unit):
                prober.longest()
                start = time.perf_counter()
                answer = _answer(act)
                seconds = time.perf_counter() - start
                time.sleep(2 * _EVERY)
                yield Act(name, what, seconds, *prober.longest(), answer)


@contextmanager
def _probing(url: str) -> Iterator[Prober]:
    prober = Prober(url)
    try:
        yield prober
    finally:
        prober.stop()


def _requests(connection: Connection, unit: str) -> Iterator[tuple[str, Callable[[], object]]]:
    yield "memory", _post(connection, "/api/memories", {"content": text_of(unit, MEMORY)})
    yield "query", lambda: connection.search(search_body(text_of(unit, QUERY)))
    thread = json.loads(connection.post("/api/threads", b"{}"))["id"]
    path = f"/api/threads/{thread}"
    message = {"role": "user", "content": text_of(unit, MESSAGE)}
    yield "message", _post(connection, f"{path}/messages", message)
    yield "learning", _post(connection, f"{path}/extract", {"wait": _LEARN_SECONDS})
    yield "retrieve", _post(connection, f"{path}/retrieve", {"query": text_of(unit, QUERY)})
    yield (
        "context",
        _post(connection, f"{path}/context", {"input": text_of(unit, MEMORY), "max_tokens": 8_000}),
    )
    yield (
        "long input",
        _post(connection, f"{path}/context", {"input": text_of(unit, MESSAGE), "max_tokens": 8_000}),
    )
    yield "markdown", lambda: connection.get(f"{path}/export?format=markdown")


def _post(connection: Connection, path: str, body: object) -> Callable[[], object]:
    sent = encoded(body)
    return lambda: connection.post(path, sent)


def _answer(act: Callable[[], object]) -> str:
    try:
        act()
    except Refused as error:
        return str(error).partition(": ")[2][:60]
    return ""


def run(stage: Stage, options: Namespace) -> bool:
    """Print each request and the slowest of each kind; return whether `/healthz` met its target."""
    chosen = {name: unit for name, unit in UNITS.items() if not options.texts or name in options.texts}
    print(_ROW.format("text", "request", "s", "/healthz", "prober", "answer"))
    acts = []
    for act in measure(stage, chosen):
        acts.append(act)
        print(_ROW.format(*act.cells()), flush=True)
    print("\nLargest of each kind")
    for what in dict.fromkeys(act.name for act in acts):
        those = [act for act in acts if act.name == what]
        slowest = max(those, key=lambda act: act.seconds)
        waited = max(those, key=lambda act: act.waited)
        print(
            f"{what:10} {slowest.seconds:6.2f} s ({slowest.text}), "
            f"/healthz {waited.waited:.0f} ms ({waited.text}; prober {waited.stalled:.0f} ms)"
        )
    return max(act.waited for act in acts) <= TARGET


def main() -> None:
    """Run from the command line."""
    options = parser(__doc__)
    options.add_argument("--texts", nargs="*", help="names of texts; by default all")
    chosen = options.parse_args()
    with opened(chosen) as stage:
        met = run(stage, chosen)
    sys.exit(0 if met else 1)


if __name__ == "__main__":
    main()
