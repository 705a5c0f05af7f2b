"""Everything works with scripts switched off."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from memories.models import Memory
from tests.browser.conftest import Window
from threads.models import Thread

pytestmark = [pytest.mark.browser]


def test_memories_are_added_found_forgotten_and_brought_back(window: Window, memories: list[Memory]) -> None:
    visit = window(java_script_enabled=False)
    page = visit.sign_in()
    visit.open("/memories/add/")
    page.get_by_label("What should be remembered").fill("Keeps bees on the roof.")
    page.get_by_role("button", name="Remember it").click()
    page.locator("#q").fill("bees")
    page.get_by_role("button", name="Show", exact=True).click()
    expect(page.locator(".memory-words")).to_have_text("Keeps bees on the roof.")
    page.get_by_role("button", name="Forget", exact=True).click()
    expect(page.locator(".empty h2")).to_have_text("Nothing found")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".memory-words")).to_have_text("Keeps bees on the roof.")


def test_the_next_page_is_a_link(window: Window, memories: list[Memory]) -> None:
    visit = window(java_script_enabled=False)
    page = visit.sign_in()
    visit.open("/memories/")
    page.get_by_role("link", name="Show more").click()
    expect(page.locator(".memory")).to_have_count(7)


def test_a_message_is_said_and_marked(window: Window, thread: Thread) -> None:
    visit = window(java_script_enabled=False)
    page = visit.sign_in()
    visit.open(f"/threads/{thread.pk}/")
    page.get_by_label("Your message").fill("The red one, please.")
    page.get_by_role("button", name="Send").click()
    message = page.locator(".message", has_text="The red one, please.").first  # the reply quotes it
    message.locator("summary").click()
    message.get_by_role("button", name="Do not remember").click()
    expect(message).to_contain_text("Not to be remembered")


def test_theme_and_language_are_chosen(window: Window) -> None:
    visit = window(java_script_enabled=False)
    page = visit.sign_in()
    page.locator(".account summary").click()
    page.get_by_role("button", name="Dark").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.locator(".account summary").click()
    page.get_by_role("button", name="简体中文").click()
    expect(page.locator("html")).to_have_attribute("lang", "zh-hans")
