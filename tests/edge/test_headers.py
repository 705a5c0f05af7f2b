"""Which headers count, and who is taken for the client."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
import uvicorn
from django.core.management import call_command

from memsite import env
from memsite.edge import guard_application
from memsite.edge.uploads import Uploads
from tests.edge.asking import Echo, ask, scope
from tests.policy.sources import ROOT

UPLOADS = Uploads(paths=(), longest=1000, folder=Path())
FORWARDED = (("X-Forwarded-For", "6.6.6.6, 203.0.113.9"), ("X-Forwarded-Proto", "https"))


def seen(*headers: tuple[str, str], trusted: tuple[str, ...] = ()) -> Any:
    """The request as the application behind the edge sees it."""
    inner = Echo()
    answer = ask(
        guard_application(inner, longest=1000, uploads=UPLOADS, trusted_proxies=trusted), scope(*headers)
    )
    assert answer.status == 200
    return inner.scopes[0]


def test_forwarding_headers_of_an_unknown_client_are_dropped() -> None:
    found = seen(*FORWARDED)
    assert (found["client"][0], found["scheme"]) == ("127.0.0.1", "http")
    assert dict(found["headers"]) == {b"host": b"localhost"}


def test_trusted_proxy_names_its_client_and_the_scheme() -> None:
    found = seen(*FORWARDED, trusted=("127.0.0.0/8",))
    assert (found["client"][0], found["scheme"]) == ("203.0.113.9", "https")


def test_header_with_an_underscore_is_dropped() -> None:
    found = seen(("Memsite_User", "dora"), ("Accept", "*/*"))
    assert dict(found["headers"]) == {b"host": b"localhost", b"accept": b"*/*"}


@pytest.mark.parametrize("name", ["Memsite-User", "Authorization", "Content-Type", "Host"])
def test_header_that_is_there_twice_is_refused(name: str) -> None:
    inner = Echo()
    application = guard_application(inner, longest=1000, uploads=UPLOADS, trusted_proxies=())
    answer = ask(application, scope((name, "u1"), (name, "u2")))
    assert (answer.status, inner.scopes) == (400, [])


@pytest.mark.parametrize("value", ["proxy.example.org", "10.0.0.1/8", "*"])
def test_proxy_that_is_no_network_names_the_setting(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("MEMSITE_TRUSTED_PROXIES", value)
    with pytest.raises(env.BadSetting, match="MEMSITE_TRUSTED_PROXIES"):
        env.networks("MEMSITE_TRUSTED_PROXIES")


def test_server_leaves_these_headers_to_the_edge(monkeypatch: pytest.MonkeyPatch) -> None:
    configured = Mock(side_effect=StopIteration)
    monkeypatch.setattr(uvicorn, "Config", configured)
    with pytest.raises(StopIteration):
        call_command("serve", fd=0)
    assert configured.call_args.kwargs["proxy_headers"] is False


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("nginx.conf", ["X-Forwarded-For $remote_addr;", "X-Forwarded-Proto $scheme;", "Host $host;"]),
        ("Caddyfile", ["reverse_proxy 127.0.0.1:8000"]),  # it sets the three by itself
    ],
)
def test_reference_proxy_replaces_what_a_client_claims(name: str, lines: list[str]) -> None:
    text = (ROOT / "docs" / "proxies" / name).read_text(encoding="utf-8")
    assert "MEMSITE_TRUSTED_PROXIES" in text
    assert all(line in text for line in lines)
