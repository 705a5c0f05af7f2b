"""create_user and issue_key, from the shell."""

from __future__ import annotations

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from memsite.accounts.models import User


@pytest.mark.django_db
def test_create_user_makes_an_account_that_can_sign_in() -> None:
    call_command("create_user", "dora", password="long-enough-1")
    assert Client().login(username="dora", password="long-enough-1")
    assert not User.objects.get(username="dora").is_staff


@pytest.mark.django_db
def test_create_user_with_staff_makes_an_administrator() -> None:
    call_command("create_user", "dora", password="long-enough-1", staff=True)
    assert User.objects.get(username="dora").is_superuser


def test_create_user_says_when_the_name_is_taken(alice: User) -> None:
    for name in ("alice", "Alice"):
        with pytest.raises(CommandError, match="exists"):
            call_command("create_user", name, password="long-enough-1")


def test_create_user_says_when_the_address_is_taken(alice: User) -> None:
    User.objects.filter(pk=alice.pk).update(email="alice@example.org")
    with pytest.raises(CommandError, match="e-mail address exists"):
        call_command("create_user", "dora", password="long-enough-1", email="Alice@example.org")


@pytest.mark.parametrize("password", ["1", "password", "31415926535"])
def test_create_user_refuses_a_weak_password(db: None, password: str) -> None:
    with pytest.raises(CommandError, match="password"):
        call_command("create_user", "dora", password=password)
    assert not User.objects.exists()


def test_last_line_of_issue_key_is_a_key_that_works(alice: User, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("issue_key", "alice", scopes="read")
    key = capsys.readouterr().out.splitlines()[-1]
    client = Client(headers={"Authorization": f"Bearer {key}"})
    assert client.get("/api/memories").status_code == 200
    assert client.post("/api/memories", {}).status_code == 403


@pytest.mark.parametrize(("name", "scopes"), [("nobody", "read"), ("alice", "everything"), ("alice", "")])
def test_issue_key_says_what_is_wrong(alice: User, name: str, scopes: str) -> None:
    with pytest.raises(CommandError):
        call_command("issue_key", name, scopes=scopes)
