"""The list of memories."""

from __future__ import annotations

from uuid import UUID

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from memories import curation
from memories.pages.listing import list_page
from memories.retrieval import SearchQuery, SearchResult, search_memories
from memsite.accounts.models import User
from tests.pages.conftest import Remember

HTMX = {"HX-Request": "true", "HX-Target": "results"}


def shown(client: Client, query: str = "", **headers: str) -> str:
    response = client.get(f"/memories/{query}", headers=headers)
    assert response.status_code == 200
    return response.content.decode()


def test_strangers_are_sent_to_sign_in(client: Client, db: None) -> None:
    assert client.get("/memories/")["Location"].startswith("/accounts/login/")


def test_only_the_persons_own_memories_are_listed(
    alice: User, bob: User, alice_browser: Client, remembered: Remember
) -> None:
    remembered(alice, "Plays the cello.")
    remembered(bob, "Plays the oboe.")
    page = shown(alice_browser)
    assert "cello" in page
    assert "oboe" not in page


def test_a_card_says_kind_importance_and_uses(
    alice: User, alice_browser: Client, remembered: Remember
) -> None:
    remembered(alice, "Wants to learn to sail.", kind="goal")
    page = shown(alice_browser)
    assert "Goal" in page
    assert "70%" in page
    assert "0 uses" in page
    assert "just now" in page


def test_tabs_count_by_kind(alice: User, alice_browser: Client, remembered: Remember) -> None:
    remembered(alice, "Plays the cello.")
    remembered(alice, "Plays the viola.")
    remembered(alice, "Wants to learn to sail.", kind="goal")
    page = shown(alice_browser)
    assert 'Fact <span class="count">2</span>' in page
    assert 'Goal <span class="count">1</span>' in page
    assert 'All <span class="count">3</span>' in page


def test_a_tab_shows_its_kind_alone(alice: User, alice_browser: Client, remembered: Remember) -> None:
    remembered(alice, "Plays the cello.")
    remembered(alice, "Wants to learn to sail.", kind="goal")
    page = shown(alice_browser, "?kind=goal")
    assert "sail" in page
    assert "cello" not in page


def test_part_of_a_word_finds_it(alice: User, alice_browser: Client, remembered: Remember) -> None:
    remembered(alice, "Plays the cello.")
    remembered(alice, "Wants to learn to sail.", kind="goal")
    page = shown(alice_browser, "?q=cel", **HTMX)
    assert "cello" in page
    assert "sail" not in page


def test_htmx_gets_the_changing_part_and_a_clean_address(alice_browser: Client) -> None:
    response = alice_browser.get("/memories/?q=cel&kind=&layer=learnt&state=standing&sort=uses", headers=HTMX)
    assert "<html" not in response.content.decode()
    assert response["HX-Push-Url"] == "/memories/?q=cel&sort=uses"


def test_a_restored_history_gets_the_whole_page(alice_browser: Client) -> None:
    headers = {"HX-Request": "true", "HX-History-Restore-Request": "true"}
    assert "<html" in shown(alice_browser, "?q=x", **headers)


def test_forgotten_ones_show_when_asked_for(alice: User, alice_browser: Client, remembered: Remember) -> None:
    memory = remembered(alice, "Plays the cello.")
    curation.forget_memories([memory.pk], owner=alice.pk, actor="person")
    assert "cello" not in shown(alice_browser)
    page = shown(alice_browser, "?state=forgotten")
    assert "cello" in page
    assert "is-forgotten" in page


def test_episodes_do_not_bury_what_was_learnt(
    alice: User, alice_browser: Client, remembered: Remember
) -> None:
    remembered(alice, "Plays the cello.")
    remembered(alice, "Good morning!", layer="episodic", kind="conversation")
    assert "Good morning" not in shown(alice_browser)
    assert "Good morning" in shown(alice_browser, "?layer=all")


def test_everything_shows_while_nothing_is_learnt(
    alice: User, alice_browser: Client, remembered: Remember
) -> None:
    remembered(alice, "Good morning!", layer="episodic", kind="conversation")
    assert "Good morning" in shown(alice_browser)


def test_words_found_in_another_layer_are_told_of(
    alice: User, alice_browser: Client, remembered: Remember
) -> None:
    remembered(alice, "Runs every morning.")
    remembered(alice, "Good morning!", layer="episodic", kind="conversation")
    assert "1 more has these words" in shown(alice_browser, "?q=morning")


