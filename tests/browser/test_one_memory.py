"""One memory and the timeline in a real browser: correct a memory, undo it, and see what was so when."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from playwright.sync_api import expect

from memories.models import Memory
from memories.values import Candidate
from memories.writing.pipeline import write_candidates
from memsite.accounts.models import User
from tests.browser.conftest import Window

pytestmark = [pytest.mark.browser]


@pytest.fixture
def homes(person: User) -> list[Memory]:
    """Berlin from 2019, and Paris since 2021."""
    found = []
    for city, year in (("Berlin", 2019), ("Paris", 2021)):
        home = Candidate(
            f"Alice lives in {city}.",
            subject="Alice",
            predicate="lives in",
            object=city,
            valid_from=datetime(year, 5, 1, tzinfo=UTC),
        )
        memory = write_candidates([home], owner=person.pk, actor="person").outcomes[0].memory
        assert memory is not None
        found.append(memory)
    return found


def test_a_memory_is_corrected_and_the_correction_undone(window: Window, homes: list[Memory]) -> None:
    visit = window()
    page = visit.sign_in()
    visit.open(f"/memories/{homes[1].pk}/")
    page.get_by_role("link", name="Edit", exact=True).click()
    page.get_by_label("What should be remembered").fill("Alice lives in Lyon.")
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".wording ins").last).to_contain_text("Lyon")
    expect(page.locator(".wording del").last).to_contain_text("Paris")
    page.get_by_role("button", name="Undo the last change").click()
    expect(page.locator("#notices .notice")).to_contain_text("Undone.")
    expect(page).to_have_url(f"{visit.site}/memories/{homes[1].pk}/")
    expect(page.locator(".state-words")).to_contain_text("It is in use")
    assert visit.complaints == []


def test_an_act_and_its_undo_keep_place_and_focus(window: Window, homes: list[Memory]) -> None:
    visit = window(viewport={"width": 390, "height": 300})
    page = visit.sign_in()
    visit.open(f"/memories/{homes[1].pk}/")
    pin = page.locator("#act-pin")
    pin.scroll_into_view_if_needed()
    before = page.evaluate("scrollY")
    pin.press("Enter")
    expect(pin).to_have_attribute("aria-pressed", "true")
    expect(pin).to_be_focused()
    page.locator("#notices").get_by_role("button", name="Undo").press("Enter")
    expect(pin).to_have_attribute("aria-pressed", "false")
    expect(pin).to_be_focused()
    assert abs(page.evaluate("scrollY") - before) < 100 < before
    assert visit.complaints == []


def test_the_timeline_switches_its_clock_by_keyboard(window: Window, homes: list[Memory]) -> None:
    visit = window()
    page = visit.sign_in()
    visit.open("/memories/timeline/")
    page.evaluate("window.stayed = true")
    expect(page.locator(".lane-bar")).to_have_count(2)
    page.get_by_label("Was so").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".lane-list")).to_contain_text("believed since")
    expect(page).to_have_url(f"{visit.site}/memories/timeline/?clock=belief")
    expect(page.get_by_label("Was believed")).to_be_focused()
    assert page.evaluate("window.stayed")
    page.locator(".lane-strip a").last.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Alice lives in")
    assert visit.complaints == []


def test_both_pages_work_without_scripts_on_a_phone(window: Window, homes: list[Memory]) -> None:
    visit = window(java_script_enabled=False, viewport={"width": 390, "height": 844})
    page = visit.sign_in()
    visit.open("/memories/timeline/")
    page.get_by_label("Was believed").check()
    page.get_by_role("button", name="Show", exact=True).click()
    expect(page.locator(".lane-list")).to_contain_text("Memsite learnt that it had ended")
    page.get_by_role("link", name="Berlin", exact=True).click()
    expect(page.locator(".state-words")).to_contain_text("True from May 1, 2019 until May 1, 2021.")
    page.get_by_role("link", name="See it over time").click()
    expect(page.locator(".lane")).to_have_count(1)
    widths = page.evaluate("[document.documentElement.scrollWidth, window.innerWidth]")
    assert widths[0] <= widths[1]
