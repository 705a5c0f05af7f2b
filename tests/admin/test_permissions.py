"""Each page and act of the admin asks for its permission; staff without any see nothing of anybody."""

from __future__ import annotations

import pytest
from django.test import Client

from memsite.accounts.models import User
from tests.admin.conftest import (
    DISPUTES,
    MEMORIES,
    acts_on,
    choose,
    confirm,
    page_of,
    remember,
    staff,
    statuses,
)

PAGES = [
    MEMORIES,
    f"{MEMORIES}acts/",
    f"{MEMORIES}owners/?q=a",
    DISPUTES,
    "/admin/memories/report/",
    "/admin/memories/sitereport/",
    "/admin/threads/thread/",
    "/admin/jobs/job/",
    "/admin/jobs/heartbeat/",
    "/admin/django_q/schedule/",
    "/admin/accounts/user/",
    "/admin/accounts/apikey/",
    "/admin/accounts/application/",
    "/admin/accounts/invitation/",
    "/admin/accounts/auditentry/",
]
ACTS = ["approve", "forget", "restore", "merge", "change-kind", "pin", "unpin"]


@pytest.mark.parametrize("page", PAGES)
def test_staff_without_permission_see_nothing(alice: User, erin: Client, page: str) -> None:
    remember(alice, "Plays the cello.")
    response = erin.get(page)
    assert response.status_code == 403
    assert "cello" not in response.content.decode()
    assert acts_on(alice) == []


@pytest.mark.parametrize("page", PAGES)
def test_people_and_visitors_are_sent_to_sign_in(alice_browser: Client, client: Client, page: str) -> None:
    assert alice_browser.get(page).status_code == client.get(page).status_code == 302


def test_first_page_of_staff_without_permission_names_nothing(erin: Client) -> None:
    page = erin.get("/admin/").content.decode()
    assert MEMORIES not in page
    assert DISPUTES not in page


def test_staff_who_may_only_look_are_offered_no_act(alice: User, dana: Client) -> None:
    memory = remember(alice, "Plays the cello.")
    assert 'name="action"' not in dana.get(MEMORIES).content.decode()
    page = dana.get(f"{MEMORIES}{memory.pk}/change/").content.decode()
    assert "cello" in page
    assert "/acts/forget/" not in page


@pytest.mark.parametrize("act", ACTS)
def test_staff_who_may_only_look_cannot_act(alice: User, dana: Client, act: str) -> None:
    first, second = remember(alice, "Plays the cello."), remember(alice, "Keeps bees.")
    choose(dana, act.replace("-", "_"), first, second)
    assert confirm(dana, act, first, second, kind="goal", content="One.").status_code == 403
    assert statuses(first, second) == ["active", "active"]
    first.refresh_from_db()
    assert (first.kind, first.pinned) == ("fact", False)


def test_permission_to_change_memories_is_enough_to_curate(alice: User) -> None:
    memory = remember(alice, "Plays the cello.")
    frank = staff("frank", "view_memory", "change_memory")
    assert "1 memory changes." in page_of(choose(frank, "forget", memory))
    confirm(frank, "forget", memory)
    assert statuses(memory) == ["forgotten"]
    assert ("frank", "forget", "memories") in acts_on(alice)


def test_permission_for_other_rows_does_not_open_memories(alice: User) -> None:
    memory = remember(alice, "Plays the cello.")
    grace = staff("grace", "view_thread", "change_thread", "view_report")
    assert grace.get(MEMORIES).status_code == 403
    assert confirm(grace, "forget", memory).status_code == 403
    assert grace.get("/admin/threads/thread/").status_code == 200


def test_person_has_no_way_to_an_act(alice: User, bob_browser: Client) -> None:
    memory = remember(alice, "Plays the cello.")
    assert confirm(bob_browser, "forget", memory).status_code == 302
    assert statuses(memory) == ["active"]
