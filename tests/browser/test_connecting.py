"""A person lets a program in, in a real browser: the page's policy lets the redirect through."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import orjson
import pytest

from memsite.accounts.models import User
from memsite.accounts.oauth import list_programs
from memsite.accounts.oauth.clients import register_client
from tests.browser.conftest import Window
from tests.site_paths import CONSENT

pytestmark = [pytest.mark.browser]


@pytest.fixture
def callback() -> Iterator[str]:
    """A program on this computer, which sends on whoever comes back to it."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            onward = self.path.startswith("/callback")
            self.send_response(302 if onward else 200)
            self.send_header("Content-Length", "0")
            if onward:
                self.send_header("Location", self.path.replace("/callback", "/done"))
            self.end_headers()

        def log_message(self, *args: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}/callback"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.parametrize("scripts", [True, False])
def test_allowing_leads_back_to_the_program(
    window: Window, person: User, callback: str, *, scripts: bool
) -> None:
    client = register_client(orjson.dumps({"client_name": "Editor", "redirect_uris": [callback]}))
    visit = window(java_script_enabled=scripts)
    page = visit.sign_in()
    visit.open(CONSENT.format(client=client["client_id"]))
    page.get_by_label("Read only").check()
    page.get_by_role("button", name="Allow", exact=True).click()
    page.wait_for_url(callback.replace("/callback", "/done") + "?code=*")
    assert "iss=" in page.url
    assert visit.complaints == []
    assert list_programs(owner=person.pk) == []  # not before the program has redeemed its code
