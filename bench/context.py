"""Measure contexts of a long thread with many tool calls, by window size and message format."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from typing import Any, Final

from bench import texts
from bench.clock import milliseconds, p50, p95
from bench.connection import BATCH, Connection, encoded
from bench.figures import Figure
from bench.stage import QUESTIONS_SEED, Stage, parser, play

#: Exchanges of four messages: a question, a tool call, its result, an answer.
EXCHANGES: Final = 500
MEMORIES: Final = 10_000
WINDOWS: Final = (800, 4_000, 16_000)
SHAPES: Final = ("openai", "anthropic")
CONTEXTS: Final = 60
_WARM_UP: Final = 5
_TARGET: Final = 60.0
_TEXTS_SEED: Final = 21
_LEARNT_SECONDS: Final = 60
_LEARNT_QUESTIONS: Final = 10

Times = dict[tuple[int, str], list[float]]


def measure(stage: Stage, memories: int = MEMORIES, contexts: int = CONTEXTS) -> list[Figure]:
    """Return context p50 and p95 for each window in both formats, and of a bare endpoint."""
    person = stage.site.person()
    stage.fill(person, memories)
    stage.wait_for_vectors(person)
    with closing(stage.connect(person)) as connection:
        path = _long_thread(stage, connection)
        times, bare = _times(stage, connection, path, contexts)
    return [
        figure for (window, shape), found in times.items() for figure in _figures(window, shape, found, bare)
    ]


def _long_thread(stage: Stage, connection: Connection) -> str:
    """Create a thread of 2,000 messages, 500 of them tool calls, wait for extraction, and return its path."""
    thread = json.loads(
        connection.post("/api/threads", encoded({"system_prompt": "Answer in one sentence."}))
    )
    path = f"/api/threads/{thread['id']}"
    messages = list(_messages())
    for start in stage.bar(range(0, len(messages), BATCH), "writing a thread"):
        connection.post(f"{path}/messages", encoded({"messages": messages[start : start + BATCH]}))
    for _ in range(_LEARNT_QUESTIONS):
        # A job that still runs would be measured, too.
        if "job" not in json.loads(connection.post(f"{path}/extract", encoded({"wait": _LEARNT_SECONDS}))):
            return path
    raise SystemExit("The worker did not get through the thread in ten minutes.")


def _messages() -> Iterator[dict[str, Any]]:
    spoken = texts.memories(EXCHANGES * 5, _TEXTS_SEED)
    for number in range(EXCHANGES):
        call = {"id": f"call_{number}", "function": {"name": "look_up", "arguments": f'{{"page": {number}}}'}}
        yield {"role": "user", "content": next(spoken)}
        yield {"role": "assistant", "content": "", "tool_calls": [call]}
        found = "\n".join(next(spoken) for _ in range(3))
        yield {"role": "tool", "tool_call_id": f"call_{number}", "content": found}
        yield {"role": "assistant", "content": next(spoken)}


def _times(stage: Stage, connection: Connection, path: str, contexts: int) -> tuple[Times, list[float]]:
    """Return milliseconds of contexts of all windows and formats, and of the yardstick, measured in turns."""
    times: Times = {(window, shape): [] for window in WINDOWS for shape in SHAPES}
    bare: list[float] = []
    for number, question in enumerate(
        stage.bar(texts.questions(contexts + _WARM_UP, QUESTIONS_SEED), "assembling", contexts + _WARM_UP)
    ):
        found = {
            key: milliseconds(partial(connection.post, f"{path}/context", _body(question, *key)))
            for key in times
        }
        healthz = milliseconds(lambda: connection.get("/healthz"))
        if number >= _WARM_UP:
            bare.append(healthz)
            for key, one in found.items():
                times[key].append(one)
    return times, bare


def _body(question: str, window: int, shape: str) -> bytes:
    return encoded({"input": question, "max_tokens": window, "format": shape})


def _figures(window: int, shape: str, found: list[float], bare: list[float]) -> list[Figure]:
    name = f"context of {window:,} tokens, {shape}"
    return [
        Figure(f"{name}, p50", p50(found), "ms", p50(bare), "/healthz", most=_TARGET),
        Figure(f"{name}, p95", p95(found), "ms", p95(bare), "/healthz"),
    ]


def main() -> None:
    """Run from the command line."""
    options = parser(__doc__)
    options.add_argument(
        "--memories", type=int, default=MEMORIES, help="of the owner, beside the thread's own"
    )
    options.add_argument("--contexts", type=int, default=CONTEXTS, help="of each window and shape")
    chosen = options.parse_args()
    play(chosen, "Contexts of a long thread", lambda stage: measure(stage, chosen.memories, chosen.contexts))


if __name__ == "__main__":
    main()
