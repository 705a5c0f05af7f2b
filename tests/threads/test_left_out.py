"""What a context leaves out as outdated is named, and a person can say that it is still true."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils import translation
from pytest_django.fixtures import Settings
from rest_framework.test import APIClient

from memories.models import Memory
from memsite.accounts.models import User
from tests.api.test_threads import begin
from tests.llm_server import LLMServer
from tests.memories.sentences.outdating import BESIDE, remember
from threads.context import Remark
from threads.models import Message, Thread
from threads.pages.context_page import explain

pytestmark = pytest.mark.django_db
asks = pytest.mark.django_db(transaction=True)

BEFORE, NOW = "My desk phone is extension 21.", "My desk phone is extension 90 now."
QUESTION = "What is my desk phone?"
REASON = "a newer statement has replaced it"


@pytest.fixture(autouse=True)
def _phones(alice: User, settings: Settings) -> None:
    """Alice said one extension, and later another."""
    settings.MEMSITE_EMBEDDING = "local"
    settings.MEMSITE_EMBEDDING_BUDGET_MS = 10_000  # however busy the machine is
    remember(alice, [BEFORE, *BESIDE, NOW])


def considered(api: APIClient, text: str = QUESTION) -> dict[str, str]:
    """Return the reason for each memory that a context considered."""
    body = {"input": text, "preview": True}
    preview = api.post(f"/api/threads/{begin(api)['id']}/context", body).json()["preview"]
    return {one["content"]: one["reason"] for one in preview["memories"] if not one["included"]}


def test_preview_names_what_is_outdated_before_all_else_that_is_left_out(alice_api: APIClient) -> None:
    reasons = considered(alice_api)
    assert reasons[BEFORE] == REASON
    assert next(iter(reasons)) == BEFORE


def test_confirmed_memory_is_in_the_next_context(alice: User, alice_api: APIClient) -> None:
    memory = Memory.objects.get(content=BEFORE)
    alice_api.patch(f"/api/memories/{memory.pk}", {"status": "active"})
    assert BEFORE not in considered(alice_api)


def test_other_questions_name_nothing_as_outdated(alice_api: APIClient) -> None:
    assert REASON not in considered(alice_api, "Which choir do I sing in?").values()
    assert REASON not in considered(alice_api, "Thanks!").values()


@asks
def test_page_says_what_was_outdated_and_takes_that_it_is_still_true(
    alice_browser: Client, models_configured: LLMServer
) -> None:
    alice_browser.post("/threads/new/", {"content": QUESTION})
    thread, memory = Thread.objects.get(), Memory.objects.get(content=BEFORE)
    address = f"/threads/{thread.pk}/context/{Message.objects.get(role='user').pk}/"
    page = alice_browser.get(address).content.decode()
    left_out = page.partition('id="left-title"')[2]
    assert REASON in left_out
    assert f'action="/memories/{memory.pk}/confirm/"' in left_out
    assert "csrfmiddlewaretoken" in left_out
    said = alice_browser.post(f"/memories/{memory.pk}/confirm/", {"next": f"{address}#left-{memory.pk}"})
    assert said["Location"] == f"{address}#left-{memory.pk}"
    again = alice_browser.get(address).content.decode().partition('id="left-title"')[2]
    assert "It was said or confirmed again since." in again
    assert f"/memories/{memory.pk}/confirm/" not in again


@asks
def test_page_says_it_in_chinese(alice_browser: Client, models_configured: LLMServer) -> None:
    alice_browser.post("/settings/language/", {"language": "zh-hans"})
    alice_browser.post("/threads/new/", {"content": QUESTION})
    question = Message.objects.get(role="user")
    page = alice_browser.get(f"/threads/{question.thread_id}/context/{question.pk}/").content.decode()
    assert "已被较新的说法取代" in page


@asks
def test_person_cannot_say_it_of_anothers_memory(bob_browser: Client) -> None:
    memory = Memory.objects.get(content=BEFORE)
    assert bob_browser.post(f"/memories/{memory.pk}/confirm/").status_code == 404
    memory.refresh_from_db()
    assert memory.restated_at is None


@pytest.mark.parametrize("remark", Remark)
def test_remark_is_said_in_the_language_of_the_page(remark: Remark) -> None:
    said = explain(remark)
    assert said
    with translation.override("zh-hans"):
        assert explain(remark) not in {said, remark.value}
