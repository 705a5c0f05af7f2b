"""A live Memsite, and a scripted one.

Some tests need a site: `MEMSITE_TEST_URL` and `MEMSITE_TEST_KEY` (scopes read and write, of a person whose
memories may be deleted), or a file with its OpenAPI schema: `MEMSITE_TEST_SCHEMA`. The repository's own tests
set them. Without them, these tests are skipped.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest

from memsite import AsyncMemsite, Memsite
from memsite.wire import drivers, flows

#: A message as the site renders it.
MESSAGE: dict[str, Any] = {
    "id": "m",
    "thread": "t",
    "parent": None,
    "role": "user",
    "content": "Hi",
    "tool_calls": None,
    "tool_call_id": None,
    "state": {},
    "token_count": 1,
    "is_compacted": False,
    "client_id": "c",
    "do_not_remember": False,
    "created_at": "2026-01-01T00:00:00Z",
}
Step = Callable[[httpx.Request], httpx.Response]


@pytest.fixture(scope="session")
def site() -> tuple[str, str]:
    """The address of a live site, and a key."""
    url, key = os.environ.get("MEMSITE_TEST_URL", ""), os.environ.get("MEMSITE_TEST_KEY", "")
    if not url or not key:
        pytest.skip("no live site: MEMSITE_TEST_URL and MEMSITE_TEST_KEY are not set")
    return url, key


@pytest.fixture
def memsite(site: tuple[str, str]) -> Iterator[Memsite]:
    with Memsite(*site) as client:
        yield client


@pytest.fixture(scope="session")
def schema() -> dict[str, Any]:
    """The OpenAPI schema of the site."""
    path = os.environ.get("MEMSITE_TEST_SCHEMA", "")
    if not path:
        pytest.skip("no schema: MEMSITE_TEST_SCHEMA is not set")
    parsed: dict[str, Any] = json.loads(Path(path).read_text(encoding="utf-8"))
    return parsed


@dataclass
class Script:
    """A site that answers by steps, one a request; it keeps the requests and the pauses between them."""

    steps: list[Step | httpx.Response | Exception] = field(default_factory=list)
    requests: list[httpx.Request] = field(default_factory=list)
    pauses: list[float] = field(default_factory=list)

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        step = self.steps.pop(0)
        if isinstance(step, Exception):
            raise step
        return step if isinstance(step, httpx.Response) else step(request)

    def body(self, index: int) -> Any:
        return json.loads(self.requests[index].content)

    @property
    def client(self) -> Memsite:
        return Memsite("http://site", "msk_x", transport=httpx.MockTransport(self))

    @property
    def async_client(self) -> AsyncMemsite:
        return AsyncMemsite("http://site", "msk_x", transport=httpx.MockTransport(self))


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Script:
    """A scripted site; pauses take no time."""
    scripted = Script()

    async def pause(seconds: float) -> None:
        scripted.pauses.append(seconds)

    monkeypatch.setattr(drivers.time, "sleep", scripted.pauses.append)
    monkeypatch.setattr(drivers.anyio, "sleep", pause)
    monkeypatch.setattr(flows.random, "uniform", lambda _low, high: high)
    return scripted


@pytest.fixture
def message() -> dict[str, Any]:
    """A message as the site renders it."""
    return dict(MESSAGE)
