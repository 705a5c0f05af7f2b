"""Keys without a shape of their own, told by the vendor that is named before them."""

from __future__ import annotations

import pytest

from memories.gate import redact_text

HEX32 = "4c0883a69102937d" * 2
HEX40 = HEX32 + "fe512961"
UUID = "550e8400-e29b-41d4-a716-446655440000"
MIXED = "wJalrXUt" + "nFEMI/K7MDENG/bPxRfiCYzEXAMPLEKE"
PLAIN = "kP3vQ9xZ" + "7bN2mL5cT8rW1yF4hJ6dG0sAqE2uI9oX"


@pytest.mark.parametrize(
    ("kind", "before", "value"),
    [
        ("aws_secret_key", "the AWS secret is ", MIXED),
        ("aws_secret_key", "aws_secret_access_key = ", MIXED),
        ("heroku_key", "heroku auth: ", UUID),
        ("datadog_key", "DD_API_KEY=", HEX32),
        ("datadog_key", "our datadog application key ", HEX40),
        ("cloudflare_key", "the Cloudflare token is ", PLAIN),
        ("twilio_auth_token", "twilio auth token ", HEX32),
        ("cohere_key", "COHERE_KEY: ", PLAIN),
        ("wechat_app_secret", "微信小程序密钥 ", HEX32),
        ("alibaba_secret_key", "阿里云密钥：", PLAIN[:30]),
        ("tencent_secret_key", "腾讯云密钥：", PLAIN[:32]),
        ("trello_token", "trello token ", HEX32 * 2),
    ],
)
def test_key_is_found_after_its_vendor_and_a_word_for_key(kind: str, before: str, value: str) -> None:
    assert redact_text(before + value).text == f"{before}[redacted:{kind}]"


@pytest.mark.parametrize(
    "text",
    [
        f"datadog commit {HEX40}",
        f"heroku app id {UUID}",
        f"the twilio build {HEX32} is green",
        f"twilio auth is broken since yesterday. {'More words follow here. ' * 5} build {HEX32}",
    ],
)
def test_digest_near_a_vendor_is_kept_when_no_word_says_key(text: str) -> None:
    assert redact_text(text).text == text