def test_words_that_only_an_episode_has_are_found(
    alice: User, alice_browser: Client, remembered: Remember
) -> None:
    remembered(alice, "Plays the cello.")
    remembered(alice, "Good morning!", layer="episodic", kind="conversation")
    assert "Good morning!" in shown(alice_browser, "?q=morning")


@pytest.mark.parametrize(
    ("sort", "first"), [("created", "newest"), ("importance", "weightiest"), ("uses", "busiest")]
)
def test_sorts_order_the_list(
    alice: User, alice_browser: Client, remembered: Remember, sort: str, first: str
) -> None:
    busiest = remembered(alice, "The busiest note.")
    remembered(alice, "The weightiest note.", importance=1.0)
    remembered(alice, "The newest note.")
    type(busiest).objects.filter(pk=busiest.pk).update(access_count=9)
    page = shown(alice_browser, f"?sort={sort}")
    found = {name: page.index(f"The {name} note.") for name in ("newest", "weightiest", "busiest")}
    assert min(found, key=lambda name: found[name]) == first


@pytest.mark.parametrize("query", ["?sort=nonsense", "?state=x&layer=y&kind=z", "?q=%00", "?q=" + "x" * 5000])
def test_nonsense_in_the_address_is_taken_as_not_asked(alice_browser: Client, query: str) -> None:
    assert "Memories" in shown(alice_browser, query)


def test_a_broken_cursor_is_an_error_of_the_asker(alice_browser: Client) -> None:
    assert alice_browser.get("/memories/?cursor=nonsense").status_code == 400


def test_load_more_brings_every_memory_once(alice: User, alice_browser: Client, remembered: Remember) -> None:
    for number in range(23):
        remembered(alice, f"Owns book number {number:02}.")
    first = shown(alice_browser)
    link = first.partition('id="more"')[2].partition('href="')[2].partition('"')[0].replace("&amp;", "&")
    rest = shown(alice_browser, link, **{"HX-Request": "true", "HX-Target": "more"})
    pages = first + rest
    assert all(pages.count(f"Owns book number {number:02}.</a>") == 1 for number in range(23))
    assert 'id="more"' not in rest


def test_nothing_yet_and_nothing_found_read_differently(alice_browser: Client) -> None:
    assert "Nothing is remembered yet" in shown(alice_browser)
    assert "Nothing found" in shown(alice_browser, "?q=cello")


def test_what_is_close_in_meaning_is_offered_too(
    alice: User, alice_browser: Client, remembered: Remember
) -> None:
    remembered(alice, "Her favourite animal is the dog.")
    page = shown(alice_browser, "?q=favourite+animals")
    assert "Close in meaning" in page


def test_content_is_text_never_markup(alice: User, alice_browser: Client, remembered: Remember) -> None:
    remembered(alice, "Wrote <script>alert(1)</script> on the board.")
    page = shown(alice_browser)
    assert "<script>alert" not in page
    assert "&lt;script&gt;" in page


def test_a_list_asks_as_much_for_twenty_as_for_two(
    alice: User, alice_browser: Client, remembered: Remember
) -> None:
    counts = []
    for wanted in (2, 20):
        for number in range(wanted):
            remembered(alice, f"Owns book number {number} of {wanted}.")
        with CaptureQueriesContext(connection) as queries:
            shown(alice_browser)
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 10


@pytest.mark.parametrize(("words", "searched"), [("né", False), ("cat", True), ("猫", True)])
def test_words_are_searched_by_meaning_from_three_letters_or_one_chinese_character(
    alice_browser: Client, monkeypatch: pytest.MonkeyPatch, words: str, *, searched: bool
) -> None:
    asked: list[SearchQuery] = []

    def record(query: SearchQuery, *, owner: UUID) -> SearchResult:
        asked.append(query)
        return search_memories(query, owner=owner)

    monkeypatch.setattr(list_page, "search_memories", record)
    shown(alice_browser, f"?q={words}")
    assert bool(asked) is searched


def test_a_word_without_meaning_finds_nothing(
    alice: User, alice_browser: Client, remembered: Remember
) -> None:
    for text in ("Plays the cello.", "Lives in Turin.", "Likes jazz.", "Works as a nurse.", "Has two cats."):
        remembered(alice, text)
    page = alice_browser.get("/memories/", {"q": "zzzqqq"}).content.decode()
    assert "Close in meaning" not in page
    assert "Plays the cello." not in page
