"""Texts that attack a page: nothing of them runs, and nothing leaves its box on a phone."""

from __future__ import annotations

from typing import Final

import pytest
from playwright.sync_api import Dialog, Page

from memories.models import Memory
from memories.values import Candidate, Kind
from memories.writing.pipeline import write_candidates
from memsite.accounts.applications import create_application
from memsite.accounts.keys import issue_key
from memsite.accounts.models import User
from memsite.events.webhooks import endpoints
from memsite.values import MessageRole
from tests.browser.conftest import Window
from tests.site_paths import PERSON, fill_path
from threads.branches import create_branch
from threads.messages.incoming import NewMessage
from threads.messages.transcript import append_messages, create_thread
from threads.models import Thread

pytestmark = [pytest.mark.browser]

SCRIPT: Final = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'>"
WORD: Final = "x" * 5000
RIGHT_TO_LEFT: Final = "مرحبا بالعالم \u202etxt\u202c שלום "
TEXTS: Final = (SCRIPT, WORD, RIGHT_TO_LEFT * 30)

#: Elements that are wider than their box, or stand beyond the page, and do not scroll by themselves.
OUTSIDE: Final = """() => [...document.querySelectorAll('main *, dialog *')].filter((one) => {
  if (!one.checkVisibility() || one.closest('.unseen, svg, pre, table')) return false;
  const box = one.getBoundingClientRect();
  const scrolls = (at) => at && at !== document.body
    && (getComputedStyle(at).overflowX !== 'visible' || scrolls(at.parentElement));
  return box.width > 1 && (box.right > document.documentElement.clientWidth + 1 || box.left < -1)
    && !scrolls(one.parentElement);
}).map((one) => `${one.tagName}.${one.className} ${one.textContent.trim().slice(0, 30)}`)"""


@pytest.fixture
def hostile_memories(person: User) -> list[Memory]:
    candidates = [
        Candidate(
            text,
            kind=kind,
            tags=(SCRIPT[:60], "t" * 60, RIGHT_TO_LEFT.strip()),
            subject=(SCRIPT + WORD)[:255],
            predicate="p" * 64,
            object=WORD[:255],
            session=(SCRIPT + WORD)[:120],
            speaker=(SCRIPT + WORD)[:120],
            entities=("E" * 255, RIGHT_TO_LEFT),
        )
        for text, kind in zip(TEXTS, (Kind.FACT, Kind.PREFERENCE, Kind.GOAL), strict=True)
    ]
    written = write_candidates(candidates, owner=person.pk, actor="person")
    return [outcome.memory for outcome in written.outcomes if outcome.memory is not None]


@pytest.fixture
def hostile_thread(person: User) -> Thread:
    """A thread whose title is one word, with hostile messages and a branch with a long name."""
    thread = create_thread(owner=person.pk, title="T" * 200)
    table = f"# {WORD}\n\n```\n{WORD}\n```\n\n|a|b|\n|-|-|\n|{WORD}|{RIGHT_TO_LEFT}|\n\n{SCRIPT}"
    said = [*TEXTS, table, f"{SCRIPT} [x](javascript:alert(1)) <b onclick=alert(1)>", "- " + WORD]
    roles = (MessageRole.USER, MessageRole.ASSISTANT)
    messages = [
        NewMessage(role=roles[number % 2], content=content) for number, content in enumerate([*said, *said])
    ]
    append_messages(thread.pk, messages, owner=person.pk)
    create_branch(thread.pk, "b" * 100, owner=person.pk)
    return thread


@pytest.fixture
def hostile_programs(person: User, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Keys, applications and webhooks with hostile names; the addresses of their pages."""
    monkeypatch.setattr(endpoints, "check_url", lambda _url: None)
    person.first_name, person.last_name = (SCRIPT + WORD)[:150], RIGHT_TO_LEFT
    person.save()
    pages = []
    for name in (SCRIPT, "K" * 100, RIGHT_TO_LEFT):
        issue_key(person, name=name)
        pages.append(f"/settings/applications/{create_application(person, name).pk}/")
    for url in (f"https://example.com/{WORD[:1800]}", f"https://example.com/?a={SCRIPT.replace(' ', '+')}"):
        webhook, _secret = endpoints.add_webhook(url, owner=person.pk)
        pages.append(f"/settings/programs/webhooks/{webhook.pk}/")
    return pages


def find_outside(page: Page) -> list[str]:
    wide = page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
    return (["the page scrolls sideways"] if wide else []) + list(page.evaluate(OUTSIDE))


def test_nothing_runs_and_nothing_leaves_its_box(
    window: Window,
    hostile_memories: list[Memory],
    hostile_thread: Thread,
    hostile_programs: list[str],
) -> None:
    visit = window(viewport={"width": 390, "height": 800})
    page = visit.sign_in()
    dialogs: list[str] = []

    def hear(dialog: Dialog) -> None:
        dialogs.append(dialog.message)
        dialog.dismiss()

    page.on("dialog", hear)
    addresses = [fill_path(path, hostile_memories[0], hostile_thread) for path in PERSON]
    addresses += [f"/memories/{memory.pk}/" for memory in hostile_memories]
    addresses += [f"/memories/?tag={'t' * 60}&q={WORD[:200]}", "/memories/?layer=all&state=any"]
    outside = {}
    for address in dict.fromkeys([*addresses, *hostile_programs]):
        visit.open(address)
        if found := find_outside(page):
            outside[address] = found[:3]
    assert outside == {}
    assert dialogs == []
    assert visit.complaints == []
