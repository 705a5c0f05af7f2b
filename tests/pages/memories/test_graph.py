"""The page of the graph: one entity, its neighbours in rings and as a list, at a time; search by name."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from memories import curation
from memories.models import Entity, Memory
from memories.pages.graph.picture import count_columns, cut_text
from memories.pages.graph.ring_choice import _share_room
from memories.values import Candidate
from memories.writing.pipeline import write_candidates
from memsite.accounts.models import User
from memsite.accounts.preferences import set_preferences
from tests.pages.conftest import Remember

PAGE = "/memories/graph/"
HTMX = {"HX-Request": "true", "HX-Target": "graph"}
Relate = Callable[..., Memory]


@pytest.fixture
def relate(alice: User, remembered: Remember) -> Relate:
    """Remember a relation of Alice's."""

    def remember(subject: str, predicate: str, thing: str, **fields: Any) -> Memory:
        text = f"{subject} {predicate.replace('_', ' ')} {thing}."
        return remembered(alice, text, subject=subject, predicate=predicate, object=thing, **fields)

    return remember


def shown(client: Client, query: str = "", **headers: str) -> str:
    response = client.get(PAGE + query, headers=headers)
    assert response.status_code == 200
    return response.content.decode()


def marks(page: str) -> list[str]:
    """The words that the marks of the picture say."""
    return re.findall(r'<a class="graph-node[^>]* aria-label="([^"]*)"', page)


def relate_many(owner: User, count: int) -> None:
    candidates = [
        Candidate(f"User likes thing {number}.", subject="user", predicate="likes", object=f"Thing {number}")
        for number in range(count)
    ]
    write_candidates(candidates, owner=owner.pk, actor="test")


def test_without_entities_the_page_says_what_to_do(alice_browser: Client) -> None:
    page = shown(alice_browser)
    assert "Nothing to draw yet" in page
    assert 'href="/memories/add/"' in page


def test_it_begins_with_the_entity_of_most_relations(alice_browser: Client, relate: Relate) -> None:
    relate("Maria", "works_at", "Siemens")
    relate("user", "lives_in", "Berlin")
    relate("user", "likes", "Hiking")
    page = shown(alice_browser)
    assert re.search(r'<h2 class="graph-name"[^>]*>You</h2>', page)
    assert sorted(marks(page)) == ["You: likes Hiking", "You: lives in Berlin"]


def test_picture_and_list_say_the_same_with_links(alice_browser: Client, relate: Relate) -> None:
    memory = relate("Maria", "works_at", "Siemens")
    page = shown(alice_browser, "?entity=maria")
    siemens = Entity.objects.get(owner_id=memory.owner_id, key="siemens")
    assert marks(page) == ["Maria works at Siemens"]
    assert '<span class="unseen">Maria works at </span>' in page
    assert page.count(f'href="?entity={siemens.pk}"') == 1  # in the picture
    assert page.count(f'href="/memories/graph/?entity={siemens.pk}"') == 1  # in the list
    assert f'href="/memories/{memory.pk}/"' in page


def test_an_incoming_relation_keeps_its_direction(alice_browser: Client, relate: Relate) -> None:
    relate("Maria", "works_at", "Siemens")
    page = shown(alice_browser, "?entity=Siemens")
    assert marks(page) == ["Maria works at Siemens"]
    assert 'marker-start="url(#graph-arrow)"' in page


def test_second_ring_shows_what_neighbours_are_related_to(alice_browser: Client, relate: Relate) -> None:
    relate("user", "likes", "Hiking")
    relate("user", "knows", "Maria")
    relate("Maria", "works_at", "Siemens")
    assert "Siemens" not in " ".join(marks(shown(alice_browser, "?entity=user")))
    page = shown(alice_browser, "?entity=user&hops=2")
    assert "Maria works at Siemens" in marks(page)
    assert "What your neighbours are related to" in page


def test_neighbours_that_are_related_are_linked(alice_browser: Client, relate: Relate) -> None:
    relate("user", "knows", "Maria")
    relate("user", "knows", "Tom")
    relate("Maria", "married_to", "Tom")
    page = shown(alice_browser, "?entity=user")
    assert '<path class="graph-link"' in page
    assert "Maria is married to Tom" in page


