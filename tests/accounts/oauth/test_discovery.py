"""What programs find out before they ask: metadata, where there is OAuth, and the resource."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from memsite.accounts.oauth.discovery import is_our_resource, make_challenge
from tests.accounts.oauth.connecting import RESOURCE, SITE

ADDRESSES = (
    "/.well-known/oauth-protected-resource",
    "/.well-known/oauth-protected-resource/mcp",
    "/.well-known/oauth-authorization-server",
    "/.well-known/oauth-authorization-server/mcp",
    "/.well-known/openid-configuration",
    "/oauth/authorize",
    "/oauth/token",
    "/oauth/register",
    "/oauth/revoke",
)


@pytest.mark.parametrize("path", ADDRESSES[:2])
def test_resource_names_its_authorization_server(path: str) -> None:
    response = Client().get(path)
    assert response.json()["resource"] == RESOURCE
    assert response.json()["authorization_servers"] == [SITE]
    assert response["Access-Control-Allow-Origin"] == "*"


@pytest.mark.parametrize("path", ADDRESSES[2:5])
def test_server_offers_documents_public_clients_and_s256_alone(path: str) -> None:
    found = Client().get(path).json()
    assert found["issuer"] == SITE
    assert found["client_id_metadata_document_supported"] is True
    assert "none" in found["token_endpoint_auth_methods_supported"]
    assert found["code_challenge_methods_supported"] == ["S256"]
    assert found["grant_types_supported"] == ["authorization_code", "refresh_token"]
    assert found["authorization_endpoint"] == f"{SITE}/oauth/authorize"
    assert not {"jwks_uri", "userinfo_endpoint", "id_token_signing_alg_values_supported"} & set(found)


@pytest.mark.parametrize("path", ADDRESSES)
@pytest.mark.parametrize("url", ["http://192.168.1.7:8000", "http://memory.lan", "http://127.evil.example"])
def test_site_without_tls_has_no_oauth(url: str, path: str, settings: Settings) -> None:
    settings.MEMSITE_PUBLIC_URL = url
    assert Client().get(path).status_code == Client().post(path).status_code == 404
    assert make_challenge() == "Bearer"


@pytest.mark.parametrize("url", ["http://127.0.0.1:8000", "http://localhost:8000", "http://[::1]:8000"])
def test_site_on_loopback_has_oauth(url: str, settings: Settings) -> None:
    settings.MEMSITE_PUBLIC_URL = url
    assert Client().get(ADDRESSES[2]).json()["token_endpoint"] == f"{url}/oauth/token"


def test_path_of_another_resource_has_no_metadata() -> None:
    assert Client().get("/.well-known/oauth-protected-resource/mcp-evil").status_code == 404
    assert Client().get("/.well-known/oauth-authorization-server/tenant").status_code == 404


def test_challenge_names_the_metadata_and_the_error() -> None:
    address = f"{SITE}/.well-known/oauth-protected-resource/mcp"
    assert make_challenge() == f'Bearer resource_metadata="{address}", scope="read write"'
    assert make_challenge("invalid_token").startswith('Bearer error="invalid_token", resource_metadata=')


@pytest.mark.parametrize(
    "uri", [RESOURCE, f"{RESOURCE}/", "HTTPS://Memory.Example.org/mcp", f"{SITE}:443/mcp"]
)
def test_spellings_of_our_resource_are_ours(uri: str) -> None:
    assert is_our_resource(uri)


@pytest.mark.parametrize(
    "uri",
    [
        *("", SITE, f"{SITE}/", f"{RESOURCE}-evil", f"{RESOURCE}/sub", f"{RESOURCE}//", f"{RESOURCE}?a=1"),
        *(f"{RESOURCE}#", f"{SITE}/MCP", f"{SITE}/x/../mcp", f"{SITE}/%6dcp", f"{SITE}:444/mcp", "urn:mcp"),
        *("http://memory.example.org/mcp", "https://memory.example.org.evil.example/mcp"),
        *("https://memory.example.org@evil.example/mcp", "https://evil.example\\@memory.example.org/mcp"),
        *(f"{RESOURCE}\n", f" {RESOURCE}", "https://memory.example.org:x/mcp", "https://[::1/mcp"),
    ],
)
def test_other_resources_are_not_ours(uri: str) -> None:
    assert not is_our_resource(uri)


@pytest.mark.parametrize(
    "path", ["/oauth/token", "/oauth/register", "/.well-known/oauth-authorization-server"]
)
def test_web_page_of_another_origin_may_call(path: str) -> None:
    response: Any = Client().options(path, headers={"Origin": "https://inspector.example"})
    assert response.status_code == 204
    assert "content-type" in response["Access-Control-Allow-Headers"]
    assert "Access-Control-Allow-Credentials" not in response
