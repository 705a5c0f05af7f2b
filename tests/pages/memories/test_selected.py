"""Acts on the selected memories of the list, and on all that match."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from memories import curation
from memories.curation import bulk
from memories.models import Memory
from memories.storage.access import get_memory
from memories.storage.queries import list_active_memories
from memories.storage.store import open_batch
from memsite.accounts.models import User
from tests.pages.conftest import Remember
from tests.pages.memories.conftest import Dispute, Wait, status_of, undo_address


@pytest.fixture
def books(alice: User, remembered: Remember) -> list[Memory]:
    return [remembered(alice, f"Owns book {number}.", tags=("shelf",)) for number in range(3)]


def act(client: Client, path: str, memories: list[Memory], **fields: str) -> Any:
    return client.post(f"/memories/{path}/", {"ids": [str(memory.pk) for memory in memories], **fields})


def reread(memories: list[Memory]) -> list[Memory]:
    return [get_memory(memory.pk, owner=memory.owner_id) for memory in memories]


def test_several_are_pinned_and_unpinned(alice_browser: Client, books: list[Memory]) -> None:
    done = act(alice_browser, "pin", books[:2])
    assert [memory.pinned for memory in reread(books)] == [True, True, False]
    alice_browser.post(undo_address(done))
    assert not any(memory.pinned for memory in reread(books))
    act(alice_browser, "pin", books)
    act(alice_browser, "unpin", books[:1])
    assert [memory.pinned for memory in reread(books)] == [False, True, True]


def test_pinned_ones_come_first_and_all_come_once(
    alice: User, alice_browser: Client, remembered: Remember
) -> None:
    every = [remembered(alice, f"Owns book number {number:02}.") for number in range(45)]
    act(alice_browser, "pin", every[:22])
    link, pages = "", ""
    for _ in range(4):
        page = alice_browser.get(f"/memories/{link}").content.decode()
        pages += page.partition("data-list")[2]
        link = page.partition('id="more"')[2].partition('href="')[2].partition('"')[0].replace("&amp;", "&")
        if not link:
            break
    places = [pages.index(f"Owns book number {number:02}.") for number in range(45)]
    assert max(places[:22]) < min(places[22:])
    assert all(pages.count(f'id="memory-{memory.pk}"') == 1 for memory in every)


def test_kinds_change_where_the_layer_has_the_kind(
    alice: User, alice_browser: Client, books: list[Memory], remembered: Remember
) -> None:
    habit = remembered(alice, "Runs each morning.", layer="procedural", kind="habit")
    done = act(alice_browser, "kind", [*books, habit], to_kind="goal")
    assert [memory.kind for memory in reread([*books, habit])] == ["goal", "goal", "goal", "habit"]
    page = alice_browser.get(done["Location"]).content.decode()
    assert "The kind of 3 memories changed. 1 stays as it is." in page


def test_tags_are_added_and_removed(alice_browser: Client, books: list[Memory]) -> None:
    act(alice_browser, "tag", books, tags="read, 2026，read")
    assert reread(books)[0].tags == ["shelf", "read", "2026"]
    done = act(alice_browser, "untag", books, tags="shelf")
    assert reread(books)[2].tags == ["read", "2026"]
    alice_browser.post(undo_address(done))
    assert reread(books)[2].tags == ["shelf", "read", "2026"]


def test_a_secret_is_no_tag(alice_browser: Client, books: list[Memory]) -> None:
    act(alice_browser, "tag", books, tags="ghp_16C7e42F292c6912E7710c838347Ae178B4a")
    assert not any("ghp_" in tag for tag in reread(books)[0].tags)


def test_waiting_ones_are_kept_and_forgotten_ones_come_back(
    alice: User, alice_browser: Client, pending: Wait, books: list[Memory]
) -> None:
    waiting = pending(alice, "Plays the cello.")
    act(alice_browser, "forget", books)
    act(alice_browser, "keep", [waiting, *books])
    assert {status_of(memory) for memory in (waiting, *books)} == {"active"}


def test_a_forgotten_one_that_was_written_again_stays_forgotten(
    alice: User, alice_browser: Client, books: list[Memory], remembered: Remember
) -> None:
    act(alice_browser, "forget", books)
    remembered(alice, "Owns book 0.")
    alice_browser.post("/inbox/keep/", {"all": "1"})
    act(alice_browser, "keep", books)
    assert [status_of(memory) for memory in books] == ["forgotten", "active", "active"]


def test_all_that_match_are_changed_as_one_batch(
    alice: User, alice_browser: Client, remembered: Remember, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bulk, "AT_ONCE", 7)
    for number in range(25):
        remembered(alice, f"Owns book number {number}.")
    other = remembered(alice, "Plays the cello.")
    fields = {"all": "1", "filter": "?q=book"}
    done = alice_browser.post("/memories/forget/", fields)
    assert "25 memories forgotten." in alice_browser.get(done["Location"]).content.decode()
    assert list(list_active_memories(owner=alice.pk)) == [other]


def test_all_that_match_come_back_in_one_step(
    alice: User, alice_browser: Client, books: list[Memory], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bulk, "AT_ONCE", 2)
    done = alice_browser.post("/memories/forget/", {"all": "1", "filter": "?tag=shelf"})
    alice_browser.post(undo_address(done))
    assert {status_of(memory) for memory in books} == {"active"}


def test_what_changed_between_two_transactions_of_a_batch_is_not_undone(
    alice: User, alice_browser: Client, books: list[Memory], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bulk, "AT_ONCE", 1)
    opened: list[Any] = []

    def change_between(**options: Any) -> Any:
        opened.append(options)
        if len(opened) == 2:
            curation.edit_memory(books[0].pk, {"tags": ["later"]}, owner=alice.pk, actor="person")
        return open_batch(**options)

    monkeypatch.setattr(bulk, "open_batch", change_between)
    done = act(alice_browser, "tag", books, tags="read")
    alice_browser.post(undo_address(done))
    assert [memory.tags for memory in reread(books)] == [["later"], ["shelf"], ["shelf"]]


def test_one_of_anothers_changes_none(
    alice_browser: Client, books: list[Memory], bob: User, remembered: Remember
) -> None:
    foreign = remembered(bob, "Owns a boat.")
    for name in ("pin", "tag", "kind", "keep", "merge", "erase"):
        fields = {"tags": "x", "to_kind": "goal", "name": "alice", "content": "Owns it all."}
        assert act(alice_browser, name, [books[0], foreign], **fields).status_code == 404
    assert not reread(books)[0].pinned
    assert not get_memory(foreign.pk, owner=bob.pk).pinned


def test_htmx_gets_the_list_as_it_is_then(alice_browser: Client, books: list[Memory]) -> None:
    fields = {"ids": [str(books[0].pk)], "filter": "?q=book", "loaded": "3"}
    headers = {"HX-Request": "true", "HX-Target": "results"}
    page = alice_browser.post("/memories/forget/", fields, headers=headers).content.decode()
    assert "<html" not in page
    assert "Owns book 0." not in page.partition("data-list")[2]
    assert "1 memory forgotten." in page
    assert 'value="?q=book"' in page


def test_the_merged_text_is_shown_before_it_is_written(
    alice: User, alice_browser: Client, remembered: Remember
) -> None:
    parts = [remembered(alice, "Plays the cello."), remembered(alice, "Sails on Sundays.")]
    page = act(alice_browser, "merge", parts).content.decode()
    assert "Merge into one memory?" in page
    assert {status_of(memory) for memory in parts} == {"active"}
    done = act(alice_browser, "merge", parts, content="Plays the cello and sails on Sundays.")
    found = list_active_memories(owner=alice.pk).get()
    assert found.content == "Plays the cello and sails on Sundays."
    alice_browser.post(undo_address(done))
    assert {status_of(memory) for memory in parts} == {"active"}


def test_unlike_kinds_cannot_be_merged(alice: User, alice_browser: Client, remembered: Remember) -> None:
    parts = [remembered(alice, "Plays the cello."), remembered(alice, "Wants to sail.", kind="goal")]
    page = act(alice_browser, "merge", parts).content.decode()
    assert "one layer and kind" in page
    assert 'name="content"' not in page


def test_erasing_several_asks_for_the_name(alice: User, alice_browser: Client, books: list[Memory]) -> None:
    page = act(alice_browser, "erase", books).content.decode()
    assert "Erase 3 memories for good?" in page
    assert act(alice_browser, "erase", books, name="bob").status_code == 422
    assert Memory.objects.filter(owner_id=alice.pk).count() == 3
    assert "Receipt" in act(alice_browser, "erase", books, name="alice").content.decode()
    assert not Memory.objects.filter(owner_id=alice.pk).exists()


def test_erasing_all_that_match_spares_later_ones(
    alice: User, alice_browser: Client, books: list[Memory], remembered: Remember
) -> None:
    page = alice_browser.post("/memories/erase/", {"all": "1", "filter": "?q=book"}).content.decode()
    listed_at = page.partition('name="listed_at" value="')[2].partition('"')[0]
    remembered(alice, "Owns book 99.")
    fields = {"all": "1", "filter": "?q=book", "listed_at": listed_at, "name": "alice"}
    alice_browser.post("/memories/erase/", fields)
    assert list_active_memories(owner=alice.pk).get().content == "Owns book 99."


def test_forgetting_sides_of_a_conflict_settles_it(
    alice: User, alice_browser: Client, disputed: Dispute
) -> None:
    sides = disputed(alice, "Berlin", "Lisbon", "Rome")
    act(alice_browser, "forget", sides[:2])
    assert status_of(sides[2]) == "active"


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("?tag=sea", {"sail"}),
        ("?tag=sea,sport", {"sail"}),
        ("?tag=sea&tag=land", set()),
        ("?since=2026-03-01", {"sail"}),
        ("?until=2026-01-31", {"cello"}),
        ("?since=2026-01-01&until=2026-01-15", {"cello"}),
        ("?source=person", {"sail", "cello"}),
        ("?source=program", set()),
        ("?since=nonsense&until=2026-02-31&source=x&tag=", {"sail", "cello"}),
    ],
)
def test_filters_narrow_the_list(
    alice: User, alice_browser: Client, remembered: Remember, query: str, found: set[str]
) -> None:
    january, march = "2026-01-15T12:00:00+00:00", "2026-03-02T12:00:00+00:00"
    sail = remembered(alice, "Wants to sail.", tags=("sea", "sport"))
    cello = remembered(alice, "Plays the cello.", tags=("music",))
    Memory.objects.filter(owner_id=alice.pk, pk=sail.pk).update(created_at=march)
    Memory.objects.filter(owner_id=alice.pk, pk=cello.pk).update(created_at=january)
    page = alice_browser.get(f"/memories/{query}").content.decode().partition("data-list")[2]
    assert {word for word in ("sail", "cello") if f"{word}." in page} == found


def test_filters_stay_in_the_links(alice: User, alice_browser: Client, remembered: Remember) -> None:
    remembered(alice, "Wants to sail.", tags=("sea",))
    page = alice_browser.get("/memories/?tag=sea&since=2026-01-01&source=person").content.decode()
    assert "kind=fact&amp;tag=sea&amp;since=2026-01-01&amp;source=person" in page
    assert 'href="/memories/?since=2026-01-01&amp;source=person"' in page
