"""One kept-alive HTTP connection to a site, with little client overhead."""

from __future__ import annotations

import http.client
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import SEEK_END
from typing import Any, BinaryIO, Final
from urllib.parse import urlsplit

_TIMEOUT: Final = 120.0  # seconds: a batch on a busy machine takes long
#: Seconds of silence after which the server may end a connection (it waits 5).
_IDLE_SECONDS: Final = 4.0
BATCH: Final = 1_000


class Refused(Exception):
    """The site answered with an error; the message says which."""


@dataclass(frozen=True, slots=True)
class Person:
    """Whom a program acts for: a key and, with an application's key, the end user's name."""

    key: str
    end_user: str = ""

    def headers(self) -> dict[str, str]:
        """Return the headers of every request of this person."""
        headers = {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"}
        return headers | ({"Memsite-User": self.end_user} if self.end_user else {})


class Connection:
    """Sends requests one after the other. Raises Refused for an answer that is not 2xx."""

    def __init__(self, url: str, person: Person, timeout: float = _TIMEOUT) -> None:
        self._http = _open(url, timeout)
        self._used = time.monotonic()
        self._headers = person.headers()
        self.owner = ""

    def get(self, path: str) -> bytes:
        """Return the body of a GET."""
        return self._send("GET", path, None)

    def post(self, path: str, body: bytes) -> bytes:
        """Send an encoded JSON body by POST; return the answer."""
        return self._send("POST", path, body)

    def upload(self, path: str, file: BinaryIO) -> bytes:
        """Send a file by POST, a part at a time; return the answer."""
        size = file.seek(0, SEEK_END)
        file.seek(0)
        return self._send(
            "POST", path, file, {"Content-Length": str(size), "Content-Type": "application/octet-stream"}
        )

    def search(self, body: bytes) -> bytes:
        """Return the answer to a search, not decoded."""
        return self.post("/api/memories/search", body)

    def add(self, memories: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        """Add up to 1,000 memories in one transaction; return the result of each."""
        answer = self.post("/api/memories/batch", encoded({"memories": list(memories)}))
        results: list[dict[str, Any]] = json.loads(answer)["results"]
        return results

    def close(self) -> None:
        """Close the connection."""
        self._http.close()

    def _send(
        self, method: str, path: str, body: bytes | BinaryIO | None, headers: Mapping[str, str] | None = None
    ) -> bytes:
        if time.monotonic() - self._used > _IDLE_SECONDS:
            self._http.close()  # the server may have ended it; the request opens a new one
        self._http.request(method, path, body=body, headers=self._headers | dict(headers or {}))
        answer = self._http.getresponse()
        content = answer.read()
        self._used = time.monotonic()
        if answer.status >= http.client.MULTIPLE_CHOICES:
            raise Refused(f"{method} {path}: {answer.status} {content[:300].decode('utf-8', 'replace')}")
        self.owner = answer.headers.get("Memsite-Owner", self.owner)
        return content


def encoded(value: object) -> bytes:
    """Return a value as compact JSON."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def search_body(query: str, top_k: int = 10, number: int = 0) -> bytes:
    """Return the body of a search without a threshold: `top_k` results come back if there are as many.

    Args:
        query: The question.
        top_k: Number of results.
        number: Makes a search for the same question another one, whose ranking is not kept from before.
    """
    return encoded({"query": query, "top_k": top_k, "min_similarity": number * 1e-9})


def is_ready(url: str, path: str = "/readyz") -> bool:
    """Return whether the whole site is ready (web, database and worker), or a path answers 200."""
    connection = _open(url)
    try:
        connection.request("GET", path)
        return connection.getresponse().status == http.client.OK
    except OSError:
        return False
    finally:
        connection.close()


def wait_until_ready(url: str, seconds: float, path: str = "/readyz") -> bool:
    """Return whether the site became ready in time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if is_ready(url, path):
            return True
        time.sleep(0.25)
    return False


def _open(url: str, timeout: float = _TIMEOUT) -> http.client.HTTPConnection:
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise SystemExit(f"{url!r} is not an address like http://127.0.0.1:8000")
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    return kind(parts.hostname, parts.port, timeout=timeout)
