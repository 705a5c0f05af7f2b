"""Adding, editing, forgetting, restoring, erasing by a person."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Final
from uuid import UUID

import pytest
from django.contrib.messages import get_messages
from django.test import Client

from memories.models import Memory
from memories.storage.access import get_memory
from memories.storage.queries import list_active_memories
from memories.values import Kind, Layer
from memsite.accounts.models import User
from memsite.accounts.preferences import set_preferences
from memsite.web.requests import undo_url_of
from tests.pages.conftest import Remember

DATES: Final = ("valid_from", "valid_until", "occurred_at")


def undo_address(response: Any) -> str:
    (message,) = get_messages(response.wsgi_request)
    return undo_url_of(message.extra_tags or "")


def status(memory: Memory) -> str:
    return str(get_memory(memory.pk, owner=memory.owner_id).status)


def test_what_a_person_adds_is_remembered(alice: User, alice_browser: Client) -> None:
    form = {"content": "Wants to sail.", "kind": "semantic:goal", "category": "", "tags": "sea, sport, sea"}
    response = alice_browser.post("/memories/add/", form)
    memory = list_active_memories(owner=alice.pk).get()
    assert response.status_code == 302
    assert (memory.kind, memory.tags, memory.written_by) == ("goal", ["sea", "sport"], "person")


def test_adding_can_be_undone(alice: User, alice_browser: Client) -> None:
    added = alice_browser.post("/memories/add/", {"content": "Wants to sail.", "kind": "semantic:goal"})
    alice_browser.post(undo_address(added))
    assert not list_active_memories(owner=alice.pk).exists()


def test_an_empty_memory_is_asked_for_again(alice: User, alice_browser: Client) -> None:
    response = alice_browser.post("/memories/add/", {"content": "  ", "kind": "semantic:fact"})
    assert response.status_code == 422
    assert not list_active_memories(owner=alice.pk).exists()


def test_with_memory_off_the_form_says_why_nothing_is_kept(alice: User, alice_browser: Client) -> None:
    set_preferences(alice.pk, memory_on=False)
    response = alice_browser.post("/memories/add/", {"content": "Wants to sail.", "kind": "semantic:goal"})
    assert response.status_code == 422
    assert "switched off" in response.content.decode()


def test_forgetting_leads_back_with_an_undo(alice: User, alice_browser: Client, remembered: Remember) -> None:
    memory = remembered(alice, "Plays the cello.")
    response = alice_browser.post(f"/memories/{memory.pk}/forget/", {"next": "/memories/?kind=fact"})
    assert response["Location"] == "/memories/?kind=fact"
    assert status(memory) == "forgotten"
    alice_browser.post(undo_address(response))
    assert status(memory) == "active"


def test_undo_in_the_list_answers_the_list_with_as_many_cards(
    alice: User, alice_browser: Client, remembered: Remember
) -> None:
    memories = [remembered(alice, f"Inspected bridge number {number}.") for number in range(25)]
    response = alice_browser.post(f"/memories/{memories[3].pk}/forget/")
    values = {"filter": "?kind=fact", "loaded": "24"}
    headers = {"HX-Request": "true", "HX-Target": "results"}
    page = alice_browser.post(undo_address(response), values, headers=headers).content.decode()
    assert page.count('class="memory is-active"') == 25
    assert "Undone." in page


def test_forgetting_by_htmx_answers_the_greyed_row_and_a_notice(
    alice: User, alice_browser: Client, remembered: Remember
) -> None:
    memory = remembered(alice, "Plays the cello.")
    response = alice_browser.post(f"/memories/{memory.pk}/forget/", headers={"HX-Request": "true"})
    page = response.content.decode()
    assert "is-forgotten" in page
    assert 'hx-swap-oob="beforeend"' in page
    assert "/memories/undo/" in page


def test_a_forgotten_memory_is_restored(alice: User, alice_browser: Client, remembered: Remember) -> None:
    memory = remembered(alice, "Plays the cello.")
    alice_browser.post(f"/memories/{memory.pk}/forget/")
    alice_browser.post(f"/memories/{memory.pk}/restore/")
    assert status(memory) == "active"


def test_ticked_memories_are_forgotten_together(
    alice: User, alice_browser: Client, remembered: Remember
) -> None:
    ticked = [remembered(alice, f"Owns book {number}.") for number in range(3)]
    kept = remembered(alice, "Plays the cello.")
    alice_browser.post("/memories/forget/", {"ids": [str(memory.pk) for memory in ticked]})
    assert {status(memory) for memory in ticked} == {"forgotten"}
    assert status(kept) == "active"


def test_one_of_anothers_among_the_ticked_forgets_none(
    alice: User, bob: User, alice_browser: Client, remembered: Remember
) -> None:
    own, foreign = remembered(alice, "Plays the cello."), remembered(bob, "Plays the oboe.")
    response = alice_browser.post("/memories/forget/", {"ids": [str(own.pk), str(foreign.pk)]})
    assert response.status_code == 404
    assert (status(own), status(foreign)) == ("active", "active")


def test_a_pin_goes_on_and_off(alice: User, alice_browser: Client, remembered: Remember) -> None:
    memory = remembered(alice, "Plays the cello.")
    alice_browser.post(f"/memories/{memory.pk}/pin/")
    assert get_memory(memory.pk, owner=alice.pk).pinned
    alice_browser.post(f"/memories/{memory.pk}/pin/")
    assert not get_memory(memory.pk, owner=alice.pk).pinned


def edited(client: Client, memory: Memory, **changes: str) -> Any:
    form = {"content": memory.content, "kind": memory.kind, "importance": "80", "lifespan": memory.lifespan}
    form |= {name: f"{day:%Y-%m-%d}" for name in DATES if (day := getattr(memory, name))}
    return client.post(f"/memories/{memory.pk}/edit/", form | changes)


def test_person_says_that_it_is_still_true_and_takes_it_back(
    alice: User, alice_browser: Client, remembered: Remember
) -> None:
    memory = remembered(alice, "Plays the cello.")
    response = alice_browser.post(f"/memories/{memory.pk}/confirm/")
    page = alice_browser.get(f"/memories/{memory.pk}/").content.decode()
    assert [part in page for part in ("Noted: it is still true.", "Stated again", "Confirmed")] == [True] * 3
    alice_browser.post(undo_address(response))
    assert get_memory(memory.pk, owner=alice.pk).restated_at is None


def test_new_words_lead_to_the_successor(alice: User, alice_browser: Client, remembered: Remember) -> None:
    memory = remembered(alice, "Plays the cello.")
    response = edited(alice_browser, memory, content="Plays the viola.")
    successor = list_active_memories(owner=alice.pk).get()
    assert response["Location"] == f"/memories/{successor.pk}/"
    assert successor.content == "Plays the viola."
    assert status(memory) == "deprecated"


def test_other_fields_change_in_place(alice: User, alice_browser: Client, remembered: Remember) -> None:
    memory = remembered(alice, "Plays the cello.")
    edited(alice_browser, memory, importance="35", tags="music，strings")
    found = list_active_memories(owner=alice.pk).get()
    assert (found.pk, found.importance, found.tags) == (memory.pk, 0.35, ["music", "strings"])


def test_an_edit_that_changes_nothing_writes_nothing(
    alice: User, alice_browser: Client, remembered: Remember
) -> None:
    memory = remembered(alice, "Plays the cello.")
    edited(alice_browser, memory)
    assert list_active_memories(owner=alice.pk).get().updated_at == memory.updated_at


def test_a_corrected_date_takes_effect(alice: User, alice_browser: Client, remembered: Remember) -> None:
    memory = remembered(alice, "Plays the cello.", valid_from=datetime(2024, 3, 5, 9, tzinfo=UTC))
    edited(alice_browser, memory, valid_from="2023-03-05", category="music")
    found = list_active_memories(owner=alice.pk).get()
    assert (found.pk, found.valid_from) == (memory.pk, datetime(2023, 3, 5, tzinfo=UTC))
    edited(alice_browser, found, category="")
    assert get_memory(memory.pk, owner=alice.pk).valid_from == found.valid_from


def test_an_end_in_the_past_ends_it_and_is_corrected_too(
    alice: User, alice_browser: Client, remembered: Remember
) -> None:
    memory = remembered(alice, "Plays the cello.")
    edited(alice_browser, memory, valid_until="2025-01-01")
    assert status(memory) == "deprecated"
    page = alice_browser.get(f"/memories/{memory.pk}/edit/").content.decode()
    assert 'value="2025-01-01"' in page
    assert "<textarea" not in page
    alice_browser.post(f"/memories/{memory.pk}/edit/", {"valid_from": "2020-01-01", "valid_until": ""})
    assert status(memory) == "active"


def test_an_event_has_the_day_on_which_it_happened(
    alice: User, alice_browser: Client, remembered: Remember
) -> None:
    memory = remembered(alice, "The cello broke.", layer=Layer.EPISODIC, kind=Kind.EVENT)
    edited(alice_browser, memory, occurred_at="2025-02-01")
    assert get_memory(memory.pk, owner=alice.pk).occurred_at == datetime(2025, 2, 1, tzinfo=UTC)


def test_a_memory_does_not_end_before_it_begins(
    alice: User, alice_browser: Client, remembered: Remember
) -> None:
    memory = remembered(alice, "Plays the cello.")
    response = edited(alice_browser, memory, valid_from="2025-02-01", valid_until="2025-01-01")
    assert response.status_code == 422
    assert "It cannot end before it begins." in response.content.decode()


def test_words_that_stand_elsewhere_are_refused_in_the_form(
    alice: User, alice_browser: Client, remembered: Remember
) -> None:
    remembered(alice, "Plays the viola.")
    response = edited(alice_browser, remembered(alice, "Plays the cello."), content="Plays the viola.")
    assert response.status_code == 422
    assert "says this already" in response.content.decode()


def test_erasing_asks_before_it_does(alice: User, alice_browser: Client, remembered: Remember) -> None:
    memory = remembered(alice, "Plays the cello.")
    assert "Plays the cello." in alice_browser.get(f"/memories/{memory.pk}/erase/").content.decode()
    assert status(memory) == "active"


def test_erasing_shows_a_receipt(alice: User, alice_browser: Client, remembered: Remember) -> None:
    memory = remembered(alice, "Plays the cello.")
    page = alice_browser.post(f"/memories/{memory.pk}/erase/").content.decode()
    assert "Receipt" in page
    assert "backups" in page
    assert not Memory.objects.filter(pk=memory.pk).exists()


def test_everything_is_cleared_only_with_the_typed_name(
    alice: User, alice_browser: Client, remembered: Remember
) -> None:
    memory = remembered(alice, "Plays the cello.")
    assert alice_browser.post("/memories/clear/", {"name": "Alice"}).status_code == 422
    assert status(memory) == "active"
    cleared = alice_browser.post("/memories/clear/", {"name": "alice"})
    assert status(memory) == "forgotten"
    alice_browser.post(undo_address(cleared))
    assert status(memory) == "active"


@pytest.mark.parametrize("act", ["", "edit/", "erase/"])
def test_anothers_memory_is_not_found(
    bob: User, alice_browser: Client, remembered: Remember, act: str
) -> None:
    memory = remembered(bob, "Plays the oboe.")
    response = alice_browser.get(f"/memories/{memory.pk}/{act}")
    assert response.status_code == 404
    assert "oboe" not in response.content.decode()


@pytest.mark.parametrize("act", ["forget", "restore", "pin", "confirm", "erase", "edit"])
def test_anothers_memory_is_not_acted_on(
    bob: User, alice_browser: Client, remembered: Remember, act: str
) -> None:
    memory = remembered(bob, "Plays the oboe.")
    assert alice_browser.post(f"/memories/{memory.pk}/{act}/").status_code == 404
    assert status(memory) == "active"


@pytest.mark.parametrize("act", ["forget", "restore", "pin", "confirm"])
def test_an_act_needs_a_post(alice_browser: Client, act: str) -> None:
    assert alice_browser.get(f"/memories/{UUID(int=1)}/{act}/").status_code == 405
