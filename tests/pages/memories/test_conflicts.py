"""Conflicts: the list, the sides of one, and the four answers."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from memories import curation
from memories.models import Memory
from memories.pages.conflicts.disputes import load_dispute
from memories.pages.conflicts.time_axis import build_axis
from memories.storage import count_waiting
from memories.storage.access import get_memory
from memsite.accounts.models import User
from tests.pages.conftest import Remember
from tests.pages.memories.conftest import BEGAN, Dispute, status_of, undo_address


def shown(client: Client, memory: Memory) -> str:
    response = client.get(f"/conflicts/{memory.pk}/")
    assert response.status_code == 200
    return response.content.decode()


def answer(client: Client, memory: Memory, said: str, **fields: str) -> Any:
    return client.post(f"/conflicts/{memory.pk}/answer/", {"answer": said, **fields})


def test_no_conflict_reads_as_such(alice_browser: Client) -> None:
    assert "No memories contradict each other" in alice_browser.get("/conflicts/").content.decode()


def test_the_list_shows_each_conflict_once(alice: User, alice_browser: Client, disputed: Dispute) -> None:
    disputed(alice, "Berlin", "Lisbon", "Rome")
    page = alice_browser.get("/conflicts/").content.decode()
    assert page.count('<li class="surface dispute">') == 1
    assert page.count("Alice lives in Lisbon.") == 1


def test_others_conflicts_are_not_listed(bob: User, alice_browser: Client, disputed: Dispute) -> None:
    disputed(bob, "Berlin", "Lisbon")
    assert "Berlin" not in alice_browser.get("/conflicts/").content.decode()


def test_both_sides_stand_on_one_axis(alice: User, alice_browser: Client, disputed: Dispute) -> None:
    first, second = disputed(alice, "Berlin", "Lisbon")
    page = shown(alice_browser, first)
    assert page.index("Alice lives in Berlin.") < page.index("Alice lives in Lisbon.")
    assert page.count('class="axis-bar') == 2
    assert "time does not decide" in page
    assert "true since Jan. 1, 2026" in page
    assert shown(alice_browser, second).count('class="axis-bar') == 2


def test_it_changed_ends_the_first(alice: User, alice_browser: Client, disputed: Dispute) -> None:
    first, second = disputed(alice, "Berlin", "Lisbon")
    done = answer(alice_browser, first, "changed", since="2026-05-01")
    ended = get_memory(first.pk, owner=alice.pk)
    assert (ended.status, ended.valid_until) == ("deprecated", datetime(2026, 5, 1, tzinfo=UTC))
    assert get_memory(second.pk, owner=alice.pk).valid_from == ended.valid_until
    alice_browser.post(undo_address(done))
    assert get_memory(second.pk, owner=alice.pk).valid_from == BEGAN
    assert [status_of(one) for one in (first, second)] == ["disputed", "disputed"]


def test_without_a_day_it_changed_when_the_newer_was_written(
    alice: User, alice_browser: Client, disputed: Dispute
) -> None:
    first, second = disputed(alice, "Berlin", "Lisbon")
    answer(alice_browser, first, "changed")
    ended = get_memory(first.pk, owner=alice.pk)
    assert ended.valid_until == second.created_at
    assert ended.retired_at is None


@pytest.mark.parametrize("day", ["soon", "2026-02-31", "2999-01-01"])
def test_a_bad_day_decides_nothing(alice: User, alice_browser: Client, disputed: Dispute, day: str) -> None:
    first, _second = disputed(alice, "Berlin", "Lisbon")
    assert answer(alice_browser, first, "changed", since=day).status_code == 400
    assert status_of(first) == "disputed"


@pytest.mark.parametrize("wrong", [0, 1])
def test_a_side_that_was_wrong_is_retired(
    alice: User, alice_browser: Client, disputed: Dispute, wrong: int
) -> None:
    sides = disputed(alice, "Berlin", "Lisbon")
    done = answer(alice_browser, sides[0], f"wrong:{sides[wrong].pk}")
    assert status_of(sides[1 - wrong]) == "active"
    retired = get_memory(sides[wrong].pk, owner=alice.pk)
    assert retired.retired_at is not None
    alice_browser.post(undo_address(done))
    assert status_of(sides[wrong]) == "disputed"


def test_both_are_true(alice: User, alice_browser: Client, disputed: Dispute) -> None:
    sides = disputed(alice, "Berlin", "Lisbon")
    done = answer(alice_browser, sides[0], "both")
    assert done["Location"] == "/conflicts/"
    assert {status_of(side) for side in sides} == {"active"}


def test_three_sides_lose_one_and_stay_in_conflict(
    alice: User, alice_browser: Client, disputed: Dispute
) -> None:
    first, second, third = disputed(alice, "Berlin", "Lisbon", "Rome")
    assert "The third was wrong" in shown(alice_browser, first)
    done = answer(alice_browser, first, f"wrong:{second.pk}")
    assert [status_of(one) for one in (first, second, third)] == ["disputed", "deprecated", "disputed"]
    assert done["Location"] in {f"/conflicts/{one.pk}/" for one in (first, third)}


@pytest.mark.parametrize(
    ("said", "statuses"),
    [("both", ["active"] * 3), ("changed", ["deprecated", "deprecated", "active"])],
)
def test_three_sides_are_decided_at_once(
    alice: User, alice_browser: Client, disputed: Dispute, said: str, statuses: list[str]
) -> None:
    sides = disputed(alice, "Berlin", "Lisbon", "Rome")
    answer(alice_browser, sides[0], said)
    assert [status_of(side) for side in sides] == statuses


@pytest.mark.parametrize("chosen", [0, 2])
def test_of_three_sides_one_is_kept(
    alice: User, alice_browser: Client, disputed: Dispute, chosen: int
) -> None:
    sides = disputed(alice, "Berlin", "Lisbon", "Rome")
    page = shown(alice_browser, sides[0])
    assert "Alice lives in …?" in page
    assert page.count("Keep the newest") == 1
    answer(alice_browser, sides[0], f"right:{sides[chosen].pk}")
    assert [status_of(one) == "active" for one in sides] == [number == chosen for number in range(3)]


def test_many_values_are_one_question_with_the_newest_first(
    alice: User, alice_browser: Client, disputed: Dispute
) -> None:
    cities = [f"{name}stadt" for name in ("A", "B", "C", "D", "E", "F", "G")]
    disputed(alice, *cities)
    page = alice_browser.get("/conflicts/").content.decode()
    assert "2 older values" in page
    assert [city in page for city in cities] == [False] * 2 + [True] * 5
    assert count_waiting(owner=alice.pk) == 1


def test_a_settled_conflict_reads_as_settled(alice: User, alice_browser: Client, disputed: Dispute) -> None:
    first, second = disputed(alice, "Berlin", "Lisbon")
    curation.resolve_dispute(first.pk, owner=alice.pk, actor="person")
    assert "No conflict any more" in shown(alice_browser, second)
    assert answer(alice_browser, second, "both").status_code == 409


def test_an_unknown_answer_is_refused(alice: User, alice_browser: Client, disputed: Dispute) -> None:
    first, _second = disputed(alice, "Berlin", "Lisbon")
    for said in ("", "perhaps", "wrong:", "wrong:0190a0a0-0000-7000-8000-000000000000"):
        assert answer(alice_browser, first, said).status_code == 400
    assert status_of(first) == "disputed"


def test_anothers_conflict_is_not_found(alice: User, bob_browser: Client, disputed: Dispute) -> None:
    first, _second = disputed(alice, "Berlin", "Lisbon")
    assert bob_browser.get(f"/conflicts/{first.pk}/").status_code == 404
    assert answer(bob_browser, first, "both").status_code == 404


def test_disputed_chips_lead_to_the_conflict(alice: User, alice_browser: Client, disputed: Dispute) -> None:
    first, _second = disputed(alice, "Berlin", "Lisbon")
    link = f'href="/conflicts/{first.pk}/"'
    assert link in alice_browser.get("/memories/").content.decode()
    assert link in alice_browser.get(f"/memories/{first.pk}/").content.decode()


def test_a_list_asks_as_much_for_many_as_for_few(
    alice: User, alice_browser: Client, disputed: Dispute, remembered: Remember
) -> None:
    counts = []
    for cities in (("Berlin", "Lisbon"), ("Rome", "Oslo", "Bern")):
        disputed(alice, *cities)
        with CaptureQueriesContext(connection) as queries:
            alice_browser.get("/conflicts/")
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_an_axis_stays_within_its_width(alice: User, disputed: Dispute) -> None:
    first, _second = disputed(alice, "Berlin", "Lisbon")
    dispute = load_dispute(first.pk, owner=alice.pk)
    assert dispute is not None
    axis = build_axis(dispute.sides, now=timezone.now() + timedelta(days=4000))
    assert all(0 <= lane.start < lane.end <= 100 for lane in axis.lanes)
    assert [tick.anchor for tick in axis.ticks] == ["start", "end"]
