"""Fixtures of the tests of OAuth: a public site, a registered program, a server of documents."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.test import Client
from pytest_django import Settings

from tests.accounts.oauth.connecting import (
    SITE,
    DocumentServer,
    Program,
    make_certificate,
    register,
    serve_documents,
)


@pytest.fixture(autouse=True)
def public_site(settings: Settings, db: None) -> None:
    settings.MEMSITE_PUBLIC_URL = SITE


@pytest.fixture
def program(alice_browser: Client) -> Program:
    """A program that registered itself, and Alice's browser."""
    return Program(json.loads(register().content)["client_id"], alice_browser)


@pytest.fixture
def document_server(
    tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> Iterator[DocumentServer]:
    """A server of documents whose host the operator has named."""
    certificate = make_certificate(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    with serve_documents(certificate) as server:
        settings.MEMSITE_OAUTH_HOSTS = [urlsplit(server.origin).netloc]
        yield server
