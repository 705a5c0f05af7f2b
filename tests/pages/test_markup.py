"""Rules that every page keeps: no inline script or style, labels, landmarks, one heading, unique ids."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from django.test import Client

from memories.models import Memory
from memsite.accounts.keys import issue_key
from memsite.accounts.models import User
from tests.pages.conftest import Remember, Say
from tests.site_paths import PERSON, VISITOR, fill_path

#: A page that is not there.
MISSING = "/no/such/page/"
_FILLED = frozenset({"input", "select", "textarea"})
_UNLABELLED = frozenset({"hidden", "submit"})


class Page(HTMLParser):
    """What the rules ask about a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.labelled: set[str] = set()
        self.wrapped: list[dict[str, str | None]] = []
        self.depth_of_labels = 0
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.tags.append((tag, found))
        if tag == "label":
            self.depth_of_labels += 1
            self.labelled.add(found.get("for") or "")
        elif tag in _FILLED and self.depth_of_labels:
            self.wrapped.append(found)

    def handle_endtag(self, tag: str) -> None:
        self.depth_of_labels -= tag == "label"

    def all(self, *names: str) -> list[dict[str, str | None]]:
        return [found for tag, found in self.tags if tag in names]


@pytest.fixture
def page(
    request: pytest.FixtureRequest,
    alice: User,
    alice_browser: Client,
    remembered: Remember,
    thread_saying: Say,
) -> Page:
    who, address = request.param
    memory: Memory = remembered(alice, "Plays the cello.", tags=("music",))
    thread = thread_saying(alice, "I have played the cello since school.")
    issue_key(alice, name="editor")
    browser = alice_browser if who == "person" else Client()
    response = browser.get(fill_path(address, memory, thread))
    assert response.status_code == (404 if address == MISSING else 200)
    assert "script-src 'self';" in response["Content-Security-Policy"] + ";"
    return Page(response.content.decode())


MINE = [("person", address) for address in (*PERSON, MISSING)]
ALL = [*(("visitor", address) for address in VISITOR), *MINE]
pages = pytest.mark.parametrize("page", ALL, indirect=True, ids=str)


@pages
def test_every_page_keeps_the_rules(page: Page) -> None:
    assert [found for _, found in page.tags if "style" in found] == []
    assert [name for _, found in page.tags for name in found if name.startswith("on")] == []
    inline = [one for one in page.all("script") if "src" not in one and one.get("type") != "application/json"]
    assert inline == []
    assert page.all("style") == []
    assert [one for one in page.all("img") if one.get("alt") is None] == []
    assert page.all("html")[0]["lang"] == "en"
    assert len(page.all("main")) == len(page.all("h1")) == 1
    ids = [found["id"] for _, found in page.tags if found.get("id")]
    assert sorted(ids, key=str) == sorted(set(ids), key=str)


@pages
def test_every_field_has_a_label(page: Page) -> None:
    fields = [one for one in page.all(*_FILLED) if (one.get("type") or "text") not in _UNLABELLED]
    bare = [
        one
        for one in fields
        if one.get("id") not in page.labelled and one not in page.wrapped and not one.get("aria-label")
    ]
    assert bare == []


@pages
def test_every_posting_form_carries_its_token(page: Page) -> None:
    forms = [one for one in page.all("form") if (one.get("method") or "get").lower() == "post"]
    tokens = [one for one in page.all("input") if one.get("name") == "csrfmiddlewaretoken"]
    assert len(tokens) >= len(forms)
