"""Programs that write: each follows its script, and repeats a request until it is acknowledged."""

from __future__ import annotations

import http.client
import json
import random
import threading
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from bench.durability import script

Json = dict[str, Any]

_ANSWER_WITHIN: Final = 10.0  # seconds
_GIVE_UP_AFTER: Final = 240.0  # seconds without an answer
_SERVER_ERROR: Final = 500


class Refused(Exception):
    """The site refused a valid request, or did not answer for minutes."""


class Caller:
    """One end user's program: repeats a request until there is a final answer."""

    def __init__(self, base: str, key: str, person: str) -> None:
        self.base, self.person = base, person
        self._headers = {
            "Authorization": f"Bearer {key}",
            "Memsite-User": person,
            "Content-Type": "application/json",
        }
        #: How unacknowledged requests ended: `no answer`, or a status of 500 and above.
        self.failures: Counter[str] = Counter()
        self.acknowledged = 0
        self.longest = 0.0  # seconds from the first try of a request to its answer
        self._lock = threading.Lock()  # guards the three above, which a person's writers share

    def ask(self, method: str, path: str, body: Json | None = None) -> tuple[Json, int]:
        """Return the answer's body, and the number of failures before it. Raises Refused."""
        begin, failed = time.monotonic(), 0
        while (answer := self._try(method, path, body)) is None:
            failed += 1
            if time.monotonic() - begin > _GIVE_UP_AFTER:
                raise Refused(f"{method} {path}: no answer in {_GIVE_UP_AFTER:.0f} s")
            time.sleep(min(0.05 * 2**failed, 0.5))
        with self._lock:
            self.acknowledged += 1
            self.longest = max(self.longest, time.monotonic() - begin)
        return answer, failed

    def _try(self, method: str, path: str, body: Json | None) -> Json | None:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, self._headers, method=method)  # noqa: S310 - http, ours
        try:
            with urllib.request.urlopen(request, timeout=_ANSWER_WITHIN) as answer:  # noqa: S310 - our own loopback address
                found: Json = json.loads(answer.read())
                return found
        except urllib.error.HTTPError as error:
            with error:
                if error.code < _SERVER_ERROR:
                    raise Refused(f"{method} {path}: {error.code} {error.read()[:300]!r}") from None
            self._fail(str(error.code))
        except (OSError, http.client.HTTPException, json.JSONDecodeError):
            self._fail("no answer")
        return None

    def _fail(self, how: str) -> None:
        with self._lock:
            self.failures[how] += 1


@dataclass(slots=True)
class Acknowledged:
    """Everything acknowledged to one owner's programs.

    Attributes:
        messages: By thread, in order: (client_id, id).
        memories: (content, id).
        repeats: By content, how often a request with it failed; each time it may have been written and
            counted once more.
    """

    messages: dict[int, list[tuple[str, str]]] = field(default_factory=dict)
    memories: list[tuple[str, str]] = field(default_factory=list)
    repeats: Counter[str] = field(default_factory=Counter)


Step = Callable[[int], None]


class Writer(threading.Thread):
    """Does one step after the other until asked to stop, or until it has done so many."""

    def __init__(
        self, step: Step, *, stop: threading.Event, pause: float = 0.0, most: int | None = None
    ) -> None:
        """Prepare the thread: `pause` is the mean of seconds between steps, `most` the limit of steps, if
        any.
        """
        super().__init__(daemon=True)
        self.done = 0
        self.error: Exception | None = None
        self._step, self._stop_event, self._pause, self._most = step, stop, pause, most
        self._chance = random.Random(pause)  # noqa: S311 - nothing secret

    def run(self) -> None:
        """Run the steps."""
        try:
            while not self._stop_event.is_set() and self.done != self._most:
                self._step(self.done)
                self.done += 1
                self._stop_event.wait(self._chance.uniform(0, 2 * self._pause))
        except Exception as error:  # noqa: BLE001 - whatever it is, the run must report it
            self.error = error


class Person:
    """One owner: some threads, and the programs that write into them and state memories."""

    def __init__(self, caller: Caller, threads: int) -> None:
        self.caller = caller
        self.acknowledged = Acknowledged()
        self.threads = [self._begin(number) for number in range(threads)]

    @property
    def owner(self) -> str:
        """The owner's id."""
        return self._owner

    def steps(self) -> list[Step]:
        """Return one script for each thread, and one of stated memories."""
        return [*(self._saying(number) for number in range(len(self.threads))), self._state]

    def recalls(self, content: str) -> bool:
        """Return whether a search for a text finds it."""
        answer, _ = self.caller.ask("POST", "/api/memories/search", {"query": content, "top_k": 20})
        return any(content == hit["content"] for hit in answer["memories"])

    def _begin(self, number: int) -> str:
        answer, _ = self.caller.ask("POST", "/api/threads", {"title": f"Thread {number}"})
        self._owner = str(answer["owner"])
        self.acknowledged.messages[number] = []
        return str(answer["id"])

    def _saying(self, number: int) -> Step:
        def say(place: int) -> None:
            messages = script.exchange(number, place)
            path = f"/api/threads/{self.threads[number]}/messages"
            answer, _ = self.caller.ask("POST", path, {"messages": messages})
            stored = [(row["client_id"], row["id"]) for row in answer["results"]]
            self.acknowledged.messages[number] += stored

        return say

    def _state(self, place: int) -> None:
        memories = script.stated(0, place)
        if len(memories) == 1:
            answer, failed = self.caller.ask("POST", "/api/memories", memories[0])
            results: Sequence[Json] = [answer]
        else:
            answer, failed = self.caller.ask("POST", "/api/memories/batch", {"memories": memories})
            results = answer["results"]
        for memory, result in zip(memories, results, strict=True):
            self.acknowledged.memories.append((memory["content"], result["memory"]["id"]))
            self.acknowledged.repeats[memory["content"]] += failed
