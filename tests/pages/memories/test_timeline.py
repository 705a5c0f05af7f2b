"""The timeline: lanes of values over time, by what was so and by what was believed."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import combinations, pairwise
from types import SimpleNamespace

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from hypothesis import given
from hypothesis import strategies as st

from memories import curation
from memories.models import Memory
from memories.pages.timeline import lanes
from memories.pages.timeline.drawing import build_axis, draw_strip, fit_words
from memsite.accounts.models import User
from tests.pages.conftest import Remember
from tests.pages.memories.conftest import Dispute

NOW = datetime(2026, 1, 1, tzinfo=UTC)
MOMENTS = st.integers(-40_000, 20_000).map(lambda days: NOW + timedelta(days=days))
PERIODS = st.lists(st.tuples(MOMENTS, st.none() | MOMENTS), max_size=12)


def period(begin: datetime, end: datetime | None = None) -> SimpleNamespace:
    return SimpleNamespace(begin=begin, end=end)


def shown(client: Client, query: str = "") -> str:
    response = client.get(f"/memories/timeline/{query}")
    assert response.status_code == 200
    return " ".join(response.content.decode().split())


@pytest.fixture
def moved(alice: User, remembered: Remember) -> list[Memory]:
    """Alice lived in Berlin from 2019, and lives in Paris since 2021."""
    homes = [("Berlin", 2019), ("Paris", 2021)]
    return [
        remembered(
            alice,
            f"Alice lives in {city}.",
            subject="Alice",
            predicate="lives_in",
            object=city,
            valid_from=datetime(year, 5, 1, tzinfo=UTC),
        )
        for city, year in homes
    ]


def test_dates_without_room_are_left_out_where_it_is_narrow() -> None:
    axis = build_axis([period(NOW - timedelta(days=3))], now=NOW, since=None, until=None)
    with_room = [tick.x for tick in axis.ticks if tick.has_room]
    assert 1 <= len(with_room) < len(axis.ticks)
    assert all(right - left > 20 for left, right in pairwise(with_room))  # percent


def test_nothing_yet_reads_as_such(alice_browser: Client) -> None:
    assert "No lane yet" in shown(alice_browser)


@pytest.mark.usefixtures("moved")
def test_a_lane_shows_what_was_so_and_when(alice_browser: Client) -> None:
    page = shown(alice_browser)
    assert page.count('<article class="lane"') == 1
    assert "<bdi>lives in</bdi>" in page
    assert "from May 1, 2019 until May 1, 2021" in page
    assert "since May 1, 2021" in page
    assert page.count('class="lane-bar is-past"') == page.count('class="lane-bar is-now"') == 1


def test_the_other_clock_shows_what_was_believed(alice_browser: Client, moved: list[Memory]) -> None:
    Memory.objects.filter(pk=moved[0].pk).update(created_at=datetime(2020, 2, 2, tzinfo=UTC))
    page = shown(alice_browser, "?clock=belief")
    assert "believed from Feb. 2, 2020; on" in page
    assert "Memsite learnt that it had ended" in page


def test_a_withdrawn_wording_was_believed_and_never_so(alice_browser: Client, moved: list[Memory]) -> None:
    paris = moved[1]
    curation.rewrite_memory(
        paris.pk, "Alice lives in Lyon.", {"object": "Lyon"}, owner=paris.owner_id, actor="person"
    )
    assert f'href="/memories/{paris.pk}/"' not in shown(alice_browser)
    page = shown(alice_browser, "?clock=belief")
    assert f'href="/memories/{paris.pk}/"' in page
    assert "then withdrawn" in page


def test_a_dispute_is_drawn_as_an_overlap(alice: User, alice_browser: Client, disputed: Dispute) -> None:
    one, _other = disputed(alice, "Berlin", "Lisbon")
    page = shown(alice_browser)
    assert page.count('class="lane-bar is-disputed"') == 2
    assert 'y="5"' in page
    assert 'y="36"' in page
    assert f'href="/conflicts/{one.pk}/"' in page


@pytest.mark.usefixtures("moved")
def test_what_changed_comes_first(alice: User, alice_browser: Client, remembered: Remember) -> None:
    for thing in ("tea", "rain"):
        remembered(alice, f"Alice likes {thing}.", subject="Alice", predicate="likes", object=thing)
    page = shown(alice_browser)
    assert page.index("<bdi>lives in</bdi>") < page.index("<bdi>likes</bdi>")
    assert page.count(">Changed</span>") == 1


@pytest.mark.parametrize(
    ("query", "count"),
    [
        ("?subject=ali", 1),
        ("?subject=maria", 0),
        ("?q=lives", 1),
        ("?q=PARIS", 1),
        ("?q=rome", 0),
        ("?until=2018-12-31", 0),
        ("?since=2019-06-01&until=2019-06-30", 1),
        ("?since=not-a-day&cursor=nonsense&lane=x&clock=never", 1),
        ("?cursor=1_2026-01-01T00:00:00_x", 1),
        ("?q=%00", 1),
    ],
)
@pytest.mark.usefixtures("moved")
def test_filters_narrow_the_lanes(alice_browser: Client, query: str, count: int) -> None:
    page = shown(alice_browser, query)
    assert page.count('<article class="lane"') == count
    assert count or "Nothing found" in page


def test_one_lane_is_shown_alone(
    alice: User, alice_browser: Client, moved: list[Memory], remembered: Remember
) -> None:
    remembered(alice, "Alice likes tea.", subject="Alice", predicate="likes", object="tea")
    page = shown(alice_browser, f"?lane={moved[0].slot}")
    assert page.count('<article class="lane"') == 1
    assert "Show all lanes" in page


def test_the_owner_is_you(alice: User, alice_browser: Client, remembered: Remember) -> None:
    remembered(alice, "The user likes tea.", subject="user", predicate="likes", object="tea")
    remembered(alice, "Maria likes tea.", subject="Maria", predicate="likes", object="tea")
    page = shown(alice_browser, "?subject=you")
    assert "<bdi>You</bdi>" in page
    assert "Maria" not in page


def test_lanes_are_paged_without_loss(
    alice: User, alice_browser: Client, remembered: Remember, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lanes, "_LANES", 2)
    for name in ("Ann", "Ben", "Cem", "Dan", "Eve"):
        remembered(alice, f"{name} likes tea.", subject=name, predicate="likes", object="tea")
    found, query = [], ""
    for _page in range(3):
        response = alice_browser.get(f"/memories/timeline/{query}")
        timeline = response.context["timeline"]
        found += [lane.subject for lane in timeline.lanes]
        query = timeline.next
    assert query == ""
    assert sorted(found) == ["Ann", "Ben", "Cem", "Dan", "Eve"]
    assert found == sorted(found, reverse=True)


def test_htmx_gets_the_lanes_alone(alice_browser: Client, moved: list[Memory]) -> None:
    answer = alice_browser.get(
        "/memories/timeline/?clock=belief", headers={"HX-Request": "true", "HX-Target": "lanes"}
    )
    assert "<html" not in answer.content.decode()
    assert answer["HX-Push-Url"] == "/memories/timeline/?clock=belief"


@pytest.mark.usefixtures("moved")
def test_forgotten_and_others_memories_are_on_no_lane(
    alice: User, alice_browser: Client, bob_browser: Client, remembered: Remember
) -> None:
    secret = remembered(alice, "Alice likes rum.", subject="Alice", predicate="likes", object="rum")
    curation.forget_memories([secret.pk], owner=alice.pk, actor="person")
    assert "rum" not in shown(alice_browser, "?clock=belief")
    assert "Berlin" not in shown(bob_browser)


def test_its_queries_do_not_grow_with_the_lanes(
    alice: User, alice_browser: Client, remembered: Remember
) -> None:
    remembered(alice, "Ann likes tea.", subject="Ann", predicate="likes", object="tea")
    with CaptureQueriesContext(connection) as few:
        shown(alice_browser)
    for name in ("Ben", "Cem", "Dan", "Eve"):
        remembered(alice, f"{name} likes tea.", subject=name, predicate="likes", object="tea")
    with CaptureQueriesContext(connection) as many:
        shown(alice_browser)
    assert len(few) == len(many)


def test_names_that_break_layouts_are_escaped(
    alice: User, alice_browser: Client, remembered: Remember
) -> None:
    name = "<script>alert(1)</script>"
    remembered(alice, "A strange name.", subject=name, predicate="x" * 60, object="y" * 250)
    page = shown(alice_browser)
    assert "<script>alert" not in page
    assert "y" * 130 not in page


def test_a_lasting_value_reaches_today() -> None:
    periods = [
        period(NOW - timedelta(days=400), NOW - timedelta(days=100)),
        period(NOW - timedelta(days=100)),
    ]
    axis = build_axis(periods, now=NOW, since=None, until=None)
    past, lasting = draw_strip(periods, axis).bars
    assert past.y == lasting.y
    assert round(lasting.x + lasting.width, 1) == 100


def test_one_early_value_does_not_squeeze_the_others() -> None:
    periods = [period(datetime(1950, 1, 1, tzinfo=UTC))]
    periods += [period(NOW - timedelta(days=days)) for days in range(100, 1000, 100)]
    axis = build_axis(periods, now=NOW, since=None, until=None)
    assert axis.start > datetime(2020, 1, 1, tzinfo=UTC)
    assert next(bar.number for bar in draw_strip(periods, axis).bars if bar.is_cut) == 0


@pytest.mark.parametrize(
    ("words", "width", "shown_words"),
    [
        ("Berlin", 40, "Berlin"),
        ("Berlin", 3, ""),
        ("a small bridge office", 20, "a small b…"),
        ("上海", 10, "上海"),
    ],
)
def test_words_fit_into_their_bar(words: str, width: float, shown_words: str) -> None:
    assert fit_words(words, width, on_phone=False) == shown_words
    assert len(fit_words(words, width, on_phone=True)) <= len(shown_words)


def test_many_overlapping_values_have_low_bars() -> None:
    periods = [period(NOW - timedelta(days=100 + number)) for number in range(20)]
    strip = draw_strip(periods, build_axis(periods, now=NOW, since=None, until=None))
    assert len(strip.bars) == 8
    assert strip.height < 130
    assert not strip.has_words


@given(PERIODS)
def test_bars_stay_on_the_axis_and_apart(drawn: list[tuple[datetime, datetime | None]]) -> None:
    periods = [period(begin, end) for begin, end in drawn if end is None or end >= begin]
    axis = build_axis(periods, now=NOW, since=None, until=None)
    assert len(axis.ticks) <= 5
    assert all(0 <= tick.x <= 100 for tick in axis.ticks)
    bars = draw_strip(periods, axis).bars
    assert all(bar.x >= 0 and bar.width > 0 and bar.x + bar.width <= 100.02 for bar in bars)
    for one, other in combinations(bars, 2):
        assert one.y != other.y or other.x >= one.x + one.width - 0.02
