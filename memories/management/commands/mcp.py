"""`manage.py mcp`: an MCP server over stdio, for clients that start their servers as commands.

It passes each message on to `/mcp` of a running site, and its answer back. It needs no database.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPException
from typing import Any, Final
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, OpenerDirector, Request, build_opener

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

#: Messages that are passed on at once.
_AT_ONCE: Final = 8
#: Seconds for an answer.
_TIMEOUT: Final = 60.0
_INTERNAL_ERROR: Final = -32603
_PARSE_ERROR: Final = -32700
#: The field in which a message of the protocol without sessions names its version.
_VERSION_KEY: Final = "io.modelcontextprotocol/protocolVersion"
#: The parameter that a message of that protocol repeats in the header `Mcp-Name`, by method.
_NAMED_BY: Final = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}


class Command(BaseCommand):
    """Serve MCP over standard input and output until the input ends."""

    help = "Serve MCP over stdio. MEMSITE_KEY: an API key. MEMSITE_URL: the site (default: MEMSITE_BASE_URL)."
    requires_system_checks = ()

    def handle(self, *_args: Any, **_options: Any) -> None:
        key = os.environ.get("MEMSITE_KEY", "")
        if not key:
            raise CommandError("Set MEMSITE_KEY to an API key of the site.")
        url = os.environ.get("MEMSITE_URL") or settings.MEMSITE_BASE_URL
        if urlsplit(url).scheme not in {"http", "https"}:
            raise CommandError("MEMSITE_URL begins with http:// or https://.")
        bridge = Bridge(url.rstrip("/") + "/mcp", key, os.environ.get("MEMSITE_USER"))
        with ThreadPoolExecutor(_AT_ONCE) as threads:
            for line in sys.stdin.buffer:
                if line.strip():
                    bridge.pass_on(line, threads)


class Bridge:
    """Passes messages from standard input on to a site, and its answers to standard output."""

    def __init__(self, url: str, key: str, user: str | None) -> None:
        self._url = url
        self._headers = {
            "Authorization": f"Bearer {key}",
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            **({"Memsite-User": user} if user else {}),
        }
        self._version = ""  # of the era with a handshake, once it was agreed on
        self._lock = threading.Lock()
        self._opener: OpenerDirector = build_opener(_NoRedirects)

    def pass_on(self, line: bytes, threads: ThreadPoolExecutor) -> None:
        """Pass one message on. All but the handshake may be answered out of order."""
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            self._write(_error(None, _PARSE_ERROR, "Parse error"))
            return
        if isinstance(message, dict) and message.get("method") == "initialize":
            self._exchange(message)
        else:
            threads.submit(self._exchange, message)

    def _exchange(self, message: Any) -> None:  # noqa: ANN401 - any JSON value
        fields = message if isinstance(message, dict) else {}
        try:
            answer = self._post(message, fields)
        except HTTPError as error:
            answer = self._read_refusal(error, fields.get("id"))
        except (OSError, HTTPException, ValueError) as error:
            sys.stderr.write(f"memsite: {self._url}: {error}\n")
            answer = _error(fields.get("id"), _INTERNAL_ERROR, "Memsite cannot be reached; go on without it.")
        if answer is not None and "id" in fields:
            self._note_version(fields, answer)
            self._write(answer)

    def _post(self, message: Any, fields: dict[str, Any]) -> dict[str, Any] | None:  # noqa: ANN401 - as above
        body = json.dumps(message).encode()
        request = Request(self._url, body, {**self._headers, **self._list_headers(fields)})  # noqa: S310 - http or https
        with self._opener.open(request, timeout=_TIMEOUT) as response:
            content = response.read()
        answer: dict[str, Any] | None = json.loads(content) if content else None
        return answer

    def _list_headers(self, fields: dict[str, Any]) -> dict[str, str]:
        """Return the headers that repeat what a message says, which servers check."""
        params = fields.get("params")
        params = params if isinstance(params, dict) else {}
        meta = params.get("_meta")
        version = meta.get(_VERSION_KEY) if isinstance(meta, dict) else None
        if not isinstance(version, str):
            return {"MCP-Protocol-Version": self._version} if self._version else {}
        method = str(fields.get("method", ""))
        name = params.get(_NAMED_BY.get(method, ""))
        headers = {"MCP-Protocol-Version": version, "Mcp-Method": method}
        return headers | ({"Mcp-Name": name} if isinstance(name, str) else {})

    def _read_refusal(self, error: HTTPError, message_id: Any) -> dict[str, Any]:  # noqa: ANN401 - any JSON value
        """Return the answer to a message that was refused by an HTTP status."""
        try:
            refusal = json.loads(error.read())["error"]
        except (ValueError, TypeError, KeyError, OSError):
            refusal = None
        if not isinstance(refusal, dict):
            return _error(message_id, _INTERNAL_ERROR, f"Memsite answered {error.code}.")
        return {"jsonrpc": "2.0", "id": message_id, "error": refusal}

    def _note_version(self, fields: dict[str, Any], answer: dict[str, Any]) -> None:
        if fields.get("method") == "initialize" and isinstance(answer.get("result"), dict):
            self._version = str(answer["result"].get("protocolVersion", ""))

    def _write(self, answer: dict[str, Any]) -> None:
        with self._lock:
            sys.stdout.write(json.dumps(answer) + "\n")
            sys.stdout.flush()


class _NoRedirects(HTTPRedirectHandler):
    """Follows no redirect, which would send the key elsewhere."""

    def redirect_request(self, *_args: Any, **_kwargs: Any) -> None:
        return None


def _error(message_id: Any, code: int, message: str) -> dict[str, Any]:  # noqa: ANN401 - any JSON value
    return {"jsonrpc": "2.0", "id": message_id, "error": {"code": code, "message": message}}
