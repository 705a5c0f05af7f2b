"""The settings in a real browser: through the sections, and a deletion requested and called off."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from memories.models import Memory
from memsite.accounts.models import DeletionRequest, User
from memsite.accounts.preferences import get_preferences
from tests.browser.conftest import PASSWORD, Visit, Window

pytestmark = [pytest.mark.browser]


def choose(visit: Visit, section: str) -> None:
    visit.page.get_by_role("navigation", name="Settings").get_by_role("link", name=section).click()
    expect(visit.page.get_by_role("heading", level=1)).to_have_text(section)


@pytest.mark.parametrize("width", [1280, 390])
def test_each_section_is_one_click_away_and_says_where_one_is(
    window: Window, memories: list[Memory], width: int
) -> None:
    visit = window(viewport={"width": width, "height": 800})
    visit.sign_in()
    visit.open("/settings/memory/")
    for section in ("Data", "Programs", "Account", "Privacy", "Memory"):
        choose(visit, section)
        current = visit.page.get_by_role("navigation", name="Settings").locator("[aria-current=page]")
        expect(current).to_have_text(section)
        expect(current).to_be_in_viewport()
    assert visit.complaints == []


def test_a_kind_is_refused_and_a_key_issued(window: Window, person: User) -> None:
    visit = window()
    page = visit.sign_in()
    visit.open("/settings/memory/")
    page.get_by_label("Goal").check()
    page.get_by_role("region", name="Never remembered").get_by_role("button", name="Save").click()
    expect(page.get_by_label("Goal")).to_be_checked()
    assert get_preferences(person.pk).refused_kinds == ["goal"]
    choose(visit, "Programs")
    page.get_by_text("New key").click()
    page.get_by_label("What it is for").fill("my editor")
    page.get_by_role("button", name="Issue the key").click()
    expect(page.get_by_role("textbox", name="Your new key")).to_have_value(re.compile("^msk_"))
    assert visit.complaints == []


def test_saving_by_keyboard_leaves_the_focus_where_it_was(window: Window) -> None:
    visit = window()
    page = visit.sign_in()
    visit.open("/settings/memory/")
    switch = page.get_by_label("Learn by itself")
    switch.press("Space")
    page.get_by_role("button", name="Save").first.press("Enter")
    expect(page.get_by_text("Saved.")).to_be_visible()
    expect(switch).to_be_focused()
    assert visit.complaints == []


def test_a_deletion_is_requested_seen_everywhere_and_called_off(
    window: Window, memories: list[Memory], person: User
) -> None:
    visit = window()
    page = visit.sign_in()
    visit.open("/settings/data/")
    page.get_by_role("link", name="Delete…").click()
    page.get_by_label("My memories and threads").check()
    page.get_by_label("Your user name").fill("alice")
    page.get_by_label("Your password").fill("guess")
    page.get_by_role("button", name="Delete after 7 days").click()
    expect(page.get_by_text("This is not your password.")).to_be_visible()
    expect(page.get_by_label("My memories and threads")).to_be_checked()
    page.get_by_label("Your password").fill(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Call it off")).to_be_visible()
    visit.open("/threads/")  # which scrolls to its end
    expect(page.get_by_role("button", name="Call it off")).to_be_in_viewport()
    visit.open("/memories/")
    page.get_by_role("button", name="Call it off").click()
    expect(page.get_by_text("Called off. Nothing has been deleted.")).to_be_visible()
    expect(page.get_by_role("button", name="Call it off")).to_have_count(0)
    assert Memory.objects.filter(owner=person).count() == len(memories)
    assert not DeletionRequest.objects.filter(called_off_at=None).exists()
    # Chromium itself reports the answer 400 to the wrong password
    assert [one for one in visit.complaints if "400" not in one] == []
