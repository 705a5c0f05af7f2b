"""The first minutes of a newcomer: one sentence, remembered, asked for, recalled."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from memories.models import Memory
from tests.browser.conftest import Window

pytestmark = [pytest.mark.browser]


@pytest.mark.parametrize(
    ("locale", "statement", "question", "recalled"),
    [
        ("en-GB", "I live in Leeds with my dog Rufus.", "Where do I live?", "Leeds"),
        ("zh-CN", "我住在上海。", "我住在哪里？", "上海"),
    ],
)
def test_a_sentence_is_remembered_by_enter_and_recalled(
    window: Window, locale: str, statement: str, question: str, recalled: str
) -> None:
    visit = window(locale=locale)
    page = visit.sign_in()
    visit.open("/")
    expect(page.locator("[name=statement]")).to_be_focused()
    page.keyboard.type(statement)
    page.keyboard.press("Enter")
    expect(page.locator("#remembered")).to_contain_text(recalled)
    expect(page.locator("[name=statement]")).to_have_value("")
    page.locator("[name=q]").fill(question)
    page.keyboard.press("Enter")
    expect(page.locator("#recalled")).to_contain_text(recalled)
    assert visit.complaints == []


def test_shift_and_enter_break_the_line(window: Window) -> None:
    visit = window()
    page = visit.sign_in()
    visit.open("/")
    expect(page.locator("[name=statement]")).to_be_focused()
    page.keyboard.type("I keep bees.")
    page.keyboard.press("Shift+Enter")
    page.keyboard.type("They live in Porto.")
    expect(page.locator("[name=statement]")).to_have_value("I keep bees.\nThey live in Porto.")
    assert not Memory.objects.exists()
