"""Secrets inside URLs: only the secret part goes."""

from __future__ import annotations

import pytest

from memories.gate import redact_text

SECRET = "aZ9b" + "Y8cX7dW6eV5fU4gT3hS2iR1jQ0kP"
HEX = "4c0883a69102937d" * 4
UUID = "550e8400-e29b-41d4-a716-446655440000"


@pytest.mark.parametrize(
    ("before", "password", "after"),
    [
        ("postgres://user:", "hunter2", "@db.internal:5432/prod"),
        ("postgresql+psycopg://user:", "p@ss@word", "@host/db"),
        ("redis://:", "a1b2c3", "@localhost"),
        ("mongodb+srv://admin:", "Pa55w0rd", "@cluster0.mongodb.example/test"),
        ("amqp://guest:", "guest", "@rabbit:5672/"),
        ("ftp://bob:", "with/slash", "@files.example.com/a"),
        ("https://oauth2:", SECRET, "@gitlab.example/x.git"),
        ("jdbc:mysql://h:3306/db?user=root&password=", "tiger", ""),
        ("smtp://bob%40example.com:", "pw12", "@mail:587"),
    ],
)
def test_password_in_a_url_goes_and_the_rest_stays(before: str, password: str, after: str) -> None:
    redacted = redact_text(f"Connect to {before}{password}{after} tonight.").text
    assert redacted == f"Connect to {before}[redacted:url_password]{after} tonight."


@pytest.mark.parametrize(
    "url",
    [
        "http://localhost:8080/users/@bob",
        "https://example.com/@bob/posts?page=2&sort=new",
        "git@github.com:org/repo.git",
        "ssh://git@host.example:22/repo.git",
        "postgres://user:${DB_PASSWORD}@host/db",
        "postgres://{user}:{password}@host/db",
        "postgres://user:***@host/db",
        "https://docs.example.com/document/d/1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms/edit",
        "https://www.youtube.com/watch?v=dQw4w9WgXcQ&list=PLrAXtmErZgOeiKm4sgNOknGvNjby9efdf",
    ],
)
def test_url_without_credentials_is_kept(url: str) -> None:
    assert redact_text(f"See {url} for more.").text == f"See {url} for more."


@pytest.mark.parametrize(
    "name", ["access_token", "api_key", "sig", "X-Amz-Signature", "client_secret", "key"]
)
def test_token_in_a_query_goes_and_other_parameters_stay(name: str) -> None:
    redacted = redact_text(f"https://example.com/a?page=2&{name}={SECRET}&sort=new").text
    assert redacted == f"https://example.com/a?page=2&{name}=[redacted:url_token]&sort=new"


def test_token_in_place_of_the_user_is_redacted() -> None:
    assert (
        redact_text(f"https://{SECRET}@git.example/x.git").text
        == "https://[redacted:url_token]@git.example/x.git"
    )


@pytest.mark.parametrize(
    ("kind", "before", "secret"),
    [
        ("slack_webhook", "https://hooks.slack.com/services/", f"T00000000/B00000000/{SECRET[:24]}"),
        ("discord_webhook", "https://discord.com/api/webhooks/", f"123456789012345678/{SECRET * 2}"),
        (
            "teams_webhook",
            "https://acme.webhook.office.com/webhookb2/",
            f"{UUID}@{UUID}/IncomingWebhook/{HEX}",
        ),
        ("dingtalk_webhook", "https://oapi.dingtalk.com/robot/send?access_token=", HEX),
        ("feishu_webhook", "https://open.feishu.cn/open-apis/bot/v2/hook/", UUID),
        ("wechat_webhook", "https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=", UUID),
        ("zapier_webhook", "https://hooks.zapier.com/hooks/catch/", "1234567/abc123"),
        ("ifttt_key", "https://maker.ifttt.com/trigger/door/with/key/", SECRET[:22]),
    ],
)
def test_secret_part_of_a_webhook_is_redacted_by_its_name(kind: str, before: str, secret: str) -> None:
    assert redact_text(f"Post to {before}{secret} daily.").text == f"Post to {before}[redacted:{kind}] daily."
