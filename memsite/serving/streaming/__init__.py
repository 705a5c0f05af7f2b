"""Answers that go on after their view has returned, without a thread or a connection of their own."""

from memsite.serving.streaming.own_loop import OwnLoop
from memsite.serving.streaming.stream_threads import (
    STREAM_THREADS,
    in_long_thread,
    releasing,
    run_in_stream_thread,
)
from memsite.serving.streaming.threaded import MAY_GO_ON, ThreadedApplication
from memsite.serving.streaming.waiting import Look, wait_in_loop, wait_in_thread

__all__ = [
    "MAY_GO_ON",
    "STREAM_THREADS",
    "Look",
    "OwnLoop",
    "ThreadedApplication",
    "in_long_thread",
    "releasing",
    "run_in_stream_thread",
    "wait_in_loop",
    "wait_in_thread",
]
