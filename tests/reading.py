"""Read an asynchronous iterator step by step in a test that is not asynchronous."""

from __future__ import annotations

from collections.abc import AsyncIterator, Generator
from typing import Any, TypeVar

from memsite.llm.chat import close_clients
from memsite.serving.streaming import OwnLoop

T = TypeVar("T")


def read(pieces: AsyncIterator[T]) -> Generator[T]:
    """Yield the same pieces. Closing this closes the iterator."""
    reading: Any = pieces
    with OwnLoop() as loop:
        try:
            while True:
                yield loop.run(anext(reading))
        except StopAsyncIteration:
            pass
        finally:
            loop.run(reading.aclose())
            loop.run(close_clients())
