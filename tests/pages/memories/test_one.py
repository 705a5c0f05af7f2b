"""The page of one memory."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from memories import curation
from memories.curation import bulk, erasing
from memories.models import Memory
from memories.storage.access import get_memory
from memories.storage.usage import roll_up_accesses
from memories.values import Candidate, Kind, Layer
from memories.writing.pipeline import write_candidates
from memsite.accounts.models import User
from tests.pages.conftest import Remember, Say
from tests.pages.memories.conftest import Dispute, Wait, status_of
from threads.models import Message
from threads.visibility.provenance import make_reference


def shown(client: Client, memory: Memory) -> str:
    response = client.get(f"/memories/{memory.pk}/")
    assert response.status_code == 200
    return " ".join(response.content.decode().split())


def test_it_shows_the_very_message_it_came_from(
    alice: User, alice_browser: Client, thread_saying: Say
) -> None:
    thread = thread_saying(alice, "I have played the cello since school.")
    message = Message.objects.get(thread=thread)
    candidate = Candidate("Plays the cello.", sources=(make_reference(message.pk),))
    memory = write_candidates([candidate], owner=alice.pk, actor="learning").outcomes[0].memory
    assert memory is not None
    page = shown(alice_browser, memory)
    assert "I have played the cello since school." in page
    assert f"/threads/{thread.pk}/?message={message.pk}#message-{message.pk}" in page


def test_another_memory_of_the_same_message_is_linked(
    alice: User, alice_browser: Client, thread_saying: Say
) -> None:
    thread = thread_saying(alice, "I play the cello and sail on Sundays.")
    source = make_reference(Message.objects.get(thread=thread).pk)
    candidates = [Candidate(text, sources=(source,)) for text in ("Plays the cello.", "Sails on Sundays.")]
    one, other = (
        outcome.memory
        for outcome in write_candidates(candidates, owner=alice.pk, actor="learning").outcomes
        if outcome.memory
    )
    page = shown(alice_browser, one)
    assert "Learnt from the same message" in page
    assert f'href="/memories/{other.pk}/"' in page


def test_its_history_marks_the_changed_words(
    alice: User, alice_browser: Client, remembered: Remember
) -> None:
    memory = remembered(alice, "Plays the cello.")
    changed = curation.rewrite_memory(memory.pk, "Plays the viola.", owner=alice.pk, actor="person")
    page = shown(alice_browser, changed.memories[0])
    assert '<del><span class="unseen">removed: </span>cello</del>' in page
    assert '<ins><span class="unseen">added: </span>viola</ins>' in page
    assert "by you" in page
    assert f'href="/memories/{memory.pk}/"' in page
    assert "Whose place it took" in page
    assert "A newer wording took its place." in shown(alice_browser, memory)


def test_its_history_folds_long_wordings(alice: User, alice_browser: Client, remembered: Remember) -> None:
    before, after = ("\n".join(f"{word} {number}" for number in range(40)) for word in ("Cello", "Viola"))
    memory = remembered(alice, before)
    changed = curation.rewrite_memory(memory.pk, after, owner=alice.pk, actor="person")
    history = shown(alice_browser, changed.memories[0]).split('id="history-title"')[1]
    assert history.count('<details class="one-rest">') == 2
    for wording in history.split('<p class="wording"')[1::2]:
        assert len(wording.split("</p>")[0]) < 900


def test_a_merge_names_what_was_merged(alice: User, alice_browser: Client, remembered: Remember) -> None:
    parts = [remembered(alice, text) for text in ("Plays the cello.", "Plays it in a quartet.")]
    merged = curation.merge_memories(
        [part.pk for part in parts],
        owner=alice.pk,
        actor="person",
        content="Plays the cello in a quartet.",
    )
    page = shown(alice_browser, merged.memories[0])
    assert "<strong>Merged</strong>" in page
    assert page.count(f'href="/memories/{parts[1].pk}/"') >= 2
    assert "It was merged with another memory." in shown(alice_browser, parts[0])


def test_a_changed_field_is_shown_before_and_after(
    alice: User, alice_browser: Client, remembered: Remember
) -> None:
    memory = remembered(alice, "Plays the cello.")
    for category in ("music", "hobbies"):
        curation.edit_memory(memory.pk, {"category": category}, owner=alice.pk, actor="person")
    page = shown(alice_browser, memory)
    assert "</span>nothing</del>" in page
    assert page.count("</span>music</ins>") == page.count("</span>music</del>") == 1
    assert "</span>hobbies</ins>" in page


def test_both_clocks_are_in_words(alice: User, alice_browser: Client, remembered: Remember) -> None:
    began, ended = (datetime(year, 3, 3, tzinfo=UTC) for year in (2019, 2021))
    memory = remembered(alice, "Alice lives in Berlin.", valid_from=began, valid_until=ended)
    Memory.objects.filter(owner_id=alice.pk).update(created_at=datetime(2020, 5, 1, tzinfo=UTC))
    page = shown(alice_browser, memory)
    assert "True from March 3, 2019 until March 3, 2021." in page
    assert "Memsite has known it since May 1, 2020, and learnt on" in page
    assert "that it had ended." in page


def test_a_lasting_memory_is_true_and_believed_since(
    alice: User, alice_browser: Client, remembered: Remember
) -> None:
    memory = remembered(alice, "Plays the cello.", valid_from=datetime(2019, 3, 3, tzinfo=UTC))
    page = shown(alice_browser, memory)
    assert "True since March 3, 2019." in page
    assert "Memsite has believed it since" in page
    assert "It is in use" in page
    assert "Still true</button>" in page


def test_nobody_is_asked_whether_what_was_said_is_still_true(
    alice: User, alice_browser: Client, remembered: Remember
) -> None:
    memory = remembered(alice, "Hello there.", layer="episodic", kind="conversation")
    assert "Still true" not in shown(alice_browser, memory)


def test_a_pending_one_waits_for_a_word(alice: User, alice_browser: Client, pending: Wait) -> None:
    memory = pending(alice, "Plays the cello.")
    page = shown(alice_browser, memory)
    assert "It waits for your decision" in page
    assert "<strong>Proposed</strong>" in page
    assert f"/memories/{memory.pk}/confirm/" in page


def test_a_disputed_one_leads_to_both_sides(alice: User, alice_browser: Client, disputed: Dispute) -> None:
    one, other = disputed(alice, "Berlin", "Lisbon")
    page = shown(alice_browser, one)
    assert "It is disputed" in page
    assert f'<a href="/conflicts/{one.pk}/">See both sides</a>' in page
    assert "What it contradicts" in page
    assert f'href="/memories/{other.pk}/"' in page
    curation.resolve_dispute(one.pk, owner=alice.pk, actor="person")
    page = shown(alice_browser, other)
    assert "It was wrong; another memory took its place." in page
    assert "<strong>Decided</strong>" in page
    assert "What it once contradicted" in page


def test_a_forgotten_one_offers_to_restore_it(
    alice: User, alice_browser: Client, remembered: Remember
) -> None:
    memory = remembered(alice, "Plays the cello.")
    curation.forget_memories([memory.pk], owner=alice.pk, actor="person")
    page = shown(alice_browser, memory)
    assert "replies never recall it" in page
    assert f"/memories/{memory.pk}/restore/" in page
    assert f"/memories/{memory.pk}/edit/" not in page


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"sensitive": True}, "It is marked as sensitive"),
        ({"layer": Layer.PROCEDURAL, "kind": Kind.HABIT, "strength": 0.6}, "<dt>Firmness</dt>"),
        (
            {"layer": Layer.EPISODIC, "kind": Kind.EVENT, "occurred_at": datetime(2024, 3, 3, tzinfo=UTC)},
            "It happened on March 3, 2024.",
        ),
    ],
    ids=["sensitive", "procedural", "episode"],
)
def test_each_sort_shows_what_it_has(
    alice: User, alice_browser: Client, remembered: Remember, fields: dict[str, Any], words: str
) -> None:
    assert words in shown(alice_browser, remembered(alice, "Plays the cello.", **fields))


def test_an_erased_one_says_so_to_its_owner_only(
    alice: User, alice_browser: Client, bob_browser: Client, remembered: Remember
) -> None:
    memory = remembered(alice, "Plays the cello.")
    erasing.erase_memory(memory.pk, owner=alice.pk, actor="person")
    gone = alice_browser.get(f"/memories/{memory.pk}/")
    assert gone.status_code == 410
    assert "This memory was erased" in gone.content.decode()
    assert bob_browser.get(f"/memories/{memory.pk}/").status_code == 404


def test_anothers_memory_is_not_found(alice: User, bob_browser: Client, remembered: Remember) -> None:
    assert bob_browser.get(f"/memories/{remembered(alice, 'Plays the cello.').pk}/").status_code == 404


def test_the_last_change_is_undone(alice: User, alice_browser: Client, remembered: Remember) -> None:
    memory = remembered(alice, "Plays the cello.")
    assert "Undo the last change" not in shown(alice_browser, memory)
    forgotten = curation.forget_memories([memory.pk], owner=alice.pk, actor="person")
    page = shown(alice_browser, memory)
    assert f'action="/memories/undo/{forgotten.batch_id}/"' in page
    assert "It also changed" not in page
    alice_browser.post(f"/memories/undo/{forgotten.batch_id}/")
    assert status_of(memory) == "active"


def test_an_undo_of_many_says_how_many(alice: User, alice_browser: Client, remembered: Remember) -> None:
    memories = [remembered(alice, text) for text in ("Plays the cello.", "Sails.", "Owns a red bicycle.")]
    bulk.forget_many([memory.pk for memory in memories], owner=alice.pk, actor="person")
    assert "It also changed 2 other memories, which go back too." in shown(alice_browser, memories[0])


def test_relations_are_sentences_with_links(alice: User, alice_browser: Client, remembered: Remember) -> None:
    home = remembered(alice, "Maria lives in Turin.", subject="Maria", predicate="lives_in", object="Turin")
    other = remembered(alice, "Maria plays the cello.", subject="Maria", predicate="plays", object="cello")
    page = shown(alice_browser, home)
    assert '<span class="relation-word" dir="auto">lives in</span>' in page
    assert "Also about Maria" in page
    assert f'href="/memories/{other.pk}/"' in page
    assert f'href="/memories/timeline/?lane={home.slot}"' in page


def test_long_text_is_folded_and_whole(alice: User, alice_browser: Client, remembered: Remember) -> None:
    memory = remembered(alice, "Keeps this: " + "x" * 3000 + " end-of-it <b>bold</b>")
    page = alice_browser.get(f"/memories/{memory.pk}/").content.decode()
    heading = page.split("<h1", 1)[1].split("</h1>", 1)[0]
    assert len(heading) < 600
    assert '<details class="one-rest">' in page
    assert "end-of-it &lt;b&gt;bold&lt;/b&gt;</p>" in page
    assert "<b>bold" not in page


def test_opening_it_counts_as_a_use(alice: User, alice_browser: Client, remembered: Remember) -> None:
    memory = remembered(alice, "Plays the cello.")
    shown(alice_browser, memory)
    roll_up_accesses(owner=alice.pk)
    assert get_memory(memory.pk, owner=alice.pk).access_count == 1
    assert "Opened 1 time, cited 0 times" in shown(alice_browser, memory)


def test_use_is_shown_with_its_relevance(
    alice_api: APIClient, alice_browser: Client, alice: User, remembered: Remember
) -> None:
    memory = remembered(alice, "Plays the cello.")
    thread = alice_api.post("/api/threads", {"title": "Music"}).json()["id"]
    answer = alice_api.post(f"/api/threads/{thread}/context", {"input": "Who plays the cello?"})
    (citation,) = answer.json()["citations"]
    roll_up_accesses(owner=alice.pk)
    page = shown(alice_browser, memory)
    assert citation["relevance"] <= 1 < citation["score"]
    assert f"relevance {citation['relevance']:.0%}" in page
    assert "Opened 0 times, cited 1 time" in page
    assert f'href="/threads/{thread}/">A reply in “Music”</a>' in page


def test_its_queries_do_not_grow_with_its_history(
    alice: User, alice_browser: Client, remembered: Remember
) -> None:
    memory = remembered(
        alice, "Alice lives in Berlin.", subject="Alice", predicate="lives in", object="Berlin"
    )
    memory = curation.rewrite_memory(memory.pk, "Lives in 0.", owner=alice.pk, actor="person").memories[0]
    with CaptureQueriesContext(connection) as few:
        shown(alice_browser, memory)
    for number in range(1, 8):
        curation.edit_memory(memory.pk, {"category": f"c{number}"}, owner=alice.pk, actor="person")
        changed = curation.rewrite_memory(memory.pk, f"Lives in {number}.", owner=alice.pk, actor="person")
        memory = changed.memories[0]
    with CaptureQueriesContext(connection) as many:
        shown(alice_browser, memory)
    assert len(few) == len(many)
