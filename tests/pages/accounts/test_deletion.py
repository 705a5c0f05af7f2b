"""A person deletes the own account, with everything in it."""

from __future__ import annotations

from django.test import Client

from memories.models import Memory
from memsite.accounts.applications import create_application, get_end_user
from memsite.accounts.models import User
from memsite.jobs.models import Job
from tests.pages.conftest import Remember, Say

PAGE = "/settings/delete/"


def test_everything_of_the_person_goes(
    alice: User, bob: User, alice_browser: Client, remembered: Remember, thread_saying: Say
) -> None:
    remembered(alice, "Plays the cello.")
    remembered(bob, "Plays the oboe.")
    thread_saying(alice, "I keep bees in the garden.")
    remembered(get_end_user(create_application(alice, "diary"), "dora"), "Dora keeps bees.")
    assert alice_browser.post(PAGE, {"name": "alice"})["Location"] == "/"
    assert list(User.objects.values_list("username", flat=True)) == ["bob"]
    assert set(Memory.objects.values_list("owner", flat=True)) == {bob.pk}
    assert not Job.objects.filter(owner_id=alice.pk).exists()
    assert alice_browser.get("/memories/").status_code == 302


def test_another_name_deletes_nothing(alice: User, alice_browser: Client) -> None:
    assert alice_browser.post(PAGE, {"name": "bob"}).status_code == 400
    assert User.objects.filter(pk=alice.pk).exists()


def test_password_is_asked_for_once_more(alice: User, client: Client) -> None:
    client.force_login(alice)
    assert client.post(PAGE, {"name": "alice"})["Location"].startswith("/accounts/reauthenticate/")
    assert User.objects.filter(pk=alice.pk).exists()


def test_only_administrator_stays(charlie: User, charlie_browser: Client) -> None:
    assert charlie_browser.post(PAGE, {"name": "charlie"}).status_code == 409
    assert User.objects.filter(pk=charlie.pk).exists()
