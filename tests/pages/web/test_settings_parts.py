"""Other apps add parts to the settings pages."""

from __future__ import annotations

from uuid import UUID

import pytest
from django.test import Client

from memsite.accounts.models import User
from memsite.web import settings_parts
from memsite.web.settings_parts import SettingsPage, SettingsPart, register_settings_part


@pytest.fixture(autouse=True)
def no_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings_parts, "_makers", {page: [] for page in SettingsPage})


def test_part_is_shown_on_its_page_with_what_it_made_for_the_person(
    alice: User, alice_browser: Client
) -> None:
    def make(*, owner: UUID) -> SettingsPart:
        return SettingsPart("parts/_no_model.html", {"owner": owner})

    register_settings_part(SettingsPage.DATA, make)
    response = alice_browser.get("/settings/data/")
    assert [part.context["owner"] for part in response.context["parts"]] == [alice.pk]
    assert "No language model is set" in response.content.decode()


def test_page_without_parts_stands_by_itself(alice_browser: Client) -> None:
    page = alice_browser.get("/settings/data/").content.decode()
    assert "No language model is set" not in page
    assert 'aria-current="page"' in page
