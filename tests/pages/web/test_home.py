"""The first page."""

from __future__ import annotations

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries, Settings

from memsite.accounts.models import User
from tests.pages.conftest import Remember


def test_a_visitor_reads_what_it_is_and_how_to_come_in(client: Client, db: None) -> None:
    page = client.get("/").content.decode()
    assert "/accounts/login/" in page
    assert "/accounts/signup/" in page


@pytest.mark.parametrize("signup", ["closed", "invitation"])
def test_no_account_is_offered_where_none_is_given(
    client: Client, db: None, settings: Settings, signup: str
) -> None:
    settings.MEMSITE_SIGNUP = signup
    assert "/accounts/signup/" not in client.get("/").content.decode()


def test_a_newcomer_reads_what_is_kept_and_how_to_stop_it(alice_browser: Client) -> None:
    page = alice_browser.get("/").content.decode()
    assert "How to stop it" in page
    assert "/settings/memory/" in page


def test_the_overview_shows_counts_and_the_newest(
    alice: User, alice_browser: Client, remembered: Remember
) -> None:
    remembered(alice, "Keeps bees on the roof.")
    page = alice_browser.get("/").content.decode()
    assert "Keeps bees on the roof." in page
    assert "How to stop it" not in page


def test_the_overview_shows_nothing_of_others(bob: User, alice_browser: Client, remembered: Remember) -> None:
    remembered(bob, "Keeps bees on the roof.")
    assert "bees" not in alice_browser.get("/").content.decode()


def test_the_overview_asks_as_much_for_many_as_for_one(
    alice: User,
    alice_browser: Client,
    remembered: Remember,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    for number in range(12):
        remembered(alice, f"Owns book number {number}.")
    with django_assert_max_num_queries(11):  # one of them for the banner of a deletion
        alice_browser.get("/")
