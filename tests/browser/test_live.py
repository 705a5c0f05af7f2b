"""Pages hear of events: one stream for all tabs of a browser."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from playwright.sync_api import Page, Route

from tests.browser.conftest import Window

pytestmark = [pytest.mark.browser]

EVENT = '{"id": 7, "type": "memory.created", "memory": "m1", "thread": null, "actor": "program"}'
_COLLECT = "window.seen = []; document.addEventListener('memsite:event', (e) => window.seen.push(e.detail))"


@dataclass
class Server:
    """Answers in place of `/api/events`; a stream ends at once, and the browser asks again."""

    status: int = 200
    sends_event: bool = False
    asked: list[tuple[Page, str]] = field(default_factory=list)

    def answer(self, route: Route) -> None:
        self.asked.append((route.request.frame.page, route.request.url))
        body = "retry: 100\nid: 6\n\n"
        if self.sends_event:
            body += f"id: 7\nevent: memory.created\ndata: {EVENT}\n\n"
        route.fulfill(status=self.status, content_type="text/event-stream", body=body)


def open_tab(first: Page, path: str) -> Page:
    tab = first.context.new_page()
    tab.goto(path)
    tab.evaluate(_COLLECT)
    return tab


def wait_for_event(tab: Page) -> None:
    """Wait until the page has heard of an event. `wait_for_function` needs `unsafe-eval`."""
    for _ in range(200):
        if tab.evaluate("window.seen.length > 0"):
            return
        tab.wait_for_timeout(50)
    pytest.fail("no event arrived within ten seconds")


def test_tabs_share_one_stream(window: Window) -> None:
    server, visit = Server(), window()
    visit.page.context.route("**/api/events*", server.answer)
    first = visit.sign_in()
    first.evaluate(_COLLECT)
    second = open_tab(first, f"{visit.site}/memories/")
    server.sends_event = True
    for page in (first, second):
        wait_for_event(page)
        assert page.evaluate("window.seen[0]") == {
            "id": 7,
            "type": "memory.created",
            "memory": "m1",
            "thread": None,
        }
    assert {page for page, _ in server.asked} == {first}
    assert visit.complaints == []


def test_stream_passes_to_another_tab_and_resumes(window: Window) -> None:
    server, visit = Server(sends_event=True), window()
    visit.page.context.route("**/api/events*", server.answer)
    first = visit.sign_in()
    second = open_tab(first, f"{visit.site}/memories/")
    wait_for_event(second)
    server.asked.clear()
    with second.expect_response("**/api/events*"):
        first.close()
    assert server.asked[0][0] == second
    assert server.asked[0][1].endswith("/api/events?after=7")


def test_refused_stream_is_not_asked_for_at_once(window: Window) -> None:
    server, visit = Server(status=503), window()
    visit.page.context.route("**/api/events*", server.answer)
    page = visit.sign_in()
    page.wait_for_timeout(1_500)
    assert len({url for _, url in server.asked}) == len(server.asked) == 1
    assert [text for text in visit.complaints if "503" not in text] == []
