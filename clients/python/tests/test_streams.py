"""Streams of events and of answers: cut, resumed, refused."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from itertools import islice
from typing import Any

import httpx
import pytest

from memsite import ConnectionFailed, ModelError, NotAuthenticated
from memsite.results import ReplyBegun, ReplyDelta, ReplyEnded
from memsite.wire import EventParser

REPLY = {
    "id": "r",
    "status": "done",
    "source": "llm",
    "error": None,
    "created_at": "2026-01-01T00:00:00Z",
    "finished_at": None,
}


def event(number: int, kind: str = "memory.created") -> bytes:
    data = {"id": number, "type": kind, "created_at": "2026-01-01T00:00:00Z", "memory": "m", "thread": None}
    data |= {"action": None, "batch_id": None, "actor": "program"}
    return f"id: {number}\nevent: {kind}\ndata: {json.dumps(data)}\n\n".encode()


class Pieces(httpx.SyncByteStream, httpx.AsyncByteStream):
    """A body that arrives in pieces, and perhaps breaks."""

    def __init__(self, *pieces: bytes, breaks: bool = False) -> None:
        self.pieces = pieces
        self.breaks = breaks

    def __iter__(self) -> Iterator[bytes]:
        yield from self.pieces
        if self.breaks:
            raise httpx.ReadError("cut")

    async def __aiter__(self) -> Any:
        for piece in self:
            yield piece


def stream(*pieces: bytes, breaks: bool = False) -> httpx.Response:
    headers = {"Content-Type": "text/event-stream"}
    return httpx.Response(200, stream=Pieces(*pieces, breaks=breaks), headers=headers)


def test_events_go_on_after_the_last_one_seen(script: Any) -> None:
    script.steps = [
        stream(b"retry: 100\nid: 4\n\n", event(5), breaks=True),
        httpx.ConnectError("away"),
        httpx.Response(503, json={"code": "unavailable", "message": "Away."}),
        stream(b": still here\n\n", event(6)[:30], event(6)[30:]),
        stream(event(7)),
    ]
    numbers = [found.id for found in islice(script.client.events(types=["memory.*"]), 3)]
    assert numbers == [5, 6, 7]
    requested = [request.url.params.get("after") for request in script.requests]
    assert requested == [None, "5", "5", "5", "6"]
    assert script.pauses[0] == 0.1


def test_number_alone_moves_the_place(script: Any) -> None:
    script.steps = [stream(b"id: 4\n\n"), stream(event(9))]
    next(script.client.events(after=1))
    assert script.requests[1].url.params["after"] == "4"


def test_refused_stream_raises(script: Any) -> None:
    script.steps = [httpx.Response(401, json={"code": "not_authenticated", "message": "No."})]
    with pytest.raises(NotAuthenticated):
        next(script.client.events())


def test_events_can_be_awaited(script: Any) -> None:
    script.steps = [stream(event(5), breaks=True), stream(event(6))]

    async def read() -> list[int]:
        found: list[int] = []
        async with script.async_client as client:
            async for one in client.events():
                found.append(one.id)
                if len(found) == 2:
                    break
        return found

    assert asyncio.run(read()) == [5, 6]


def sent(name: str, data: object) -> bytes:
    return f"event: {name}\ndata: {json.dumps(data)}\n\n".encode()


def test_answer_is_streamed(script: Any, message: Any) -> None:
    rest = {"token_stats": None, "metadata": None, "citations": None}
    begun = sent("begun", {"reply": REPLY, "question": message, **rest})
    script.steps = [
        stream(begun, sent("delta", {"text": "Hi"}), sent("ended", {"reply": REPLY, "message": None}))
    ]
    found = list(script.client.reply("t", "Hi", stream=True))
    assert [type(one) for one in found] == [ReplyBegun, ReplyDelta, ReplyEnded]
    assert script.body(0)["stream"] is True


def test_stream_that_did_not_begin_is_requested_again_with_the_same_id(script: Any) -> None:
    ended = sent("ended", {"reply": REPLY, "message": None})
    script.steps = [httpx.ReadError("cut"), stream(ended)]
    list(script.client.reply("t", "Hi", stream=True))
    assert script.body(0) == script.body(1)
    assert script.body(0)["client_id"]


def test_cut_answer_is_not_requested_again(script: Any) -> None:
    script.steps = [stream(sent("delta", {"text": "Hi"}))]
    with pytest.raises(ConnectionFailed):
        list(script.client.reply("t", "Hi", stream=True))
    assert len(script.requests) == 1


def test_error_in_a_stream_is_raised(script: Any) -> None:
    script.steps = [stream(sent("error", {"code": "model_error", "message": "Away.", "detail": None}))]
    with pytest.raises(ModelError):
        list(script.client.reply("t", "Hi", stream=True))


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_pieces_may_be_cut_anywhere(size: int) -> None:
    text = "retry: 3000\r\nid: 1\r\n\r\n: hello\n\nid: 2\nevent: x\ndata: 记\ndata: 忆\n\n".encode()
    parser = EventParser()
    found = [one for start in range(0, len(text), size) for one in parser.feed(text[start : start + size])]
    assert [(one.name, one.data, one.id, one.retry) for one in found] == [
        ("", "", "1", 3.0),
        ("x", "记\n忆", "2", None),
    ]
