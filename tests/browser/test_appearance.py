"""How the pages look: no sideways scrolling, nothing that axe finds, visible focus, nothing that jumps."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]  # it has no types
from playwright.sync_api import Page, expect

from memories.models import Memory
from memsite.accounts.models import User
from tests.browser.conftest import Visit, Window
from tests.site_paths import PERSON, VISITOR, fill_path
from threads.models import Thread

pytestmark = [pytest.mark.browser]

#: What has the focus and its outline; past the last element the focus is on the body.
OUTLINE = """() => { const at = document.activeElement; const style = getComputedStyle(at).outlineStyle;
  return at === document.body ? '' : `${at.tagName} ${at.textContent.trim().slice(0, 30)} ${style}`; }"""


def addresses(memories: list[Memory], thread: Thread) -> list[str]:
    return [fill_path(path, memories[0], thread) for path in PERSON]


def violations(page: Page) -> list[str]:
    """Return what axe finds against a page: each rule with the first elements that break it."""
    found = Axe().run(page).response["violations"]
    return [f"{one['id']}: {[node['html'][:160] for node in one['nodes'][:3]]}" for one in found]


@pytest.mark.parametrize("width", [320, 768, 1280])
def test_no_page_scrolls_sideways(window: Window, memories: list[Memory], thread: Thread, width: int) -> None:
    visit = window(viewport={"width": width, "height": 700})
    page = visit.sign_in()
    wide = []
    for address in addresses(memories, thread):
        visit.open(address)
        if page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth"):
            wide.append(address)
    assert wide == []


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 390)])
def test_axe_finds_no_violation_on_a_page_of_a_person(
    window: Window, memories: list[Memory], thread: Thread, scheme: str, width: int
) -> None:
    visit = window(
        color_scheme=scheme, reduced_motion="reduce", viewport={"width": width, "height": 800}, locale="zh-CN"
    )
    page = visit.sign_in()
    found = {}
    for address in addresses(memories, thread):
        visit.open(address)
        if against := violations(page):
            found[address] = against
    assert found == {}
    assert visit.complaints == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_violation_on_a_page_of_a_visitor(window: Window, scheme: str) -> None:
    visit = window(color_scheme=scheme, reduced_motion="reduce")
    assert {path: found for path in VISITOR if (found := violations(visit.open(path)))} == {}
    assert visit.complaints == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_violation_on_a_list_of_the_admin(
    window: Window, person: User, memories: list[Memory], scheme: str
) -> None:
    person.is_staff = person.is_superuser = True
    person.save()
    visit = window(color_scheme=scheme, reduced_motion="reduce", viewport={"width": 390, "height": 800})
    visit.sign_in()
    lists = ("/admin/", "/admin/memories/memory/", "/admin/accounts/user/", "/admin/accounts/auditentry/")
    assert {path: found for path in lists if (found := violations(visit.open(path)))} == {}


def _tab_to(page: Page, presses: int) -> None:
    for _ in range(presses):
        page.keyboard.press("Tab")


def test_the_first_tab_offers_to_skip_to_the_content(window: Window, memories: list[Memory]) -> None:
    visit = window()
    page = visit.sign_in()
    visit.open("/memories/")
    _tab_to(page, 1)
    expect(page.locator(".skip")).to_be_focused()
    expect(page.locator(".skip")).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page.locator("#main")).to_be_focused()


def test_focus_is_always_seen(window: Window, memories: list[Memory]) -> None:
    visit = window()
    page = visit.sign_in()
    visit.open("/memories/?q=sail")
    outlines: list[str] = []
    for _ in range(20):
        _tab_to(page, 1)
        outlines.append(page.evaluate(OUTLINE))
    assert len(set(outlines)) > 1
    assert [one for one in outlines if one.endswith(" none")] == []


def _total_shift(visit: Visit) -> float:
    script = """() => new Promise((done) => {
      new PerformanceObserver((list) => done(list.getEntries().reduce((sum, one) => sum + one.value, 0)))
        .observe({ type: 'layout-shift', buffered: true });
      setTimeout(() => done(0), 300);
    })"""
    return float(visit.page.evaluate(script))


@pytest.mark.parametrize("address", ["/", "/memories/", "/threads/", "/settings/programs/"])
def test_nothing_jumps_while_a_page_loads(window: Window, memories: list[Memory], address: str) -> None:
    visit = window()
    visit.sign_in()
    visit.open(address)
    assert _total_shift(visit) < 0.02


def test_a_chosen_theme_is_there_at_once_and_stays(window: Window) -> None:
    visit = window(color_scheme="light")
    page = visit.sign_in()
    page.locator(".account summary").click()
    with page.expect_response("**/settings/theme/"):
        page.get_by_role("button", name="Dark").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    visit.open("/memories/")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    assert visit.complaints == []


def test_a_menu_closes_on_escape_and_gives_the_focus_back(window: Window) -> None:
    page = window().sign_in()
    summary = page.locator(".account summary")
    summary.click()
    page.keyboard.press("Tab")
    page.keyboard.press("Escape")
    expect(page.locator(".account-panel")).to_be_hidden()
    expect(summary).to_be_focused()
