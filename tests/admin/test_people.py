"""Staff who may change people cannot make themselves more than they are."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import Group, Permission
from django.test import Client

from memsite.accounts.models import Invitation, User

FORM = {"username": "renamed", "date_joined_0": "2026-01-01", "date_joined_1": "00:00", "is_active": "on"}


@pytest.fixture
def dana(db: None) -> User:
    """Staff with the permissions of people and groups, but no superuser."""
    dana = User.objects.create_user("dana", password="dana-secret-1", is_staff=True)
    names = [f"{act}_{model}" for act in ("add", "change", "view") for model in ("user", "group")]
    dana.user_permissions.set(Permission.objects.filter(codename__in=names))
    return dana


@pytest.fixture
def dana_browser(dana: User) -> Client:
    client = Client()
    client.force_login(dana)
    return client


def change(client: Client, person: User, **fields: Any) -> int:
    return client.post(f"/admin/accounts/user/{person.pk}/change/", {**FORM, **fields}).status_code


def test_staff_cannot_make_themselves_superuser(dana: User, dana_browser: Client) -> None:
    permission = Permission.objects.get(codename="delete_user")
    change(dana_browser, dana, is_superuser="on", is_staff="on", user_permissions=[permission.pk])
    dana.refresh_from_db()
    assert (dana.username, dana.is_superuser) == ("renamed", False)
    assert not dana.user_permissions.filter(pk=permission.pk).exists()


def test_staff_cannot_join_a_group(dana: User, dana_browser: Client) -> None:
    change(dana_browser, dana, groups=[Group.objects.create(name="administrators").pk])
    dana.refresh_from_db()
    assert (dana.username, dana.groups.count()) == ("renamed", 0)


def test_invitation_of_staff_makes_no_staff(dana: User, dana_browser: Client) -> None:
    dana.user_permissions.add(Permission.objects.get(codename="add_invitation"))
    dana_browser.post("/admin/accounts/invitation/add/", {"makes_staff": "on"})
    assert list(Invitation.objects.values_list("makes_staff", flat=True)) == [False]


def test_staff_cannot_change_a_superuser(charlie: User, dana_browser: Client) -> None:
    assert change(dana_browser, charlie, email="dana@example.org") == 403
    assert User.objects.get(pk=charlie.pk).username == "charlie"


def test_staff_cannot_change_an_email_address(alice: User, dana_browser: Client) -> None:
    change(dana_browser, alice, email="dana@example.org")
    alice.refresh_from_db()
    assert (alice.username, alice.email) == ("renamed", "")


@pytest.mark.parametrize("person", ["alice", "charlie"])
def test_staff_cannot_set_a_password(
    person: str, request: pytest.FixtureRequest, dana_browser: Client
) -> None:
    user: User = request.getfixturevalue(person)
    form = {"password1": "long-enough-9", "password2": "long-enough-9", "usable_password": "true"}
    assert dana_browser.post(f"/admin/accounts/user/{user.pk}/password/", form).status_code == 403
    assert not User.objects.get(pk=user.pk).check_password("long-enough-9")


def test_page_of_a_person_shows_staff_no_password(alice: User, dana_browser: Client) -> None:
    page = dana_browser.get(f"/admin/accounts/user/{alice.pk}/change/").content.decode()
    assert alice.password not in page
    assert "/password/" not in page


def test_staff_cannot_write_permissions_into_a_group(dana: User, dana_browser: Client) -> None:
    group = Group.objects.create(name="readers")
    dana.groups.add(group)
    permission = Permission.objects.get(codename="delete_user")
    form = {"name": "readers", "permissions": [permission.pk]}
    assert dana_browser.post(f"/admin/auth/group/{group.pk}/change/", form).status_code == 403
    assert not group.permissions.exists()


def test_superuser_changes_permissions_and_addresses(alice: User, charlie_browser: Client) -> None:
    change(charlie_browser, alice, email="alice@example.org", is_staff="on")
    alice.refresh_from_db()
    assert (alice.email, alice.is_staff) == ("alice@example.org", True)
