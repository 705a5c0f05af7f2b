"""Settings → Privacy: who looked, what a model was sent, how long things are kept."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from memories.conf import FORGETTING
from memsite.accounts.audit import record
from memsite.accounts.models import User
from memsite.llm.chat import Usage
from memsite.metering import ModelPurpose
from memsite.metering.usage import add_usage
from tests.conftest import Tune
from tests.llm_server import LLMServer
from tests.pages.conftest import Remember, Say

PAGE = "/settings/privacy/"


def shown(client: Client) -> str:
    return client.get(PAGE).content.decode()


def use(owner: User, **fields: Any) -> None:
    add_usage(Usage(1000, 234), failed=False, owner=owner.pk, **{"model": "fast-model", **fields})


def test_looks_of_staff_are_shown_with_links_and_own_acts_are_not(alice: User, alice_browser: Client) -> None:
    row = uuid.uuid4()
    record("charlie", "look", "memories", [(alice.pk, row)])
    record("alice", "sign in", "sessions", [(alice.pk, row)])
    page = shown(alice_browser)
    assert f'href="/memories/{row}/"' in page
    assert "sign in ·" not in page


def test_what_staff_changed_is_named_by_its_first_words_also_on_the_overview(
    alice: User, bob: User, alice_browser: Client, remembered: Remember, thread_saying: Say
) -> None:
    memory, foreign = remembered(alice, "Plays the cello."), remembered(bob, "Plays the oboe.")
    record("charlie", "forget", "memories", [(alice.pk, memory.pk), (alice.pk, foreign.pk)])
    record("charlie", "look", "threads", [(alice.pk, thread_saying(alice, title="Strings").pk)])
    for page in ("/settings/privacy/", "/settings/audit/", "/"):
        text = alice_browser.get(page).content.decode()
        assert f'<a href="/memories/{memory.pk}/" dir="auto">Plays the cello.</a>' in text
        assert "oboe" not in text
    assert ">Strings</a>" in alice_browser.get("/settings/audit/").content.decode()
    assert "charlie" not in Client().get("/").content.decode()


def test_a_look_or_an_old_change_is_not_on_the_overview(alice: User, alice_browser: Client) -> None:
    record("charlie", "look", "memories", [(alice.pk, uuid.uuid4())])
    with time_machine.travel(timezone.now() - timedelta(days=15), tick=True):
        record("charlie", "forget", "memories", [(alice.pk, uuid.uuid4())])
    assert "charlie" not in alice_browser.get("/").content.decode()


def test_a_browser_is_named_in_words(alice: User) -> None:
    browser = Client(
        HTTP_USER_AGENT="Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/126.0 Safari/537.36"
    )
    browser.post("/accounts/login/", {"login": "alice", "password": "alice-secret-1"})
    page = browser.get("/settings/audit/").content.decode()
    assert "Chrome on Linux" in page
    assert "AppleWebKit" not in page


def test_what_others_looked_at_is_not_shown(bob: User, alice_browser: Client) -> None:
    record("charlie", "look", "memories", [(bob.pk, uuid.uuid4())])
    assert "charlie" not in shown(alice_browser)


def test_without_a_model_nothing_is_sent(alice_browser: Client) -> None:
    page = shown(alice_browser)
    assert "nothing of yours is sent to one" in page
    assert "no text is sent away" in page


def test_model_and_host_are_named_without_the_rest_of_the_url(
    alice_browser: Client, models_configured: LLMServer, settings: Settings
) -> None:
    settings.OPENAI_BASE_URL = "https://user:secret@models.example.org/v1"
    page = shown(alice_browser)
    assert "primary-model" in page
    assert "<code>models.example.org</code>" in page
    assert "secret" not in page


def test_requests_and_tokens_are_shown_by_purpose(alice: User, bob: User, alice_browser: Client) -> None:
    for purpose in (ModelPurpose.REPLY, ModelPurpose.REPLY, ModelPurpose.LEARNING):
        use(alice, purpose=purpose)
    use(bob, purpose=ModelPurpose.SUMMARY)
    sent = {str(row.label): [(one.calls, one.tokens) for one in row.used] for row in sent_of(alice_browser)}
    assert sent["Answers in a chat"] == [(2, 2468)]
    assert sent["Learning from messages"] == [(1, 1234)]
    assert sent["Summaries of long threads"] == []
    assert "Other" not in sent


def sent_of(client: Client) -> list[Any]:
    return list(client.get(PAGE).context["sent"])


def test_calls_of_unknown_purpose_are_shown_as_others(alice: User, alice_browser: Client) -> None:
    use(alice)
    assert str(sent_of(alice_browser)[-1].label) == "Other"


def test_embedding_server_is_named(alice_browser: Client, settings: Settings) -> None:
    settings.MEMSITE_EMBEDDING = "openai"
    settings.MEMSITE_EMBEDDING_BASE_URL = "https://vectors.example.org/v1"
    assert "<code>vectors.example.org</code>" in shown(alice_browser)


@pytest.mark.parametrize("days", [365, 12])
def test_periods_are_those_of_the_present_settings(
    alice_browser: Client, settings: Settings, tune: Tune, days: int
) -> None:
    tune(FORGETTING, erased_days=days)
    settings.MEMSITE_EVENT_DAYS = days + 1
    page = shown(alice_browser).partition("How long things are kept")[2]
    assert f"{days} days, then they are erased" in page
    assert f"<dd>{days + 1} days</dd>" in page
    assert "<dd>24 hours</dd>" in page
