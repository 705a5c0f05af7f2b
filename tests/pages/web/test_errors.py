"""What is seen when something is wrong."""

from __future__ import annotations

import pytest
from django.db import OperationalError
from django.http import HttpResponse
from django.test import Client

from memories.pages.listing import list_page
from memsite.errors import Conflict, TooManyRequests
from memsite.web import overview


def fail_with(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    def fail(*_args: object, **_kwargs: object) -> HttpResponse:
        raise error

    monkeypatch.setattr(list_page, "load_listing", fail)


@pytest.mark.parametrize(("error", "status"), [(Conflict("Taken."), 409), (TooManyRequests("Slow.", 3), 429)])
def test_an_error_of_ours_is_a_page_with_its_status(
    alice_browser: Client, monkeypatch: pytest.MonkeyPatch, error: Exception, status: int
) -> None:
    fail_with(monkeypatch, error)
    response = alice_browser.get("/memories/")
    assert response.status_code == status
    assert str(error) in response.content.decode()


def test_an_error_comes_to_htmx_as_a_notice(alice_browser: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    fail_with(monkeypatch, Conflict("Taken."))
    response = alice_browser.get("/memories/", headers={"HX-Request": "true"})
    assert (response.status_code, response["HX-Retarget"]) == (409, "#notices")
    assert "<html" not in response.content.decode()


def test_a_database_away_is_a_page_with_503(alice_browser: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    fail_with(monkeypatch, OperationalError("terminating connection"))
    response = alice_browser.get("/memories/")
    assert response.status_code == 503
    assert "terminating" not in response.content.decode()


def test_a_database_away_needs_no_query_to_say_so(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*_args: object, **_kwargs: object) -> HttpResponse:
        raise OperationalError("connection refused")

    monkeypatch.setattr(overview, "render", away)  # the only call of a visitor's first page
    assert client.get("/").status_code == 503


def test_an_unknown_address_is_a_page(alice_browser: Client) -> None:
    response = alice_browser.get("/no/such/page")
    assert response.status_code == 404
    assert "Memsite" in response.content.decode()


def test_an_unknown_address_of_the_api_is_json(client: Client, db: None) -> None:
    response = client.get("/api/no/such/thing")
    assert response.status_code == 404
    assert response.json().keys() == {"code", "message", "detail"}


def test_a_bug_is_a_page_without_its_innards(alice_browser: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    fail_with(monkeypatch, RuntimeError("innards"))
    alice_browser.raise_request_exception = False
    response = alice_browser.get("/memories/")
    assert response.status_code == 500
    assert "innards" not in response.content.decode()


def test_a_form_without_its_token_is_refused_with_a_page(alice_browser: Client) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = alice_browser.cookies
    response = strict.post("/memories/add/", {"content": "x"})
    assert response.status_code == 403
    assert "Memsite" in response.content.decode()


def test_a_stale_form_gives_the_typed_text_back(alice_browser: Client) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = alice_browser.cookies
    typed = {
        "content": "Plays the <b>cello</b>.",
        "password": "my-secret-1",
        "csrfmiddlewaretoken": "stale-token",
    }
    page = strict.post("/memories/add/", {**typed, "csrfmiddlewaretoken": "stale-token"}).content.decode()
    assert "Plays the &lt;b&gt;cello&lt;/b&gt;." in page
    assert "my-secret-1" not in page
    assert "stale-token" not in page


def test_a_stale_form_comes_to_htmx_as_a_notice(alice_browser: Client) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = alice_browser.cookies
    response = strict.post("/memories/add/", {"content": "x"}, headers={"HX-Request": "true"})
    assert (response.status_code, response["HX-Retarget"]) == (403, "#notices")
    assert "Copy what you typed" in response.content.decode()
