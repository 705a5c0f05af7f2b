"""A name cannot pass for another's, or for an application's end user."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.test import Client

from memsite.accounts.applications import create_application, get_end_user
from memsite.accounts.models import User
from memsite.accounts.names import check_username

ID = "0190a0a000007000800000000000abcd"


@pytest.mark.parametrize(
    ("name", "code"),
    [
        (f"app-{ID}-0123456789abcdef", "reserved"),
        (f"APP-{ID.upper()}-x", "reserved"),
        ("ａlice", "not_normalised"),
        ("аlice", "mixed_scripts"),  # its first letter is Cyrillic
        ("αlice", "mixed_scripts"),
        ("аіісе", "confusable"),  # all Cyrillic
        ("ТОМ", "confusable"),
    ],
)
def test_name_that_passes_for_another_is_refused(name: str, code: str) -> None:
    with pytest.raises(ValidationError) as refused:
        check_username(name)
    assert refused.value.code == code


@pytest.mark.parametrize(
    "name",
    [
        "alice",
        "Ängström",
        "антон",
        "Νίκος",
        "小明",
        "小明_dev",
        "たなかさん",
        "김민수",
        "app-store",
        "a.b@c+1",
    ],
)
def test_ordinary_name_of_any_script_is_taken(name: str) -> None:
    check_username(name)


def test_sign_up_says_why_a_name_is_refused(client: Client, db: None) -> None:
    form = {"username": "аlice", "password1": "long-enough-9", "password2": "long-enough-9"}
    assert "mix letters" in client.post("/accounts/signup/", form).content.decode()
    assert not User.objects.exists()


@pytest.mark.django_db
def test_create_user_refuses_the_name_of_an_end_user() -> None:
    with pytest.raises(CommandError, match="reserved"):
        call_command("create_user", f"app-{ID}-1", password="long-enough-1")


def test_end_user_is_made_although_somebody_has_its_name(alice: User) -> None:
    application = create_application(alice, "diary")
    taken = get_end_user(application, "dora").username
    User.objects.filter(external_id="dora").delete()
    User.objects.create_user(taken)
    assert get_end_user(application, "dora").external_id == "dora"
