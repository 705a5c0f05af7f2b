"""Checking webhooks."""

from __future__ import annotations

import pytest

from memsite import WebhookInvalid, webhooks

#: The example of the Standard Webhooks specification.
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
BODY = '{"test": 2432232314}'
HEADERS = {
    "Webhook-Id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "webhook-timestamp": "1614265330",
    "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
}
NOW = 1614265330.0


def test_example_of_the_standard_is_valid() -> None:
    assert webhooks.verify(BODY.encode(), HEADERS, SECRET, now=NOW) == {"test": 2432232314}


def test_one_of_several_signatures_suffices() -> None:
    headers = HEADERS | {"webhook-signature": "v1,AAAA " + HEADERS["webhook-signature"]}
    assert webhooks.verify(BODY, headers, SECRET, now=NOW)


@pytest.mark.parametrize(
    "change",
    [
        {"webhook-signature": "v1,AAAA"},
        {"webhook-signature": "v2,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="},
        {"webhook-timestamp": "1614265331"},
        {"webhook-timestamp": "soon"},
        {"Webhook-Id": "msg_other"},
    ],
)
def test_changed_webhook_is_refused(change: dict[str, str]) -> None:
    with pytest.raises(WebhookInvalid):
        webhooks.verify(BODY, HEADERS | change, SECRET, now=NOW)


@pytest.mark.parametrize("header", HEADERS)
def test_missing_header_is_refused(header: str) -> None:
    with pytest.raises(WebhookInvalid, match="missing"):
        webhooks.verify(
            BODY, {name: value for name, value in HEADERS.items() if name != header}, SECRET, now=NOW
        )


@pytest.mark.parametrize("now", [NOW - 301, NOW + 301])
def test_old_webhook_is_refused(now: float) -> None:
    with pytest.raises(WebhookInvalid, match="old"):
        webhooks.verify(BODY, HEADERS, SECRET, now=now)


def test_bad_secret_is_refused() -> None:
    with pytest.raises(WebhookInvalid, match="secret"):
        webhooks.verify(BODY, HEADERS, "whsec_???", now=NOW)
