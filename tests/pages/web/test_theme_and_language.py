"""The theme and the language stay as chosen."""

from __future__ import annotations

import pytest
from django.test import Client


@pytest.mark.parametrize("theme", ["auto", "light", "dark"])
def test_a_chosen_theme_is_written_into_the_page(client: Client, db: None, theme: str) -> None:
    client.post("/settings/theme/", {"theme": theme})
    assert f'data-theme="{theme}"' in client.get("/").content.decode()


def test_an_unknown_theme_is_as_the_system_has_it(client: Client, db: None) -> None:
    client.post("/settings/theme/", {"theme": '"><script>'})
    assert 'data-theme="auto"' in client.get("/").content.decode()


def test_choosing_a_theme_leads_back_to_the_page(client: Client, db: None) -> None:
    response = client.post("/settings/theme/", {"theme": "dark", "next": "/accounts/login/"})
    assert response["Location"] == "/accounts/login/"


def test_choosing_a_theme_leads_to_no_other_site(client: Client, db: None) -> None:
    response = client.post("/settings/theme/", {"theme": "dark", "next": "https://evil.example/"})
    assert response["Location"] == "/"


def test_a_browser_that_asks_for_chinese_gets_it(client: Client, db: None) -> None:
    page = client.get("/", headers={"Accept-Language": "zh-CN"}).content.decode()
    assert '<html lang="zh-hans"' in page
    assert "登录" in page


def test_a_chosen_language_stays(client: Client, db: None) -> None:
    client.post("/settings/language/", {"language": "zh-hans"})
    assert "登录" in client.get("/").content.decode()