def test_what_is_only_mentioned_together_is_dashed(
    alice: User, alice_browser: Client, remembered: Remember
) -> None:
    remembered(alice, "Had dinner with Maria in Lisbon.", participants=("Maria",))
    page = shown(alice_browser, "?entity=Maria")
    assert "Lisbon" in page
    assert "graph-line is-mention" in page


def test_the_graph_of_a_day_shows_what_was_so(alice_browser: Client, relate: Relate) -> None:
    moved = datetime(2024, 5, 1, tzinfo=UTC)
    relate("user", "lives_in", "Berlin", valid_from=datetime(2020, 1, 1, tzinfo=UTC), valid_until=moved)
    relate("user", "lives_in", "Lisbon", valid_from=moved)
    then = shown(alice_browser, "?entity=user&as_of=2022-01-01")
    assert marks(then) == ["You: lives in Berlin"]
    assert "as it was on Jan. 1, 2022" in then
    assert marks(shown(alice_browser, "?entity=user")) == ["You: lives in Lisbon"]
    assert 'data-first="2020-01-01"' in then
    assert 'type="range"' in then


def test_without_known_times_there_is_a_date_field_and_no_slider(
    alice_browser: Client, relate: Relate
) -> None:
    relate("user", "likes", "Hiking")
    page = shown(alice_browser)
    assert 'name="as_of"' in page
    assert 'type="range"' not in page


def test_a_day_before_everything_reads_as_such(alice_browser: Client, relate: Relate) -> None:
    relate("user", "likes", "Hiking")
    assert "No relations at this time" in shown(alice_browser, "?entity=user&believed_at=2001-01-01")


def test_an_unreadable_address_shows_the_graph_of_now(alice_browser: Client, relate: Relate) -> None:
    relate("user", "likes", "Hiking")
    page = shown(alice_browser, "?entity=user&hops=9&as_of=2024-13-77&believed_at=x")
    assert marks(page) == ["You: likes Hiking"]


def test_forgotten_relations_are_not_drawn(alice: User, alice_browser: Client, relate: Relate) -> None:
    gone = relate("user", "likes", "Hiking")
    relate("user", "likes", "Chess")
    curation.forget_memories([gone.pk], owner=alice.pk, actor="test")
    assert marks(shown(alice_browser, "?entity=user")) == ["You: likes Chess"]


def test_names_of_one_entity_are_one_mark(alice_browser: Client, relate: Relate) -> None:
    relate("Robert", "also_known_as", "Bob")
    relate("Bob", "works_at", "Siemens")
    page = shown(alice_browser, "?entity=Bob")
    assert marks(page) == ["Robert works at Siemens"]
    assert "<bdi>Bob</bdi>" in page


def test_many_neighbours_are_grouped_by_predicate(alice: User, alice_browser: Client, relate: Relate) -> None:
    relate_many(alice, 77)
    relate("user", "lives_in", "Berlin")
    page = shown(alice_browser, "?entity=user")
    assert len(marks(page)) == 40
    assert marks(page)[0] == "You: lives in Berlin"
    assert marks(page)[-1] == "+39 more: likes"
    whole = shown(alice_browser, "?entity=user&predicate=likes")
    assert "Berlin" not in whole
    assert whole.count('<li class="graph-statement">') == 77


def test_queries_do_not_depend_on_the_number_of_relations(alice: User, alice_browser: Client) -> None:
    counts = []
    for more in (3, 60):
        relate_many(alice, more)
        with CaptureQueriesContext(connection) as queries:
            shown(alice_browser, "?entity=user&hops=2")
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_the_picture_is_the_same_each_time(alice: User, alice_browser: Client) -> None:
    relate_many(alice, 30)
    first, second = (shown(alice_browser, "?hops=2", **HTMX) for _ in range(2))
    assert first == second


