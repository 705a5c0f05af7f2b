"""What stands beneath a message: what it recalled, what it taught, and what a person may do about it."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils import translation

from memories.models import Memory
from memories.models.labels import describe_reason
from memories.values import Candidate
from memories.writing.pipeline import write_candidates
from memsite.accounts.models import User
from memsite.accounts.preferences import set_preferences
from tests.pages.conftest import Remember, Say
from threads.messages.transcript import create_thread
from threads.models import Citation, Message, SentContext, Thread
from threads.visibility.provenance import make_reference

asks = pytest.mark.django_db(transaction=True)


@pytest.fixture
def answered(alice: User, alice_browser: Client, remembered: Remember) -> Thread:
    """A thread with a reply that recalled a memory."""
    remembered(alice, "The user keeps bees behind the barn.")
    thread = create_thread(owner=alice.pk)
    alice_browser.post(f"/threads/{thread.pk}/say/", {"content": "Where does the user keep bees?"})
    return thread


def page_of(browser: Client, thread: Thread) -> str:
    return browser.get(f"/threads/{thread.pk}/").content.decode()


@asks
def test_a_reply_shows_what_it_recalled_and_why(alice_browser: Client, answered: Thread) -> None:
    recalled = page_of(alice_browser, answered).partition('class="cited"')[2]
    assert "Recalled 1" in recalled
    assert "The user keeps bees behind the barn." in recalled
    assert "Your message and this share “" in recalled


@asks
@pytest.mark.parametrize(
    ("language", "chip", "reason"),
    [
        ("en", "Respected 2", "It applies to food, drink and medicine."),
        ("zh-hans", "遵守 2 条要求", "凡是涉及饮食和用药的回答都要遵守。"),
    ],
)
def test_a_reply_shows_what_it_respected_and_why(
    alice: User, alice_browser: Client, remembered: Remember, language: str, chip: str, reason: str
) -> None:
    for text in ("I'm allergic to peanuts.", "The user is vegan."):
        remembered(alice, text)
    alice_browser.post("/settings/language/", {"language": language})
    thread = create_thread(owner=alice.pk)
    alice_browser.post(f"/threads/{thread.pk}/say/", {"content": "Suggest a dessert for tonight."})
    cited = page_of(alice_browser, thread).partition('class="cited"')[2]
    assert chip in cited
    assert cited.index("allergic to peanuts") < cited.index("The user is vegan.")
    assert cited.count(reason) == 2
    assert "Recalled" not in cited
    assert "想起" not in cited


@asks
def test_citations_switched_off_are_not_shown(alice: User, alice_browser: Client, answered: Thread) -> None:
    set_preferences(alice.pk, citations_on=False)
    assert "Recalled 1" not in page_of(alice_browser, answered)


@asks
@pytest.mark.parametrize(("word", "useful"), [("yes", True), ("no", False), ("", None)])
def test_a_recalled_memory_is_rated(
    alice_browser: Client, answered: Thread, word: str, *, useful: bool | None
) -> None:
    citation = Citation.objects.get(thread=answered)
    address = f"/threads/citations/{citation.pk}/rate/"
    response = alice_browser.post(address, {"useful": word})
    assert (
        response["Location"]
        == f"/threads/{answered.pk}/?message={citation.message_id}#message-{citation.message_id}"
    )
    citation.refresh_from_db()
    assert citation.useful is useful
    part = alice_browser.post(address, {"useful": "yes"}, headers={"HX-Request": "true"}).content.decode()
    assert 'aria-pressed="true">Useful' in part


@asks
def test_anothers_recalled_memory_is_not_found(bob_browser: Client, answered: Thread) -> None:
    citation = Citation.objects.get(thread=answered)
    assert bob_browser.post(f"/threads/citations/{citation.pk}/rate/", {"useful": "no"}).status_code == 404


@pytest.mark.parametrize(
    ("why", "sentence"),
    [
        ('shares "bees" and "barn"; close in meaning', "share “bees”, “barn”. It is close in meaning."),
        ("said by Ana; names a time", "It was said by Ana. It names a time."),
        ("something new", ""),
    ],
)
def test_reasons_are_sentences(why: str, sentence: str) -> None:
    assert describe_reason(why).endswith(sentence)


def test_chinese_reasons_have_no_space_between_their_sentences() -> None:
    with translation.override("zh-hans"):
        assert describe_reason('shares "bees"; close in meaning').endswith("”。意思相近。")


def test_what_was_learnt_can_be_undone_where_it_is_shown(
    alice: User, alice_browser: Client, thread_saying: Say
) -> None:
    thread = thread_saying(alice, "I play the cello and have a dog.")
    source = make_reference(Message.objects.get(thread=thread).pk)
    candidates = [Candidate(text, sources=(source,)) for text in ("Plays the cello.", "Has a dog.")]
    batch = write_candidates(candidates, owner=alice.pk, actor="learning").batch_id
    page = page_of(alice_browser, thread)
    assert page.count(f"/memories/undo/{batch}/") == 1
    assert "Undo all 2" in page
    cello = Memory.objects.get(content="Plays the cello.")
    alone = f"/memories/{cello.pk}/forget/"
    assert alone in page
    alice_browser.post(alone, {"next": f"/threads/{thread.pk}/"})
    page = page_of(alice_browser, thread)
    assert "Plays the cello." not in page
    assert "Has a dog." in page
    alice_browser.post(f"/memories/undo/{batch}/")
    assert "Plays the cello." not in page_of(alice_browser, thread)


def test_remember_this_writes_the_message_as_a_memory(
    alice: User, alice_browser: Client, thread_saying: Say
) -> None:
    thread = thread_saying(alice, "The boat is called Otter.")
    message = Message.objects.get(thread=thread)
    for _ in range(2):
        alice_browser.post(f"/threads/{thread.pk}/{message.pk}/keep/")
    memory = Memory.objects.get(owner=alice, layer="semantic")
    assert (memory.content, memory.written_by) == ("The boat is called Otter.", "person")


def test_a_secret_is_not_remembered_on_request(
    alice: User, alice_browser: Client, thread_saying: Say
) -> None:
    thread = thread_saying(alice, "password: hunter2-Xk93!")
    message = Message.objects.get(thread=thread)
    alice_browser.post(f"/threads/{thread.pk}/{message.pk}/keep/")
    assert not Memory.objects.filter(owner=alice, content__contains="hunter2").exists()


def test_nothing_of_a_temporary_thread_is_remembered_on_request(
    alice: User, alice_browser: Client, thread_saying: Say
) -> None:
    thread = thread_saying(alice, "The boat is called Otter.", is_temporary=True)
    message = Message.objects.get(thread=thread)
    assert alice_browser.post(f"/threads/{thread.pk}/{message.pk}/keep/").status_code == 400
    assert not Memory.objects.filter(owner=alice).exists()


@asks
def test_a_temporary_thread_stores_nothing_of_what_was_sent(alice: User, alice_browser: Client) -> None:
    thread = create_thread(owner=alice.pk, is_temporary=True)
    alice_browser.post(f"/threads/{thread.pk}/say/", {"content": "Hush."})
    alice_browser.post(f"/threads/{thread.pk}/close/")
    assert not SentContext.objects.filter(owner=alice).exists()
    assert not Message.objects.filter(owner=alice).exists()
