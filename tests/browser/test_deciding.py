"""Deciding in a real browser: the inbox by keyboard, a conflict, and acts on selected memories."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from playwright.sync_api import expect

from memories.models import Memory
from memories.values import Candidate, Writer
from memories.writing.pipeline import write_candidates
from memsite.accounts.models import User
from tests.browser.conftest import Window

pytestmark = [pytest.mark.browser]


@pytest.fixture
def waiting(person: User) -> None:
    """Three pending memories and one dispute."""
    texts = ("Plays the cello.", "Sails on Sundays.", "Owns a red bicycle.")
    candidates = [Candidate(text, written_by=Writer.RULES) for text in texts]
    write_candidates(candidates, owner=person.pk, actor="learning", pending=True)
    for city in ("Berlin", "Lisbon"):
        home = Candidate(
            f"Alice lives in {city}.",
            subject="Alice",
            predicate="lives in",
            object=city,
            valid_from=datetime(2026, 1, 1, tzinfo=UTC),
        )
        write_candidates([home], owner=person.pk, actor="person")


@pytest.mark.usefixtures("waiting")
def test_the_inbox_is_decided_by_keyboard(window: Window) -> None:
    visit = window()
    page = visit.sign_in()
    badge = page.locator("#count-inbox")
    expect(badge).to_contain_text("4")
    visit.open("/inbox/")
    page.keyboard.press("j")
    expect(page.locator("[data-item]").nth(0)).to_be_focused()
    page.keyboard.press("j")
    page.keyboard.press("k")
    page.keyboard.press("x")
    expect(badge).to_contain_text("3")
    expect(page.locator("[data-item]").nth(0)).to_be_focused()
    page.keyboard.press("e")
    field = page.locator("[data-item] textarea").nth(0)
    expect(field).to_be_focused()
    page.keyboard.type(" xyjk")  # keys of a field are text
    page.get_by_role("button", name="Save and keep").first.click()
    expect(badge).to_contain_text("2")
    page.locator("[data-item]").nth(0).focus()
    page.keyboard.press("y")
    expect(badge).to_contain_text("1")
    expect(page.locator("[data-item]").nth(0)).to_be_focused()
    assert visit.complaints == []
    kept = Memory.objects.filter(status="active").values_list("content", flat=True)
    assert any("xyjk" in content for content in kept)


@pytest.mark.usefixtures("waiting")
def test_a_conflict_is_reached_from_its_chip_decided_and_undone(window: Window) -> None:
    visit = window()
    page = visit.sign_in()
    visit.open("/memories/?q=Lisbon")
    page.locator(".memory .chip-rust").first.click()
    expect(page.get_by_role("heading", name="Alice lives in …?")).to_be_visible()
    page.get_by_role("button", name="The first was wrong").click()
    expect(page.get_by_role("heading", name="No memories contradict each other")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".dispute")).to_have_count(1)
    assert visit.complaints == []


def test_selected_memories_are_pinned_and_the_list_stays(window: Window, memories: list[Memory]) -> None:
    visit = window()
    page = visit.sign_in()
    visit.open("/memories/?q=bridge")
    page.evaluate("window.stayed = true")
    page.get_by_role("link", name="Show more").click()
    expect(page.locator(".memory")).to_have_count(25)
    page.locator(".tick input").nth(22).check()
    page.locator(".tick input").nth(24).click(modifiers=["Shift"])
    expect(page.locator("[data-selected]")).to_have_text("3 selected")
    page.get_by_role("button", name="Pin", exact=True).click()
    expect(page.locator("#notices .notice")).to_contain_text("3 memories pinned.")
    expect(page.locator(".memory")).to_have_count(25)
    expect(page.locator(".memory .chip-amber")).to_have_count(3)
    expect(page).to_have_url(f"{visit.site}/memories/?q=bridge")
    assert page.evaluate("window.stayed")
    assert visit.complaints == []


def test_all_that_match_are_tagged(window: Window, memories: list[Memory]) -> None:
    visit = window()
    page = visit.sign_in()
    visit.open("/memories/?q=bridge")
    page.locator(".tick input").nth(0).check()
    page.get_by_label("All 25 that match").check()
    page.locator(".bulk summary").click()
    page.locator(".bulk [name=tags]").fill("work")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.locator("#notices .notice")).to_contain_text("25 memories tagged.")
    assert Memory.objects.filter(tags=["work"]).count() == 25
    assert visit.complaints == []


def test_focus_stays_on_the_button_of_the_card(window: Window, memories: list[Memory]) -> None:
    visit = window()
    page = visit.sign_in()
    visit.open("/memories/?q=sail")
    page.get_by_role("button", name="Forget", exact=True).focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Restore")).to_be_focused()


@pytest.mark.usefixtures("waiting")
def test_the_inbox_announces_what_came_meanwhile(window: Window, person: User) -> None:
    visit = window()
    visit.sign_in()
    page = visit.open("/inbox/")
    news = page.get_by_text("More has come since you opened this page.")
    candidate = Candidate("Collects stamps.", written_by=Writer.RULES)
    write_candidates([candidate], owner=person.pk, actor="learning", pending=True)
    page.evaluate(
        "() => document.dispatchEvent(new CustomEvent('memsite:event', {detail: {type: 'memory.created'}}))"
    )
    expect(news).to_be_visible()
    page.get_by_role("link", name="Show it").click()
    expect(page.get_by_role("link", name="Collects stamps.")).to_be_visible()
    expect(news).to_be_hidden()
