"""From the person's answer to tokens: what is asked, what is refused, what the answer holds."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

import pytest
import time_machine
from django.test import Client
from django.utils import timezone
from oauth2_provider.models import AccessToken, Application, Grant, RefreshToken

from memsite.accounts.models import AuditEntry, ConnectedProgram, User
from memsite.accounts.oauth import recognise_token
from memsite.errors import NotAuthenticated
from tests.accounts.oauth.connecting import CALLBACK, RESOURCE, SITE, VERIFIER, Program, register


def test_consent_names_the_program_its_redirect_and_the_scopes(program: Program) -> None:
    page = program.browser.get(program.ask()).content.decode()
    assert "Connect Claude?" in page
    assert "Not verified" in page
    assert "claude.example" in page
    assert 'name="read_only"' in page


@pytest.mark.parametrize(
    ("scope", "named", "other"), [("read", "Read: ", "Write: "), ("write", "Write: ", "Read: ")]
)
def test_consent_names_only_what_is_requested(scope: str, named: str, other: str, program: Program) -> None:
    page = program.browser.get(program.ask(scope=scope)).content.decode()
    assert named in page
    assert other not in page


def test_consent_lets_the_redirect_through_and_nobody_frame_it(program: Program) -> None:
    response: Any = program.browser.get(program.ask())
    rules = response["Content-Security-Policy"]
    assert "form-action 'self' https:" in rules
    assert "frame-ancestors 'none'" in rules
    assert "no-store" in response["Cache-Control"]


@pytest.mark.parametrize(
    ("redirect", "source"),
    [
        ("http://127.0.0.1:33418/", "http://127.0.0.1:33418"),
        ("http://[::1]:33418/", "http:"),
        ("cursor://anysphere.cursor-mcp/oauth/callback", "cursor:"),
    ],
)
def test_form_may_lead_to_an_app_on_the_computer(redirect: str, source: str, alice_browser: Client) -> None:
    client_id = json.loads(register(redirect_uris=[redirect]).content)["client_id"]
    response: Any = alice_browser.get(Program(client_id, alice_browser, redirect).ask())
    assert f"form-action 'self' {source} https:" in response["Content-Security-Policy"]
    assert "on this computer" in response.content.decode() or "This computer" in response.content.decode()


def test_answer_holds_code_state_and_issuer(program: Program, alice: User) -> None:
    answer = program.answer()
    assert answer["state"] == "s t/1"
    assert answer["iss"] == SITE
    assert set(answer) == {"code", "state", "iss"}
    entry = AuditEntry.objects.get(owner=alice, act="connect program")
    assert entry.subject_ids == [ConnectedProgram.objects.get(owner=alice).pk]


def test_refusal_holds_state_and_issuer_and_connects_nothing(program: Program) -> None:
    answer = program.answer(answer="deny")
    assert answer.items() >= {"error": "access_denied", "state": "s t/1", "iss": SITE}.items()
    assert not ConnectedProgram.objects.exists()
    assert not Grant.objects.exists()


def test_person_who_signed_in_long_ago_confirms_it_first_and_comes_back(program: Program) -> None:
    with time_machine.travel(timezone.now() + timedelta(minutes=6)):
        asked: Any = program.browser.post(program.ask(), {"answer": "allow"})
        assert asked["Location"].startswith("/accounts/reauthenticate/?next=%2Foauth%2Fauthorize")
        assert program.browser.get(program.ask())["Location"] == asked["Location"]
        back: Any = program.browser.post(asked["Location"], {"password": "alice-secret-1"})
        assert "Connect Claude?" in program.browser.get(back["Location"]).content.decode()
        assert program.answer()["code"]


def test_person_who_signed_in_long_ago_may_refuse(program: Program) -> None:
    with time_machine.travel(timezone.now() + timedelta(minutes=6)):
        assert program.answer(answer="deny")["error"] == "access_denied"


def test_visitor_signs_in_first_and_comes_back(program: Program) -> None:
    response: Any = Client().get(program.ask())
    assert response["Location"].startswith("/accounts/login/?next=/oauth/authorize")


def test_code_gives_an_hour_and_thirty_days(program: Program, alice: User) -> None:
    tokens = program.connect()
    assert (tokens["expires_in"], tokens["token_type"], tokens["scope"]) == (3600, "Bearer", "read write")
    caller = recognise_token(tokens["access_token"])
    assert (caller.owner, caller.name, caller.scopes) == (alice, "Claude", ("read", "write"))


def test_person_may_tick_read_only(program: Program) -> None:
    tokens = program.connect(read_only="1")
    assert tokens["scope"] == "read"
    assert recognise_token(tokens["access_token"]).scopes == ("read",)
    assert program.refresh(tokens["refresh_token"], scope="read write").json()["error"] == "invalid_scope"


@pytest.mark.parametrize(
    ("scope", "granted"), [("read", "read"), ("openid read admin", "read"), (None, "read write")]
)
def test_only_what_exists_is_granted(scope: str | None, granted: str, program: Program) -> None:
    assert program.connect(scope=scope)["scope"] == granted


def test_secrets_are_stored_as_hashes(program: Program) -> None:
    code = program.answer()["code"]
    assert not Grant.objects.filter(code=code).exists()
    tokens = program.redeem(code).json()
    stored = [
        *AccessToken.objects.values_list("token", flat=True),
        *RefreshToken.objects.values_list("token", flat=True),
    ]
    assert stored == ["", ""]
    assert tokens["access_token"]


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"code_challenge": None, "code_challenge_method": None}, "invalid_request"),
        ({"code_challenge_method": None}, "invalid_request"),
        ({"code_challenge_method": "plain"}, "invalid_request"),
        ({"code_challenge": "x" * 300}, "invalid_request"),
        ({"response_type": "token"}, "unsupported_response_type"),
        ({"scope": "admin"}, "invalid_scope"),
        *(
            ({"resource": resource}, "invalid_target")
            for resource in (
                *("https://other.example/mcp", f"{RESOURCE}-evil", SITE, f"{RESOURCE}/x", "mcp"),
                [RESOURCE, "https://other.example/mcp"],
            )
        ),
    ],
)
def test_invalid_request_is_told_to_the_program(
    changes: dict[str, Any], error: str, program: Program
) -> None:
    for method in ("get", "post"):
        response: Any = getattr(program.browser, method)(program.ask(**changes))
        assert response.status_code == 302
        assert response["Location"].startswith(f"{CALLBACK}?")
        assert f"error={error}" in response["Location"]
        assert "iss=" in response["Location"]
        assert "state=" in response["Location"]


@pytest.mark.parametrize(
    "changes",
    [
        *({"redirect_uri": f"{CALLBACK}{end}"} for end in ("/", "x", "?a=1", "#x", ";a", "/../evil")),
        {"redirect_uri": "https://evil.example/cb"},
        {"redirect_uri": "https://claude.example.evil.example/api/mcp/auth_callback"},
        {"redirect_uri": "http://claude.example/api/mcp/auth_callback"},
        {"redirect_uri": [CALLBACK, "https://evil.example/"]},
        *({"client_id": client_id} for client_id in ("", "unknown", "a\x00b", None)),
    ],
)
def test_nobody_is_sent_to_an_address_that_was_not_registered(
    changes: dict[str, Any], program: Program
) -> None:
    for method in ("get", "post"):
        response: Any = getattr(program.browser, method)(program.ask(**changes), {"answer": "allow"})
        assert response.status_code == 400
        assert "evil" not in response.headers.get("Location", "")
        assert "cannot connect" in response.content.decode() or method == "post"


def test_address_that_is_badly_escaped_is_refused(program: Program) -> None:
    assert program.browser.get(f"{program.ask()}&x=%zz").status_code == 400


@pytest.mark.parametrize("port", ["", ":1", ":33418", ":65535"])
@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]"])
def test_loopback_takes_any_port(host: str, port: str, alice_browser: Client) -> None:
    client_id = json.loads(register(redirect_uris=[f"http://{host}/callback"]).content)["client_id"]
    assert Program(client_id, alice_browser, f"http://{host}{port}/callback").connect()["access_token"]


def test_answer_needs_the_token_of_the_form(program: Program) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = program.browser.cookies
    assert strict.post(program.ask(), {"answer": "allow"}).status_code == 403


@pytest.mark.parametrize(
    "changes",
    [
        *({"code_verifier": verifier} for verifier in ("", "wrong" * 10, f"{VERIFIER}x", VERIFIER[:-1])),
        {"redirect_uri": f"{CALLBACK}/other"},
        {"code": "another"},
        {"resource": "https://other.example/mcp"},
        {"resource": f"{RESOURCE}-evil"},
        {"grant_type": "client_credentials"},
        {"grant_type": "password"},
        {"grant_type": "urn:ietf:params:oauth:grant-type:device_code", "device_code": "x"},
    ],
)
def test_code_is_redeemed_only_as_it_was_requested(changes: dict[str, Any], program: Program) -> None:
    code = program.answer()["code"]
    requested = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": CALLBACK,
        "code_verifier": VERIFIER,
    }
    assert program.post(**requested | changes).status_code == 400
    assert not AccessToken.objects.exists()


def test_code_of_another_program_is_worth_nothing(program: Program, bob_browser: Client) -> None:
    other = Program(json.loads(register().content)["client_id"], bob_browser)
    assert other.redeem(program.answer()["code"]).json()["error"] == "invalid_grant"


def test_replayed_code_ends_what_it_began(program: Program) -> None:
    code = program.answer()["code"]
    tokens = program.redeem(code).json()
    assert program.redeem(code).json()["error"] == "invalid_grant"
    with pytest.raises(NotAuthenticated):
        recognise_token(tokens["access_token"])
    assert program.refresh(tokens["refresh_token"]).status_code == 400


def test_expired_code_is_worth_nothing(program: Program) -> None:
    code = program.answer()["code"]
    Grant.objects.update(expires="2020-01-01T00:00Z")
    assert program.redeem(code).json()["error"] == "invalid_grant"


def test_deleted_registration_is_invalid_client(program: Program) -> None:
    tokens = program.connect()
    Application.objects.get().delete()
    response = program.refresh(tokens["refresh_token"])
    assert (response.status_code, response.json()["error"]) == (401, "invalid_client")


def test_callback_of_the_program_is_the_one_it_registered(program: Program) -> None:
    response: Any = program.browser.post(program.ask(redirect_uri=None), {"answer": "allow"})
    assert urlsplit(response["Location"]).netloc == "claude.example"
