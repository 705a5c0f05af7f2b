"""The memory pages in a real browser, with its scripts."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from memories.models import Memory
from tests.browser.conftest import Window

pytestmark = [pytest.mark.browser]


def test_the_list_narrows_while_words_are_typed(window: Window, memories: list[Memory]) -> None:
    visit = window()
    page = visit.sign_in()
    visit.open("/memories/")
    page.evaluate("window.stayed = true")
    page.locator("#q").press_sequentially("night tr")
    expect(page.locator(".memory")).to_have_count(1)
    expect(page.locator(".memory-words")).to_have_text("Prefers night trains over flights.")
    expect(page).to_have_url(f"{visit.site}/memories/?q=night+tr")
    expect(page.locator("#q")).to_be_focused()
    assert page.evaluate("window.stayed")
    assert visit.complaints == []


def test_a_tab_keeps_the_words(window: Window, memories: list[Memory]) -> None:
    visit = window()
    page = visit.sign_in()
    visit.open("/memories/?q=e")
    page.click("#tab-goal")
    expect(page.locator(".memory")).to_have_count(1)
    page.locator("#q").fill("train")
    expect(page.locator(".empty h2")).to_have_text("Nothing found")
    page.go_back()
    expect(page.locator("#tab-goal")).to_have_attribute("aria-current", "true")


def test_forgetting_greys_the_row_and_undo_brings_it_back(window: Window, memories: list[Memory]) -> None:
    visit = window()
    page = visit.sign_in()
    visit.open("/memories/?q=sail")
    page.get_by_role("button", name="Forget", exact=True).click()
    expect(page.locator(".memory.is-forgotten")).to_have_count(1)
    assert page.evaluate("document.activeElement.closest('.memory') !== null")
    notice = page.locator("#notices .notice")
    expect(notice).to_contain_text("can be restored")
    notice.get_by_role("button", name="Undo").click()
    expect(page).to_have_url(f"{visit.site}/memories/?q=sail")
    expect(page.locator(".memory.is-forgotten")).to_have_count(0)
    expect(page.locator(".memory")).to_have_count(1)
    expect(page.locator(".memory-words")).to_be_focused()
    assert visit.complaints == []


def test_undo_leaves_the_list_as_it_was_with_its_place_and_focus(
    window: Window, memories: list[Memory]
) -> None:
    visit = window(viewport={"width": 1280, "height": 600})
    page = visit.sign_in()
    visit.open("/memories/")
    page.get_by_role("link", name="Show more").click()
    card = page.locator(".memory").nth(24)
    words = card.locator(".memory-words").inner_text()
    card.get_by_label("Choose").check()
    page.locator(".bulk").get_by_role("button", name="Forget").click()
    expect(page.locator(".memory")).to_have_count(26)
    before = page.evaluate("scrollY")
    page.locator("#notices").get_by_role("button", name="Undo").click()
    expect(page.locator(".memory")).to_have_count(27)
    expect(page.locator(".memory-words", has_text=words)).to_be_focused()
    assert abs(page.evaluate("scrollY") - before) < 100 < before
    assert visit.complaints == []


def test_a_greyed_row_is_restored_in_place(window: Window, memories: list[Memory]) -> None:
    visit = window()
    page = visit.sign_in()
    visit.open("/memories/?q=sail")
    page.get_by_role("button", name="Forget", exact=True).click()
    page.get_by_role("button", name="Restore").click()
    expect(page.locator(".memory.is-forgotten")).to_have_count(0)
    expect(page.get_by_role("button", name="Forget", exact=True)).to_be_visible()


def test_load_more_goes_on_where_the_list_ended(window: Window, memories: list[Memory]) -> None:
    visit = window()
    page = visit.sign_in()
    visit.open("/memories/")
    expect(page.locator(".memory")).to_have_count(20)
    page.get_by_role("link", name="Show more").click()
    expect(page.locator(".memory")).to_have_count(27)
    expect(page.locator(".memory").nth(20).locator(".memory-words")).to_be_focused()
    assert page.locator("#more").count() == 0


def test_ticked_rows_are_forgotten_together(window: Window, memories: list[Memory]) -> None:
    visit = window()
    page = visit.sign_in()
    visit.open("/memories/?q=bridge+number+1")
    expect(page.locator(".bulk")).to_be_hidden()
    for place in range(2):
        page.locator(".tick input").nth(place).check()
    page.locator(".bulk").get_by_role("button", name="Forget").click()
    expect(page.locator("#notices .notice")).to_contain_text("2 memories forgotten.")


def test_an_error_of_the_server_is_said_and_nothing_is_lost(window: Window, memories: list[Memory]) -> None:
    visit = window()
    page = visit.sign_in()
    visit.open("/memories/?q=sail")
    Memory.objects.all().delete()
    page.get_by_role("button", name="Forget", exact=True).click()
    expect(page.locator("#notices .notice-wrong")).to_contain_text("There is no such memory.")
    expect(page.locator(".memory")).to_have_count(1)


def test_a_site_that_cannot_be_reached_is_said(window: Window, memories: list[Memory]) -> None:
    visit = window()
    page = visit.sign_in()
    visit.open("/memories/?q=sail")
    page.route("**/forget/", lambda route: route.abort())
    page.get_by_role("button", name="Forget", exact=True).click()
    expect(page.locator("#notices .notice-wrong")).to_contain_text("cannot be reached")


def test_a_notice_is_dismissed(window: Window, memories: list[Memory]) -> None:
    visit = window()
    page = visit.sign_in()
    visit.open("/memories/?q=sail")
    page.get_by_role("button", name="Forget", exact=True).click()
    page.get_by_role("button", name="Dismiss").click()
    expect(page.locator("#notices .notice")).to_have_count(0)


def test_an_act_on_selected_memories_keeps_the_place(window: Window, memories: list[Memory]) -> None:
    visit = window(viewport={"width": 390, "height": 800})
    page = visit.sign_in()
    visit.open("/memories/")
    page.locator("[name=ids]").nth(6).check()
    before = page.evaluate("scrollY")
    page.get_by_role("button", name="Pin", exact=True).click()
    expect(page.locator("#notices .notice")).to_contain_text("pinned")
    assert before > 200
    assert abs(page.evaluate("scrollY") - before) < 200
    assert visit.complaints == []
