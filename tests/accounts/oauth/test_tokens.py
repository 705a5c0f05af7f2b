"""Tokens in use: rotation, reuse, revocation, other resources, other people; and connected programs."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from oauth2_provider.models import AccessToken, Application, Grant, RefreshToken
from pytest_django import Settings

from memsite.accounts.deletion import delete_person
from memsite.accounts.models import AuditEntry, ConnectedProgram, User
from memsite.accounts.oauth import list_programs, prune_registrations, recognise_token
from memsite.errors import NotAuthenticated
from tests.accounts.oauth.connecting import RESOURCE, Program, register


def is_refused(token: str) -> bool:
    try:
        recognise_token(token)
    except NotAuthenticated:
        return True
    return False


def test_refresh_rotates_both_tokens(program: Program) -> None:
    first = program.connect()
    second = program.refresh(first["refresh_token"]).json()
    assert second["refresh_token"] != first["refresh_token"]
    assert is_refused(first["access_token"])
    assert recognise_token(second["access_token"]).scopes == ("read", "write")


def test_reused_refresh_token_ends_the_whole_line(program: Program) -> None:
    first = program.connect()
    second = program.refresh(first["refresh_token"]).json()
    assert program.refresh(first["refresh_token"]).json()["error"] == "invalid_grant"
    assert is_refused(second["access_token"])
    assert program.refresh(second["refresh_token"]).status_code == 400


def test_refresh_token_of_another_program_is_worth_nothing(program: Program, bob_browser: Client) -> None:
    other = Program(json.loads(register().content)["client_id"], bob_browser)
    assert other.refresh(program.connect()["refresh_token"]).json()["error"] == "invalid_grant"


@pytest.mark.parametrize("resource", ["https://other.example/mcp", f"{RESOURCE}-evil"])
def test_refresh_keeps_the_resource(resource: str, program: Program) -> None:
    tokens = program.connect()
    assert program.refresh(tokens["refresh_token"], resource=resource).json()["error"] == "invalid_target"
    assert recognise_token(program.refresh(tokens["refresh_token"]).json()["access_token"])


def test_token_without_a_resource_is_refused(program: Program) -> None:
    tokens = program.connect(resource=None)
    assert is_refused(tokens["access_token"])
    assert is_refused(program.refresh(tokens["refresh_token"]).json()["access_token"])


@pytest.mark.parametrize(
    "resource",
    [[], ["https://memory.example.org"], [f"{RESOURCE}-evil"], [RESOURCE, "https://other.example/"]],
)
def test_token_for_anything_else_is_refused(resource: list[str], program: Program) -> None:
    tokens = program.connect()
    AccessToken.objects.update(resource=resource)
    assert is_refused(tokens["access_token"])


@pytest.mark.parametrize("token", ["", "x", "msk_abc", "\x00", "\ud800", "a" * 100_000])
def test_unknown_token_is_refused(token: str) -> None:
    assert is_refused(token)


def test_expired_token_is_refused(program: Program) -> None:
    tokens = program.connect()
    AccessToken.objects.update(expires=timezone.now())
    assert is_refused(tokens["access_token"])


def test_refresh_token_ends_thirty_days_after_its_last_use(program: Program) -> None:
    tokens = program.connect()
    AccessToken.objects.update(expires=timezone.now() - timedelta(days=30, seconds=1))
    assert program.refresh(tokens["refresh_token"]).json()["error"] == "invalid_grant"


def test_person_who_may_not_sign_in_has_no_programs(program: Program, alice: User) -> None:
    tokens, code = program.connect(), program.answer()["code"]
    User.objects.update(is_active=False)
    assert is_refused(tokens["access_token"])
    assert program.refresh(tokens["refresh_token"]).status_code == 400
    assert program.redeem(code).status_code == 400


def test_token_is_nothing_where_there_is_no_oauth(program: Program, settings: Settings) -> None:
    tokens = program.connect()
    settings.MEMSITE_PUBLIC_URL = "http://memory.lan"
    assert is_refused(tokens["access_token"])


def test_token_is_no_key_of_the_api(program: Program) -> None:
    access = program.connect()["access_token"]
    response = Client().get("/api/memories", headers={"Authorization": f"Bearer {access}"})
    assert response.status_code == 401


def test_program_gives_its_token_back(program: Program) -> None:
    tokens = program.connect()
    given = {"token": tokens["refresh_token"], "client_id": program.client_id}
    assert program.backend.post("/oauth/revoke", given).status_code == 200
    assert is_refused(tokens["access_token"])
    assert program.refresh(tokens["refresh_token"]).status_code == 400


def test_settings_list_a_program_and_its_last_use(program: Program, alice: User) -> None:
    assert list_programs(owner=alice.pk) == []
    tokens = program.connect(read_only="1")
    (line,) = list_programs(owner=alice.pk)
    assert (line.name, line.host, line.scopes, line.last_used_at) == (
        "Claude",
        "claude.example",
        ("read",),
        None,
    )
    recognise_token(tokens["access_token"])
    assert list_programs(owner=alice.pk)[0].last_used_at is not None
    page = program.browser.get("/settings/programs/").content.decode()
    assert "Connected programs" in page
    assert "claude.example" in page


def test_revoking_ends_a_program_at_once(program: Program, alice: User) -> None:
    tokens, code = program.connect(), program.answer()["code"]
    (line,) = list_programs(owner=alice.pk)
    response: Any = program.browser.post(f"/settings/programs/{line.id}/disconnect/", follow=True)
    assert "is disconnected" in response.content.decode()
    assert is_refused(tokens["access_token"])
    assert program.refresh(tokens["refresh_token"]).json()["error"] == "invalid_grant"
    assert program.redeem(code).json()["error"] == "invalid_grant"
    assert list_programs(owner=alice.pk) == []
    assert AuditEntry.objects.get(owner=alice, act="disconnect program").subject_ids == [line.id]


def test_token_without_a_connection_is_refused(program: Program, alice: User) -> None:
    tokens, code = program.connect(), program.answer()["code"]
    ConnectedProgram.objects.filter(owner=alice).delete()
    assert is_refused(tokens["access_token"])
    assert program.redeem(code).status_code == program.refresh(tokens["refresh_token"]).status_code == 400


def test_programs_of_two_people_do_not_mix(
    program: Program, bob: User, bob_browser: Client, alice: User
) -> None:
    other = Program(program.client_id, bob_browser)
    of_alice, of_bob = program.connect(), other.connect()
    assert recognise_token(of_bob["access_token"]).owner == bob
    (line,) = list_programs(owner=alice.pk)
    assert bob_browser.post(f"/settings/programs/{line.id}/disconnect/").status_code == 404
    program.browser.post(f"/settings/programs/{line.id}/disconnect/")
    assert is_refused(of_alice["access_token"])
    assert recognise_token(of_bob["access_token"]).owner == bob


def test_deleting_a_person_deletes_tokens_codes_and_connections(program: Program, alice: User) -> None:
    tokens = program.connect()
    program.answer()
    delete_person(alice)
    for model in (AccessToken, RefreshToken, Grant, ConnectedProgram):
        assert not model.objects.exists()
    assert is_refused(tokens["access_token"])


def test_schedule_deletes_registrations_that_nobody_used_for_thirty_days(program: Program) -> None:
    program.connect()
    unused = json.loads(register().content)["client_id"]
    Application.objects.update(created=timezone.now() - timedelta(days=31))
    register()
    assert prune_registrations() == 1
    assert not Application.objects.filter(client_id=unused).exists()
    assert Application.objects.count() == 2


def test_program_unused_for_thirty_days_goes_with_its_connections(program: Program) -> None:
    program.connect()
    long_ago = timezone.now() - timedelta(days=31)
    Application.objects.update(created=long_ago)
    AccessToken.objects.update(expires=long_ago)
    assert prune_registrations() == 1
    assert not ConnectedProgram.objects.exists()


def test_number_of_queries_does_not_depend_on_the_number_of_programs(
    program: Program, alice: User, django_assert_max_num_queries: Any
) -> None:
    for _ in range(3):
        Program(json.loads(register().content)["client_id"], program.browser).connect()
    with django_assert_max_num_queries(2):
        assert len(list_programs(owner=alice.pk)) == 3


def test_no_code_or_token_is_logged(program: Program, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG", logger="memsite")
    code = program.answer()["code"]
    tokens = program.redeem(code).json()
    program.refresh(tokens["refresh_token"])
    recorded = " ".join(record.getMessage() for record in caplog.records)
    assert "/oauth/token" in recorded
    assert not any(secret in recorded for secret in (code, tokens["access_token"], tokens["refresh_token"]))
