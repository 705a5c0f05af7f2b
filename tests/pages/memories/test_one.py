"""The page of one memory."""

from __future__ import annotations

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from memories import curation
from memories.storage.access import get_memory
from memories.storage.usage import roll_up_accesses
from memories.values import Candidate
from memories.writing.pipeline import write_candidates
from memsite.accounts.models import User
from tests.pages.conftest import Remember, Say
from threads.models import Message
from threads.visibility.provenance import make_reference


def test_it_shows_the_very_message_it_came_from(
    alice: User, alice_browser: Client, thread_saying: Say
) -> None:
    thread = thread_saying(alice, "I have played the cello since school.")
    message = Message.objects.get(thread=thread)
    candidate = Candidate("Plays the cello.", sources=(make_reference(message.pk),))
    memory = write_candidates([candidate], owner=alice.pk, actor="learning").outcomes[0].memory
    assert memory is not None
    page = alice_browser.get(f"/memories/{memory.pk}/").content.decode()
    assert "I have played the cello since school." in page
    assert f"/threads/{thread.pk}/?message={message.pk}#message-{message.pk}" in page


def test_its_history_tells_every_wording(alice: User, alice_browser: Client, remembered: Remember) -> None:
    memory = remembered(alice, "Plays the cello.")
    changed = curation.rewrite_memory(memory.pk, "Plays the viola.", owner=alice.pk, actor="person")
    page = alice_browser.get(f"/memories/{changed.memories[0].pk}/").content.decode()
    assert f'href="/memories/{memory.pk}/"' in page
    assert "“Plays the cello.”" in page
    assert "by you" in page


def test_opening_it_counts_as_a_use(alice: User, alice_browser: Client, remembered: Remember) -> None:
    memory = remembered(alice, "Plays the cello.")
    alice_browser.get(f"/memories/{memory.pk}/")
    roll_up_accesses(owner=alice.pk)
    assert get_memory(memory.pk, owner=alice.pk).access_count == 1


def test_a_forgotten_one_offers_to_restore_it(
    alice: User, alice_browser: Client, remembered: Remember
) -> None:
    memory = remembered(alice, "Plays the cello.")
    curation.forget_memories([memory.pk], owner=alice.pk, actor="person")
    page = alice_browser.get(f"/memories/{memory.pk}/").content.decode()
    assert f"/memories/{memory.pk}/restore/" in page
    assert f"/memories/{memory.pk}/edit/" not in page


def test_its_queries_do_not_grow_with_its_history(
    alice: User, alice_browser: Client, remembered: Remember
) -> None:
    memory = remembered(alice, "Plays the cello.")
    with CaptureQueriesContext(connection) as few:
        alice_browser.get(f"/memories/{memory.pk}/")
    for number in range(8):
        curation.edit_memory(memory.pk, {"category": f"c{number}"}, owner=alice.pk, actor="person")
    with CaptureQueriesContext(connection) as many:
        alice_browser.get(f"/memories/{memory.pk}/")
    assert len(few) == len(many)


def test_use_is_shown_with_its_relevance(
    alice_api: APIClient, alice_browser: Client, alice: User, remembered: Remember
) -> None:
    memory = remembered(alice, "Plays the cello.")
    thread = alice_api.post("/api/threads", {}).json()["id"]
    answer = alice_api.post(f"/api/threads/{thread}/context", {"input": "Who plays the cello?"})
    (citation,) = answer.json()["citations"]
    page = alice_browser.get(f"/memories/{memory.pk}/").content.decode()
    assert citation["relevance"] <= 1 < citation["score"]
    assert f"relevance {citation['relevance']:.0%}" in page
