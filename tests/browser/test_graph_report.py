"""The graph and the report in a real browser: a day by the slider, links by keyboard, a mend and its gain."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest
from playwright.sync_api import expect

from memories.maintenance.reports.report_making import make_reports
from memories.models.report import today
from memories.values import Candidate, Writer
from memories.writing.pipeline import write_candidates
from memsite.accounts.models import User
from tests.browser.conftest import Window

pytestmark = [pytest.mark.browser]

MOVED = datetime(2024, 5, 1, tzinfo=UTC)


@pytest.fixture
def related(person: User) -> None:
    """A person who moved once, and who knows Maria, who works somewhere."""
    homes = (("Berlin", datetime(2020, 1, 1, tzinfo=UTC), MOVED), ("Lisbon", MOVED, None))
    candidates = [
        Candidate(
            f"The user lives in {city}.",
            subject="user",
            predicate="lives_in",
            object=city,
            valid_from=begin,
            valid_until=end,
        )
        for city, begin, end in homes
    ]
    candidates += [
        Candidate("The user knows Maria.", subject="user", predicate="knows", object="Maria"),
        Candidate("Maria works at Siemens.", subject="Maria", predicate="works_at", object="Siemens"),
    ]
    write_candidates(candidates, owner=person.pk, actor="person")


@pytest.mark.usefixtures("related")
def test_the_slider_shows_another_day_and_keeps_the_focus(window: Window) -> None:
    visit = window()
    page = visit.sign_in()
    visit.open("/memories/graph/?entity=user")
    page.evaluate("window.stayed = true")
    expect(page.locator(".graph-list")).to_contain_text("Lisbon")
    slider = page.get_by_role("slider", name="The day of the graph")
    slider.focus()
    page.keyboard.press("Home")
    expect(page.locator(".graph-list")).to_contain_text("Berlin")
    expect(page.locator(".graph-picture")).not_to_contain_text("Lisbon")
    expect(page.get_by_label("As it was on")).to_have_value("2020-01-01")
    expect(slider).to_be_focused()
    assert "as_of=2020-01-01" in page.url
    page.keyboard.press("End")
    expect(page.locator(".graph-list")).to_contain_text("Lisbon")
    assert page.evaluate("window.stayed")
    assert visit.complaints == []


@pytest.mark.usefixtures("related")
def test_a_mark_leads_to_the_neighbours_graph_by_keyboard(window: Window) -> None:
    visit = window(viewport={"width": 390, "height": 844})
    page = visit.sign_in()
    visit.open("/memories/graph/?entity=user")
    page.get_by_role("link", name="You: knows Maria").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Maria")).to_be_visible()
    page.get_by_role("link", name="And theirs").click()
    expect(page.locator(".graph-picture").get_by_role("link", name="Maria works at Siemens")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert visit.complaints == []


@pytest.mark.usefixtures("related")
def test_a_name_is_found_while_it_is_typed(window: Window) -> None:
    visit = window()
    page = visit.sign_in()
    visit.open("/memories/graph/")
    page.get_by_label("Choose who or what").press_sequentially("siem")
    page.locator("#graph-matches").get_by_role("link", name="Siemens").click()
    expect(page.get_by_role("heading", name="Siemens")).to_be_visible()
    assert visit.complaints == []


@pytest.mark.usefixtures("related")
def test_a_day_and_a_name_are_asked_for_without_scripts(window: Window) -> None:
    visit = window(java_script_enabled=False)
    page = visit.sign_in()
    visit.open("/memories/graph/?entity=user")
    expect(page.get_by_role("slider")).not_to_be_visible()
    page.get_by_label("As it was on").fill("2021-06-01")
    page.get_by_role("button", name="Show").click()
    expect(page.locator(".graph-list")).to_contain_text("Berlin")
    page.get_by_label("Choose who or what").fill("maria")
    page.get_by_role("button", name="Find").click()
    expect(page.get_by_role("heading", name="Maria")).to_be_visible()


def test_a_mend_raises_the_score_and_is_undone(window: Window, person: User) -> None:
    unsure = Candidate("Plays the cello.", confidence=0.65, written_by=Writer.PERSON)
    write_candidates([unsure], owner=person.pk, actor="person")
    make_reports(today(), owner=person.pk)
    visit = window()
    page = visit.sign_in()
    visit.open("/memories/report/")
    page.get_by_text("As a table").first.click()
    expect(page.get_by_role("cell", name=re.compile(r"^\d+\.\d$")).first).to_be_visible()
    page.get_by_role("button", name="This is right").click()
    expect(page.locator("#notices .notice")).to_contain_text("→")
    expect(page.locator(".score")).to_contain_text("with what you mended since")
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("button", name="This is right")).to_be_visible()
    assert visit.complaints == []