def test_htmx_gets_the_graph_alone(alice_browser: Client, relate: Relate) -> None:
    relate("user", "likes", "Hiking")
    page = shown(alice_browser, **HTMX)
    assert page.lstrip().startswith('<div id="graph"')


def test_texts_are_escaped_and_cut(alice_browser: Client, relate: Relate) -> None:
    relate("user", "likes", "<script>alert(1)</script>" + "x" * 200)
    page = shown(alice_browser, "?entity=user")
    assert "<script>alert" not in page
    (label,) = re.findall(r'<text class="graph-label"[^>]*>([^<]*)</text>', page)
    assert label.endswith("…")


def test_a_name_leads_to_its_graph(alice_browser: Client, relate: Relate) -> None:
    memory = relate("Maria", "works_at", "Siemens")
    maria = Entity.objects.get(owner_id=memory.owner_id, key="maria")
    found = alice_browser.get(f"{PAGE}find/?name=mar")
    assert found["Location"] == f"{PAGE}?entity={maria.pk}"
    several = alice_browser.get(f"{PAGE}find/?name=i").content.decode()
    assert several.index("Siemens") < several.index("Maria")
    assert "No memory names this." in alice_browser.get(f"{PAGE}find/?name=nobody").content.decode()


def test_matches_are_a_part_of_the_page_for_htmx(alice_browser: Client, relate: Relate) -> None:
    relate("Maria", "works_at", "Siemens")
    part = alice_browser.get(f"{PAGE}find/?name=sie", headers=HTMX).content.decode()
    assert part.lstrip().startswith('<ul class="graph-matches">')


def test_an_unknown_name_says_so(alice_browser: Client, relate: Relate) -> None:
    relate("user", "likes", "Hiking")
    assert "No memory names this." in shown(alice_browser, "?entity=Nobody")


def test_anothers_entity_is_not_found(bob_browser: Client, relate: Relate) -> None:
    memory = relate("Maria", "works_at", "Siemens")
    maria = Entity.objects.get(owner_id=memory.owner_id, key="maria")
    assert bob_browser.get(f"{PAGE}?entity={maria.pk}").status_code == 404
    assert "No memory names this." in shown(bob_browser, "?entity=Maria")
    assert "Maria" not in bob_browser.get(f"{PAGE}find/?name=a").content.decode()


def test_strangers_are_sent_to_sign_in(client: Client, db: None) -> None:
    assert client.get(PAGE)["Location"].startswith("/accounts/login/")


def test_page_in_chinese_speaks_chinese(alice: User, alice_browser: Client, relate: Relate) -> None:
    relate("user", "lives_in", "Berlin")
    set_preferences(alice.pk, language="zh-hans")
    alice_browser.cookies["django_language"] = "zh-hans"
    assert marks(shown(alice_browser, "?entity=user")) == ["您 住在 Berlin"]


@pytest.mark.parametrize(
    ("sizes", "shown_members"),
    [
        ([1, 2, 3], [1, 2, 3]),
        ([1, 77], [1, 9]),
        ([6, 6], [4, 4]),
        ([3] * 9, [1, 1, 1, 1, 1, 0, 0, 0, 0]),
        ([1] * 20, [1] * 10 + [0] * 10),
    ],
)
def test_room_in_a_ring_is_shared(sizes: list[int], shown_members: list[int]) -> None:
    assert _share_room(sizes, 11) == shown_members


def test_wide_characters_take_two_columns() -> None:
    assert count_columns("柏林 Berlin") == 11
    assert cut_text("中华人民共和国", 8) == "中华人…"
    assert cut_text("Berlin", 6) == "Berlin"


def test_predicates_of_one_label_are_one_group(alice: User, alice_browser: Client, relate: Relate) -> None:
    relate("user", "likes", "Tea")
    relate("user", "喜欢", "Jazz")
    set_preferences(alice.pk, language="zh-hans")
    alice_browser.cookies["django_language"] = "zh-hans"
    page = shown(alice_browser, "?entity=user")
    assert page.count('class="graph-predicate"') == 1
    assert len(marks(shown(alice_browser, "?entity=user&predicate=likes"))) == 2
