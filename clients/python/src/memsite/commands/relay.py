"""Relay MCP between standard input and output and a site's `/mcp`: one JSON-RPC message a line.

The relay reads no more of a message than the headers of the protocol need. An answer of the server may be
JSON or a
stream of events; each message in it becomes one line.
"""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, BinaryIO, Final

import httpx

from memsite.wire import EventParser

_VERSION_IN_META: Final = "io.modelcontextprotocol/protocolVersion"
#: The methods of which a header repeats a parameter.
_NAMED: Final = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
_AT_ONCE: Final = 8
#: JSON-RPC's code of an internal error, and of a message that is not JSON.
_INTERNAL: Final = -32603
_NOT_JSON: Final = -32700
_ERRORS_FROM: Final = 400
_TIMEOUT: Final = httpx.Timeout(30.0, read=300.0)


def relay(url: str, key: str, user: str | None, source: BinaryIO, target: BinaryIO) -> None:
    """Relay until the input ends. If the site does not answer, the request gets an error and the relay goes
    on."""
    headers = {"Authorization": f"Bearer {key}", "Accept": "application/json, text/event-stream"}
    if user is not None:
        headers["Memsite-User"] = user
    with httpx.Client(headers=headers, timeout=_TIMEOUT) as http, ThreadPoolExecutor(_AT_ONCE) as pool:
        bridge = _Bridge(http, url.rstrip("/") + "/mcp", target)
        for line in source:
            if line.strip():
                pool.submit(bridge.pass_on, line.strip())


class _Bridge:
    """Sends lines to the site and writes its answers.

    The protocol's version and the session belong to the connection: the answer to `initialize` sets them.
    """

    def __init__(self, http: httpx.Client, address: str, target: BinaryIO) -> None:
        self._http = http
        self._address = address
        self._target = target
        self._writing = threading.Lock()
        self._session: dict[str, str] = {}

    def pass_on(self, line: bytes) -> None:
        """Send one message, and write what the site answers."""
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            self._fail(None, _NOT_JSON, "the line is not JSON")
            return
        try:
            headers = {"Content-Type": "application/json", **self._session, **_headers_of(message)}
            with self._http.stream("POST", self._address, content=line, headers=headers) as response:
                self._answer(message, response)
        except httpx.HTTPError as error:
            self._fail(_id_of(message), _INTERNAL, f"Memsite did not answer: {type(error).__name__}")

    def _answer(self, message: Any, response: httpx.Response) -> None:
        has_answered = False
        for answer in _messages(response):
            if "error" in answer and answer.get("id") is None:  # a refusal by a server that has not read it
                if _id_of(message) is None:
                    continue
                answer["id"] = _id_of(message)
            has_answered = has_answered or "id" in answer
            self._remember(message, answer, response)
            self._write(answer)
        if not has_answered and _id_of(message) is not None:
            self._fail(_id_of(message), _INTERNAL, f"Memsite answered with status {response.status_code}")

    def _remember(self, message: Any, answer: Mapping[str, Any], response: httpx.Response) -> None:
        if not isinstance(message, dict) or message.get("method") != "initialize":
            return
        version = (answer.get("result") or {}).get("protocolVersion")
        if version:
            self._session["MCP-Protocol-Version"] = str(version)
        if session := response.headers.get("mcp-session-id"):
            self._session["Mcp-Session-Id"] = session

    def _fail(self, identifier: Any, code: int, text: str) -> None:
        """Answer a request with an error; a notification has no answer."""
        if identifier is not None or code == _NOT_JSON:
            self._write({"jsonrpc": "2.0", "id": identifier, "error": {"code": code, "message": text}})

    def _write(self, message: Mapping[str, Any]) -> None:
        with self._writing:
            self._target.write(json.dumps(message, ensure_ascii=False).encode() + b"\n")
            self._target.flush()


def _messages(response: httpx.Response) -> Iterator[dict[str, Any]]:
    """Yield the messages of an answer; none if it has another shape."""
    if response.headers.get("content-type", "").startswith("text/event-stream"):
        parser = EventParser()
        texts: Iterator[str] = (event.data for piece in response.iter_bytes() for event in parser.feed(piece))
    else:
        texts = iter((response.read().decode(errors="replace"),))
    for text in texts:
        try:
            parsed = json.loads(text)
        except ValueError:
            continue
        for message in parsed if isinstance(parsed, list) else [parsed]:
            if isinstance(message, dict) and message.get("jsonrpc") == "2.0":
                yield message


def _headers_of(message: Any) -> dict[str, str]:
    """Return the headers that repeat parts of a message, which revision 2026-07-28 requires."""
    params = message.get("params") if isinstance(message, dict) else None
    meta = params.get("_meta") if isinstance(params, dict) else None
    version = meta.get(_VERSION_IN_META) if isinstance(meta, dict) else None
    if not isinstance(version, str):
        return {}
    method = str(message.get("method", ""))
    headers = {"MCP-Protocol-Version": version, "Mcp-Method": method}
    name = params.get(_NAMED.get(method, "")) if isinstance(params, dict) else None
    if isinstance(name, str):
        headers["Mcp-Name"] = _header_value(name)
    return headers


def _header_value(text: str) -> str:
    """Return a text as the value of a header; if it has other characters, as the protocol encodes it."""
    if text.isascii() and text.isprintable() and text == text.strip() and not text.startswith("=?base64?"):
        return text
    return f"=?base64?{base64.b64encode(text.encode()).decode()}?="


def _id_of(message: Any) -> Any:
    return message.get("id") if isinstance(message, dict) and "method" in message else None
