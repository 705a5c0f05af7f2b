"""How the pages look: no sideways scrolling, readable text, visible focus, nothing that jumps."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from memories.models import Memory
from tests.browser.conftest import Visit, Window
from threads.models import Thread

pytestmark = [pytest.mark.browser]

PAGES = [
    "/",
    "/guide/",
    "/memories/",
    "/memories/?q=nothing-like-it",
    "/memories/add/",
    "/memories/{memory}/",
    "/memories/{memory}/edit/",
    "/memories/{memory}/erase/",
    "/memories/clear/",
    "/inbox/",
    "/conflicts/",
    "/conflicts/{memory}/",
    "/threads/",
    "/threads/new/",
    "/threads/{thread}/",
    "/settings/preferences/",
    "/settings/keys/",
    "/settings/applications/",
    "/settings/audit/",
    "/accounts/2fa/",
    "/accounts/email/",
    "/accounts/password/change/",
    "/accounts/logout/",
]

#: Text whose contrast with what is behind it is under 4.5 : 1 (3 : 1 where it is large), by WCAG 2's formula.
FAINT_TEXT = """
() => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const rgba = (color) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const light = ([r, g, b]) => {
    const part = (v) => ((v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
  };
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const color = rgba(getComputedStyle(at).backgroundColor);
      if (color[3] > 250) return color;
    }
    return [255, 255, 255, 255];
  };
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.textContent.trim()) continue;
    if (!element.checkVisibility({ opacityProperty: true })) continue;
    const style = getComputedStyle(element);
    if (element.closest('.unseen, .skip, option, script, [disabled]') || style.clipPath !== 'none') continue;
    const [a, b] = [light(rgba(style.color)), light(behind(element))];
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && style.fontWeight >= 700);
    const words = walker.currentNode.textContent.trim().slice(0, 40);
    if (contrast < (large ? 3 : 4.5)) found.push([words, contrast.toFixed(2)]);
  }
  return found;
}
"""

#: What has the focus and its outline; past the last element the focus is on the body.
OUTLINE = """() => { const at = document.activeElement; const style = getComputedStyle(at).outlineStyle;
  return at === document.body ? '' : `${at.tagName} ${at.textContent.trim().slice(0, 30)} ${style}`; }"""


def addresses(memories: list[Memory], thread: Thread) -> list[str]:
    return [page.format(memory=memories[0].pk, thread=thread.pk) for page in PAGES]


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


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_all_text_can_be_read(window: Window, memories: list[Memory], thread: Thread, scheme: str) -> None:
    visit = window(color_scheme=scheme, reduced_motion="reduce")
    page = visit.sign_in()
    faint = {}
    for address in addresses(memories, thread):
        visit.open(address)
        if found := page.evaluate(FAINT_TEXT):
            faint[address] = found
    assert faint == {}
    assert visit.complaints == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_visitors_can_read_all_text(window: Window, scheme: str) -> None:
    visit = window(color_scheme=scheme, reduced_motion="reduce")
    for address in ("/", "/accounts/login/", "/accounts/signup/", "/accounts/password/reset/"):
        assert visit.open(address).evaluate(FAINT_TEXT) == []
    assert visit.complaints == []


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


@pytest.mark.parametrize("address", ["/", "/memories/", "/threads/", "/settings/keys/"])
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
