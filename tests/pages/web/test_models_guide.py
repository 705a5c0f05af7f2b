"""The page that explains how to set a model, and staff's test of the connection."""

from __future__ import annotations

import pytest
from django.test import Client
from pytest_django import Settings

from tests.llm_server import LLMServer, answer, status

pytestmark = pytest.mark.django_db


def test_page_says_that_no_model_is_set(alice_browser: Client) -> None:
    page = alice_browser.get("/guide/models/").content.decode()
    assert "MEMSITE_MODEL_FAST" in page
    assert "Test the connection" not in page


def test_person_who_is_no_staff_may_not_test(alice_browser: Client) -> None:
    assert alice_browser.post("/guide/models/").status_code == 403


def test_overview_links_to_the_page_while_no_model_is_set(alice_browser: Client) -> None:
    assert "/guide/models/" in alice_browser.get("/").content.decode()


def test_overview_does_not_once_one_is_set(alice_browser: Client, settings: Settings) -> None:
    settings.MEMSITE_MODEL_FAST = "some-model"
    assert "/guide/models/" not in alice_browser.get("/").content.decode()


def test_staff_see_what_the_model_answered(charlie_browser: Client, models_configured: LLMServer) -> None:
    models_configured.script(answer("ready"), answer("ready"))
    assert "answered: ready" in charlie_browser.post("/guide/models/").content.decode()


def test_staff_see_why_the_model_failed(charlie_browser: Client, models_configured: LLMServer) -> None:
    models_configured.script(status(401), status(401))
    page = charlie_browser.post("/guide/models/").content.decode()
    assert "banner-rust" in page
