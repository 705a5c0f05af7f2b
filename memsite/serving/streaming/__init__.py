"""Answers that go on after their view has returned, without a thread or a connection of their own."""

from memsite.serving.streaming.stream_threads import STREAM_THREADS, TURNS, in_stream_thread, turn
from memsite.serving.streaming.threaded import MAY_GO_ON, ThreadedApplication
from memsite.serving.streaming.waiting import Look, wait_here, wait_in_loop

__all__ = [
    "MAY_GO_ON",
    "STREAM_THREADS",
    "TURNS",
    "Look",
    "ThreadedApplication",
    "in_stream_thread",
    "turn",
    "wait_here",
    "wait_in_loop",
]
