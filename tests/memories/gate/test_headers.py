"""Credentials in headers, cookies, commands and configuration."""

from __future__ import annotations

import base64

import pytest

from memories.gate import redact_text

TOKEN = "AbCdEf" + "0123456789AbCdEf"
BASIC = base64.b64encode(b"admin:hunter2").decode()


@pytest.mark.parametrize(
    ("kind", "before", "secret", "after"),
    [
        ("bearer_token", "Authorization: Bearer ", TOKEN, ""),
        ("bearer_token", "-H 'authorization: bearer ", TOKEN, "'"),
        ("bearer_token", '{"Authorization": "Token ', TOKEN, '"}'),
        ("bearer_token", "Bearer ", "abcdefghijklmnopqrstuvwxyz", ""),
        ("basic_credentials", "Authorization: Basic ", BASIC, ""),
        ("session_cookie", "Cookie: sessionid=", TOKEN, "; theme=dark"),
        ("session_cookie", "PHPSESSID=", TOKEN, ""),
        ("azure_key", "AccountName=x;AccountKey=", TOKEN * 4 + "==", ";EndpointSuffix=core"),
        ("azure_key", "SharedAccessKeyName=Root;SharedAccessKey=", TOKEN * 2, ""),
        ("gcp_service_account", '"private_key_id": "', "4c0883a69102937d6231471b5dbb6204fe512961", '"'),
        ("password", "curl -u bob:", "hunter2", " https://example.com"),
        ("password", "mysql -u root -p", "hunter2", " mydb"),
        ("password", "sshpass -p ", "hunter2", " ssh host"),
        ("password", "docker login -u me -p ", "hunter2pw", ""),
        ("password", "machine example.com login bob password ", "hunter", ""),
        ("password", "credentials: admin / ", "S3cret99", ""),
        ("password", "login admin:", "S3cret99", ""),
        ("wifi_password", "WIFI:T:WPA;S:home;P:", "hunter2", ";;"),
    ],
)
def test_credential_is_redacted_where_a_program_takes_it(
    kind: str, before: str, secret: str, after: str
) -> None:
    assert redact_text(before + secret + after).text == f"{before}[redacted:{kind}]{after}"


@pytest.mark.parametrize(
    "text",
    [
        "He is a bearer of bad news about basic information.",
        "Authorization: Bearer <token>",
        "Authorization: Bearer ${TOKEN}",
        "Basic understanding1 of HTTP",
        "docker run -p 8080:80 nginx",
        "mysql -u root -p mydb",
        "mkdir -p some/where",
        "curl -u ${USER}:${PASSWORD} https://example.com",
        "the login page/v2 is broken",
        "sessions=12 per day",
    ],
)
def test_talk_about_headers_and_commands_is_kept(text: str) -> None:
    assert redact_text(text).text == text
