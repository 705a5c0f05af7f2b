"""`memsite mcp`: lines in, lines out."""

from __future__ import annotations

import io
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar

import pytest

from memsite.commands.relay import relay


class Handler(BaseHTTPRequestHandler):
    """Answers `initialize` by JSON, `tools/call` by a stream of events, and notifications by nothing."""

    seen: ClassVar[list[tuple[dict[str, Any], dict[str, str]]]]

    def do_POST(self) -> None:
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.seen.append((message, {name.lower(): value for name, value in self.headers.items()}))
        if "id" not in message:
            self._send(202, "", b"")
        elif message["method"] == "initialize":
            self._send(200, "application/json", _result(message, {"protocolVersion": "2025-11-25"}))
        elif message["method"] == "tools/call":
            progress = b'event: message\ndata: {"jsonrpc": "2.0", "method": "notifications/progress"}\n\n'
            self._send(
                200, "text/event-stream", progress + b"data: " + _result(message, {"ok": True}) + b"\n\n"
            )
        elif message["method"] == "resources/list":
            error = {"code": -32600, "message": "This API key is not valid."}
            refusal = json.dumps({"jsonrpc": "2.0", "id": None, "error": error})
            self._send(401, "application/json", refusal.encode())
        else:
            self._send(401, "text/html", b"<html>")

    def _send(self, status: int, kind: str, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: object) -> None:
        """Log nothing."""


def _result(message: dict[str, Any], result: object) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}).encode()


@pytest.fixture
def address() -> Iterator[str]:
    Handler.seen = []
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()
    thread.join()


def talk(address: str, *messages: object) -> list[dict[str, Any]]:
    lines = b"".join(
        json.dumps(one).encode() + b"\n" if isinstance(one, dict) else b"{oh\n" for one in messages
    )
    written = io.BytesIO()
    relay(address, "msk_x", "ann", io.BytesIO(lines), written)
    return [json.loads(line) for line in written.getvalue().splitlines()]


def request(method: str, identifier: int = 1, **params: object) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": identifier, "method": method, "params": params}


def test_answer_is_passed_on_with_the_key_and_the_user(address: str) -> None:
    [answer] = talk(address, request("initialize"))
    assert answer["result"] == {"protocolVersion": "2025-11-25"}
    [(_, headers)] = Handler.seen
    assert (headers["authorization"], headers["memsite-user"]) == ("Bearer msk_x", "ann")


def test_every_message_of_a_stream_is_a_line(address: str) -> None:
    answers = talk(address, request("tools/call", 7, name="search"))
    assert [one.get("id") for one in answers] == [None, 7]


def test_notification_has_no_answer(address: str) -> None:
    assert talk(address, {"jsonrpc": "2.0", "method": "notifications/initialized"}) == []


def test_headers_repeat_what_the_newer_protocol_says(address: str) -> None:
    meta = {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}
    talk(address, request("tools/call", name="记忆", _meta=meta))
    [(_, headers)] = Handler.seen
    assert (headers["mcp-protocol-version"], headers["mcp-method"]) == ("2026-07-28", "tools/call")
    assert headers["mcp-name"] == "=?base64?6K6w5b+G?="


@pytest.mark.parametrize("message", [request("other", 3)])
def test_refusal_is_an_error_of_the_request(address: str, message: Any) -> None:
    [answer] = talk(address, message)
    assert (answer["id"], answer["error"]["code"]) == (3, -32603)


def test_refusal_of_a_message_that_was_not_read_answers_the_request(address: str) -> None:
    [answer] = talk(address, request("resources/list", 4))
    assert (answer["id"], answer["error"]["message"]) == (4, "This API key is not valid.")


def test_site_that_is_away_is_an_error_of_the_request() -> None:
    [answer] = talk("http://127.0.0.1:9", request("initialize", 5))
    assert (answer["id"], answer["error"]["code"]) == (5, -32603)


def test_line_that_is_not_json_is_answered(address: str) -> None:
    [answer] = talk(address, None)
    assert answer["error"]["code"] == -32700
