"""How programs become known: by registering themselves, or by a document that they publish."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client
from oauth2_provider.models import Application
from pytest_django import Settings

from tests.accounts.oauth.connecting import CALLBACK, DocumentServer, Program, register

CURSOR = [
    "cursor://anysphere.cursor-mcp/oauth/callback",
    "https://www.cursor.com/agents/mcp/oauth/callback",
    "http://localhost:8787/callback",
]
#: Documents in the form in which the programs publish theirs.
DOCUMENTS: dict[str, dict[str, Any]] = {
    "VS Code": {
        "grant_types": [
            "authorization_code",
            "refresh_token",
            "urn:ietf:params:oauth:grant-type:device_code",
        ],
        "token_endpoint_auth_method": "none",
        "redirect_uris": ["http://127.0.0.1:33418/", "https://vscode.example/redirect"],
    },
    "Claude": {
        "grant_types": [
            *("authorization_code", "refresh_token"),
            "urn:ietf:params:oauth:grant-type:jwt-bearer",
        ],
        "token_endpoint_auth_method": "none",
        "redirect_uris": [CALLBACK],
    },
    "ChatGPT": {
        "grant_types": ["authorization_code", "refresh_token"],
        "token_endpoint_auth_method": "private_key_jwt",
        "token_endpoint_auth_methods_supported": ["private_key_jwt", "none"],
        "jwks_uri": "https://chatgpt.example/jwks.json",
        "redirect_uris": ["https://chatgpt.example/connector/oauth/abc"],
    },
    "Cursor": {"redirect_uris": CURSOR},
}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_program_connects_by_its_document(
    name: str, document_server: DocumentServer, alice_browser: Client
) -> None:
    document = DOCUMENTS[name]
    client_id = document_server.publish("/client.json", client_name=name, **document)
    program = Program(client_id, alice_browser, document["redirect_uris"][0])
    assert f"Connect {name}?" in alice_browser.get(program.ask()).content.decode()
    assert program.connect()["scope"] == "read write"
    assert document_server.requests == ["/client.json"]


@pytest.mark.parametrize("name", DOCUMENTS)
def test_program_registers_itself_with_the_same_metadata(name: str, alice_browser: Client) -> None:
    document = DOCUMENTS[name]
    answer = json.loads(register(**document).content)
    assert answer["grant_types"] == ["authorization_code", "refresh_token"]
    assert answer["token_endpoint_auth_method"] == "none"
    assert "client_secret" not in answer
    program = Program(answer["client_id"], alice_browser, document["redirect_uris"][0])
    assert program.connect()["token_type"] == "Bearer"


@pytest.mark.parametrize("method", ["client_secret_post", "client_secret_basic", None])
def test_confidential_program_needs_its_secret(method: str | None, alice_browser: Client) -> None:
    answer = json.loads(register(token_endpoint_auth_method=method).content)
    program = Program(answer["client_id"], alice_browser)
    code = program.answer()["code"]
    assert program.redeem(code).json()["error"] == "invalid_client"
    assert program.redeem(code, client_secret="wrong").status_code == 401
    assert program.redeem(code, client_secret=answer["client_secret"]).status_code == 200
    assert answer["client_secret"] not in Application.objects.get().client_secret


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"redirect_uris": None}, "invalid_redirect_uri"),
        ({"redirect_uris": []}, "invalid_redirect_uri"),
        ({"redirect_uris": CALLBACK}, "invalid_redirect_uri"),
        ({"redirect_uris": [CALLBACK] * 21}, "invalid_redirect_uri"),
        *(
            ({"redirect_uris": [CALLBACK, uri]}, "invalid_redirect_uri")
            for uri in (
                *(
                    "http://evil.example/cb",
                    "javascript:alert(1)",
                    "data:text/html,x",
                    "vscode://cb",
                    "cursor:",
                ),
                *("https://a@evil.example/", "https://evil.example/#x", "https://", "https:///cb", "/cb", ""),
                *(
                    "http://localhost.evil.example/",
                    "http://127.0.0.1@evil.example/",
                    "https://e.example/\\@x",
                ),
                *("https://a.example/ b", "https://a.example/\n", "http://[::1/", "https://*.example.org/"),
            )
        ),
        ({"grant_types": ["client_credentials"]}, "invalid_client_metadata"),
        ({"grant_types": ["refresh_token"]}, "invalid_client_metadata"),
        ({"grant_types": "authorization_code"}, "invalid_client_metadata"),
        ({"token_endpoint_auth_method": "private_key_jwt"}, "invalid_client_metadata"),
        ({"token_endpoint_auth_method": 7}, "invalid_client_metadata"),
        ({"client_name": ["x"]}, "invalid_client_metadata"),
    ],
)
def test_invalid_registration_is_refused(changes: dict[str, Any], error: str) -> None:
    response = register(**changes)
    assert (response.status_code, json.loads(response.content)["error"]) == (400, error)
    assert not Application.objects.exists()


@pytest.mark.parametrize("body", ["", "[]", "{", "null", '{"a": "\\ud800"}', "x" * 70_000])
def test_body_that_is_no_object_is_refused(body: str) -> None:
    response = Client().post("/oauth/register", body, content_type="application/json")
    assert response.status_code == 400


def test_name_loses_what_could_hide_or_reorder_text() -> None:
    answer = json.loads(register(client_name=" Cl\u202eaude\n\x00 " + "x" * 500).content)
    assert answer["client_name"].startswith("Cl aude xxx")
    assert len(answer["client_name"]) == 100


def test_one_address_registers_twenty_programs_an_hour() -> None:
    assert [register().status_code for _ in range(20)] == [201] * 20
    refused = register()
    assert refused.status_code == 429
    assert int(refused["Retry-After"]) > 0


@pytest.mark.parametrize(
    "client_id",
    [
        *("https://127.0.0.1/client.json", "https://localhost/client.json", "https://[::1]/c.json"),
        *("https://169.254.169.254/latest/", "https://10.0.0.7/c.json", "https://[::ffff:127.0.0.1]/c.json"),
        *("https://[64:ff9b::7f00:1]/c.json", "https://0.0.0.0/c.json", "https://2130706433/c.json"),
    ],
)
def test_document_at_a_private_address_is_not_fetched(
    client_id: str, alice_browser: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def connect(*_arguments: object, **_keywords: object) -> None:
        raise AssertionError("connected")

    monkeypatch.setattr("socket.socket.connect", connect)
    monkeypatch.setattr("urllib3.util.connection.create_connection", connect)
    assert alice_browser.get(Program(client_id, alice_browser).ask()).status_code == 400


def test_document_on_loopback_needs_the_operators_word(
    document_server: DocumentServer, alice_browser: Client, settings: Settings
) -> None:
    client_id = document_server.publish("/client.json", **DOCUMENTS["Claude"])
    settings.MEMSITE_OAUTH_HOSTS = []
    assert alice_browser.get(Program(client_id, alice_browser).ask()).status_code == 400
    assert document_server.requests == []


@pytest.mark.parametrize(
    "served",
    [
        (
            200,
            "application/json",
            b'{"client_id": "https://other.example/", "redirect_uris": ["https://a.example/"]}',
        ),
        (200, "text/html", b"<html>"),
        (200, "application/json", b"{" + b" " * 20_000 + b"}"),
        (200, "application/json", b"[" * 16_000),
        (302, "application/json", b"https://elsewhere.example/client.json"),
        (500, "application/json", b"{}"),
    ],
)
def test_bad_document_is_refused(
    served: tuple[int, str, bytes], document_server: DocumentServer, alice_browser: Client
) -> None:
    client_id = document_server.publish("/client.json")
    document_server.documents["/client.json"] = served
    page = alice_browser.get(Program(client_id, alice_browser).ask())
    assert page.status_code == 400
    assert document_server.requests == ["/client.json"]


@pytest.mark.parametrize(
    "client_id",
    [
        "https://clаude.ai/client.json",  # a Cyrillic letter
        "https://clàude.ai/client.json",
        "https://claude.ai\\.evil.example/client.json",
        "https://claude.ai\u202e.evil.example/client.json",
        "https://claude.ai.evil.example/" + "a" * 1000,
    ],
)
def test_document_whose_host_could_be_mistaken_is_refused(
    client_id: str, alice_browser: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("socket.getaddrinfo", lambda *_a, **_k: pytest.fail("it looked the host up"))
    assert alice_browser.get(Program(client_id, alice_browser).ask()).status_code == 400


def test_nobody_but_a_signed_in_person_causes_a_fetch(document_server: DocumentServer) -> None:
    client_id = document_server.publish("/client.json", **DOCUMENTS["Claude"])
    stranger = Program(client_id, Client())
    assert "/accounts/login/" in stranger.browser.get(stranger.ask())["Location"]
    assert stranger.redeem("any").json()["error"] == "invalid_client"
    assert document_server.requests == []
