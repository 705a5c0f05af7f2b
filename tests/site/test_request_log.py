"""What a request leaves in the log."""

from __future__ import annotations

import pytest
from django.test import Client
from pytest_django import Settings

from memsite.serving.observability import redact_path


@pytest.mark.parametrize("address", ["/accounts/password/reset/key/{}/", "/accounts/confirm-email/{}/"])
@pytest.mark.django_db
def test_proof_in_an_address_is_not_logged(
    client: Client, address: str, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    client.get(address.format("4fz-c0ffee-proof"))
    assert "c0ffee" not in caplog.text + capsys.readouterr().err
    assert "request" in caplog.text


@pytest.mark.parametrize(
    ("path", "logged"),
    [
        ("/api/memories/batch", "/api/memories/batch"),
        ("/v1/chat/completions", "/v1/chat/completions"),
        (
            "/threads/01a21e9e-f9ea-71a5-8c51-a528c7d03dac/",
            "/threads/01a21e9e-f9ea-71a5-8c51-a528c7d03dac/",
        ),
        ("/static/css/app.3f2a77c0.css", "/static/css/app.3f2a77c0.css"),
        ("/api/memories/Zx81-kiwi!", "/api/memories/[redacted]"),
        ("/hooks/T00/B00/AbCdEfGh12345678", "/hooks/[redacted]/[redacted]/[redacted]"),
    ],
)
def test_path_is_logged_without_what_may_be_a_secret(path: str, logged: str) -> None:
    assert redact_path(path) == logged


@pytest.mark.django_db
def test_wrong_host_is_one_line_without_a_traceback(
    client: Client, caplog: pytest.LogCaptureFixture, settings: Settings
) -> None:
    settings.ALLOWED_HOSTS = ["memory.example"]
    assert client.get("/accounts/login/", headers={"host": "evil.example"}).status_code == 400
    assert [record.name for record in caplog.records] == ["memsite.request"]
    assert "'status': 400" in caplog.text
