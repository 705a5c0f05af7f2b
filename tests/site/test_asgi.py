"""Which requests run natively and which in threads."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from asgiref.testing import ApplicationCommunicator

from memsite import asgi


def scope(path: str, *headers: tuple[bytes, bytes]) -> Any:
    return {"type": "http", "path": path, "headers": list(headers)}


@pytest.mark.parametrize(
    "path",
    [
        "/api/events",
        "/api/events/",
        "/mcp",
        "/v1/chat/completions",
        "/api/threads/0190-ab/reply",
        "/api/threads/0190-ab/extract",
        "/api/threads/0190-ab/summarise",
    ],
)
def test_stream_runs_natively(path: str) -> None:
    assert asgi.runs_natively(scope(path))


@pytest.mark.parametrize("path", ["/", "/api/memories", "/api/eventsource", "/v1x", "/mcpx", "/x/api/events"])
def test_ordinary_request_runs_in_a_thread(path: str) -> None:
    assert not asgi.runs_natively(scope(path))


def test_body_of_unannounced_length_runs_natively() -> None:
    assert asgi.runs_natively(scope("/api/memories", (b"transfer-encoding", b"chunked")))


async def answer_to(path: str) -> int:
    request = {
        **scope(path, (b"host", b"localhost")),
        "method": "GET",
        "query_string": b"",
        "http_version": "1.1",
    }
    connection: Any = ApplicationCommunicator(asgi.application, request)
    await connection.send_input({"type": "http.request", "body": b""})
    answer = await connection.receive_output(10)
    await connection.wait(10)
    return int(answer["status"])


@pytest.mark.parametrize("natively", [True, False])
def test_both_kinds_answer(natively: bool, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: FBT001
    monkeypatch.setattr(asgi, "runs_natively", lambda _scope: natively)
    assert asyncio.run(answer_to("/healthz")) == 200
