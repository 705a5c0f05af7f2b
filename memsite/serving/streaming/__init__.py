"""Answers that go on after their view has returned, without a thread or a connection of their own."""

from memsite.serving.streaming.event_stream import EVENT_STREAM, EventStreamResponse, encode_event
from memsite.serving.streaming.open_streams import OpenStreams, StreamPlace, open_streams
from memsite.serving.streaming.own_loop import OwnLoop
from memsite.serving.streaming.stream_threads import (
    STREAM_THREADS,
    releasing,
    run_in_long_thread,
    run_in_stream_thread,
)
from memsite.serving.streaming.threaded import BODY_FILE, MAY_GO_ON, ThreadedApplication
from memsite.serving.streaming.waiting import Look, wait_in_loop, wait_in_thread

__all__ = [
    "BODY_FILE",
    "EVENT_STREAM",
    "MAY_GO_ON",
    "STREAM_THREADS",
    "EventStreamResponse",
    "Look",
    "OpenStreams",
    "OwnLoop",
    "StreamPlace",
    "ThreadedApplication",
    "encode_event",
    "open_streams",
    "releasing",
    "run_in_long_thread",
    "run_in_stream_thread",
    "wait_in_loop",
    "wait_in_thread",
]
