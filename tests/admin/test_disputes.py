"""Conflicts in the admin: both sides, the four answers, undo, and the owner's audit."""

from __future__ import annotations

import uuid

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from memories.models import Memory, MemoryLink
from memories.values import Status
from memsite.accounts.models import AuditEntry, User
from tests.admin.conftest import DISPUTES, MEMORIES, acts_on, dispute, last_batch, remember, statuses


def link_between(first: Memory, second: Memory) -> MemoryLink:
    ids = [first.pk, second.pk]
    return MemoryLink.objects.get(kind="disputes", memory_id__in=ids, other_id__in=ids)


def settle(client: Client, link: MemoryLink, answer: str) -> int:
    return client.post(f"{DISPUTES}{link.pk}/settle/", {"answer": answer}).status_code


def test_list_shows_both_sides_and_whose_they_are(alice: User, charlie_browser: Client) -> None:
    first, second = dispute(alice)
    assert statuses(first, second) == ["disputed", "disputed"]
    remember(alice, "Keeps bees.")
    page = charlie_browser.get(DISPUTES).content.decode()
    assert "Graz" in page
    assert "Linz" in page
    assert "bees" not in page
    assert AuditEntry.objects.get(owner=alice).subject_ids in ([first.pk, second.pk], [second.pk, first.pk])


def test_pair_is_shown_with_its_dates_and_answers(alice: User, charlie_browser: Client) -> None:
    link = link_between(*dispute(alice))
    page = charlie_browser.get(f"{DISPUTES}{link.pk}/change/").content.decode()
    assert page.index("Graz") < page.index("Linz")
    for answer in ("changed", "first-wrong", "second-wrong", "both"):
        assert f'value="{answer}"' in page


@pytest.mark.parametrize(
    ("answer", "after"),
    [
        ("changed", [Status.DEPRECATED, Status.ACTIVE]),
        ("first-wrong", [Status.DEPRECATED, Status.ACTIVE]),
        ("second-wrong", [Status.ACTIVE, Status.DEPRECATED]),
        ("both", [Status.ACTIVE, Status.ACTIVE]),
    ],
)
def test_answer_settles_the_pair_and_is_in_the_audit(
    alice: User, charlie_browser: Client, answer: str, after: list[Status]
) -> None:
    first, second = dispute(alice)
    assert settle(charlie_browser, link_between(first, second), answer) == 302
    assert statuses(first, second) == after
    assert ("charlie", "settle", "memories") in acts_on(alice)


def test_what_changed_was_true_before_and_what_was_wrong_never(alice: User, charlie_browser: Client) -> None:
    first, second = dispute(alice)
    settle(charlie_browser, link_between(first, second), "changed")
    first.refresh_from_db()
    assert first.valid_until is not None
    assert first.retired_at is None


def test_decision_is_undone_by_the_notice(alice: User, charlie_browser: Client) -> None:
    first, second = dispute(alice)
    settle(charlie_browser, link_between(first, second), "first-wrong")
    url = f"{MEMORIES}undo/{last_batch(alice)}/"
    assert f'action="{url}"' in charlie_browser.get(DISPUTES).content.decode()
    charlie_browser.post(url)
    assert statuses(first, second) == ["disputed", "disputed"]


def test_unknown_answer_changes_nothing(alice: User, charlie_browser: Client) -> None:
    first, second = dispute(alice)
    settle(charlie_browser, link_between(first, second), "perhaps")
    page = charlie_browser.get(DISPUTES).content.decode()
    assert "This is no answer to this conflict." in page
    assert statuses(first, second) == ["disputed", "disputed"]


def test_settled_pair_is_said_to_be_settled(alice: User, charlie_browser: Client) -> None:
    link = link_between(*dispute(alice))
    settle(charlie_browser, link, "both")
    assert settle(charlie_browser, link, "both") == 404
    page = charlie_browser.get(f"{DISPUTES}{link.pk}/change/", follow=True).content.decode()
    assert "This has been settled already." in page


def test_pairs_of_one_owner_are_filtered(alice: User, bob: User, charlie_browser: Client) -> None:
    dispute(alice)
    dispute(bob)
    charlie_browser.get(f"{DISPUTES}?owner=alice")
    assert acts_on(alice) == [("charlie", "look", "memories")]
    assert acts_on(bob) == []


def test_who_may_look_at_memories_sees_conflicts_and_settles_none(alice: User, dana: Client) -> None:
    first, second = dispute(alice)
    link = link_between(first, second)
    page = dana.get(f"{DISPUTES}{link.pk}/change/").content.decode()
    assert "Graz" in page
    assert 'value="both"' not in page
    assert settle(dana, link, "both") == 403
    assert statuses(first, second) == ["disputed", "disputed"]


def test_who_may_see_no_memories_sees_no_conflicts(alice: User, erin: Client, alice_browser: Client) -> None:
    link = link_between(*dispute(alice))
    assert erin.get(DISPUTES).status_code == 403
    assert erin.get(f"{DISPUTES}{link.pk}/change/").status_code == 403
    assert settle(erin, link, "both") == 403
    assert alice_browser.get(DISPUTES).status_code == 302


def test_unknown_pair_is_not_found(charlie_browser: Client) -> None:
    unknown = uuid.uuid4()
    assert charlie_browser.post(f"{DISPUTES}{unknown}/settle/", {"answer": "both"}).status_code == 404


def test_statements_of_the_list_do_not_depend_on_the_pairs(
    alice: User, bob: User, charlie: User, charlie_browser: Client
) -> None:
    counts = []
    for owners in ([alice], [bob, charlie]):
        for owner in owners:
            dispute(owner)
        AuditEntry.objects.all().delete()
        with CaptureQueriesContext(connection) as queries:
            charlie_browser.get(DISPUTES)
        counts.append(len(queries))
    assert counts[0] == counts[1]
