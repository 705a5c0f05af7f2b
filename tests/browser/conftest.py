"""A real browser on a live site. All messages of its console are collected; a page should leave none."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Playwright, sync_playwright
from pytest_django.live_server_helper import LiveServer

from memories.models import Memory
from memories.values import Candidate, Kind
from memories.writing.pipeline import write_candidates
from memsite.accounts.models import User
from memsite.values import MessageRole
from threads.messages.incoming import NewMessage
from threads.messages.transcript import append_messages, create_thread
from threads.models import Thread

CHROMIUM = "/usr/bin/chromium"
PASSWORD = "alice-secret-1"


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="session")
def chromium(playwright: Playwright) -> Iterator[Browser]:
    browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
    yield browser
    browser.close()


@dataclass
class Visit:
    """One visitor's browser window.

    Attributes:
        complaints: Errors and warnings in the console.
    """

    page: Page
    site: str
    complaints: list[str] = field(default_factory=list)

    def open(self, path: str) -> Page:
        self.page.goto(self.site + path)
        return self.page

    def sign_in(self) -> Page:
        self.open("/accounts/login/")
        self.page.fill("[name=login]", "alice")
        self.page.fill("[name=password]", PASSWORD)
        self.page.press("[name=password]", "Enter")
        self.page.wait_for_url(f"{self.site}/")
        return self.page


Window = Callable[..., Visit]


@pytest.fixture
def window(chromium: Browser, live_server: LiveServer, person: User) -> Iterator[Window]:
    """Open a window. Options are Playwright's for a context: viewport, color_scheme, java_script_enabled …"""
    contexts: list[BrowserContext] = []

    def open_window(**options: object) -> Visit:
        context = chromium.new_context(**{"locale": "en-GB", **options})  # type: ignore[arg-type]  # Playwright's own
        contexts.append(context)
        visit = Visit(context.new_page(), live_server.url)

        def hear(message: ConsoleMessage) -> None:
            if message.type in {"error", "warning"}:
                visit.complaints.append(message.text)

        visit.page.on("console", hear)
        visit.page.on("pageerror", lambda error: visit.complaints.append(str(error)))
        visit.page.set_default_timeout(10_000)
        return visit

    yield open_window
    for context in contexts:
        context.close()


@pytest.fixture
def person(transactional_db: None) -> User:
    return User.objects.create_user("alice", password=PASSWORD)


@pytest.fixture
def memories(person: User) -> list[Memory]:
    """25 facts, one preference, one goal."""
    candidates = [Candidate(f"Inspected bridge number {number}.") for number in range(25)]
    candidates.append(Candidate("Prefers night trains over flights.", kind=Kind.PREFERENCE))
    candidates.append(Candidate("Wants to learn to sail.", kind=Kind.GOAL))
    written = write_candidates(candidates, owner=person.pk, actor="person")
    return [outcome.memory for outcome in written.outcomes if outcome.memory is not None]


@pytest.fixture
def thread(person: User) -> Thread:
    made = create_thread(owner=person.pk, title="Bridges")
    said = [
        NewMessage(role=MessageRole.USER, content="Which bridge is next?"),
        NewMessage(role=MessageRole.ASSISTANT, content="The old one."),
    ]
    append_messages(made.pk, said, owner=person.pk)
    return made
