"""The pages of webhooks, in the settings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from memsite.accounts.models import User
from memsite.events.models import Webhook, WebhookDelivery
from memsite.events.webhooks import add_test, add_webhook, deliveries
from memsite.jobs import run_due_jobs
from tests.events.receiver import Receiver, status

pytestmark = pytest.mark.django_db(transaction=True)

PROGRAMS = "/settings/programs/"
ADD = "/settings/programs/webhooks/"
ALL = ["memory.*", "thread.*", "reply.*", "webhook.*"]


@pytest.fixture
def receiver(settings: Any) -> Iterator[Receiver]:
    with Receiver() as found:
        settings.MEMSITE_WEBHOOK_HOSTS = ["127.0.0.1"]
        yield found


@pytest.fixture
def hook(alice: User, receiver: Receiver) -> Webhook:
    return add_webhook(f"{receiver.url}?token=hush", owner=alice.pk)[0]


def show(client: Client, hook: Webhook) -> str:
    return client.get(f"{ADD}{hook.pk}/").content.decode()


def act(client: Client, hook: Webhook, name: str, **fields: str) -> Any:
    return client.post(f"{ADD}{hook.pk}/{name}/", fields)


def test_new_webhook_shows_its_secret_once(alice_browser: Client, receiver: Receiver) -> None:
    response = alice_browser.post(ADD, {"url": receiver.url, "types": ["memory.*"], "full": "on"})
    row = Webhook.objects.get()
    assert re.search(r"whsec_[\w+/]{43}=", response.content.decode())
    assert "no-store" in response["Cache-Control"]
    assert (row.url, row.types, row.payload) == (receiver.url, ["memory.*"], "full")
    assert "whsec_" not in show(alice_browser, row)


def test_all_groups_mean_all_types(alice_browser: Client, receiver: Receiver) -> None:
    alice_browser.post(ADD, {"url": receiver.url, "types": ALL})
    assert Webhook.objects.get().types == []


@pytest.mark.parametrize(
    "fields",
    [
        {"url": "https://10.0.0.1/hook", "types": ALL},
        {"url": "ftp://example.com/", "types": ALL},
        {"url": "", "types": ALL},
        {"url": "https://93.184.216.34/"},
    ],
)
def test_bad_webhook_is_shown_with_its_error(alice_browser: Client, fields: dict[str, Any]) -> None:
    response = alice_browser.post(ADD, fields)
    assert response.status_code == 400
    assert 'class="errorlist"' in response.content.decode()
    assert not Webhook.objects.exists()


def test_webhook_is_added_after_the_password_was_given_once_more(alice: User, client: Client) -> None:
    client.force_login(alice)
    response = client.post(ADD, {"url": "https://93.184.216.34/", "types": ALL})
    assert response["Location"].startswith("/accounts/reauthenticate/")
    assert not Webhook.objects.exists()


def test_list_names_the_webhook_without_its_query(alice_browser: Client, hook: Webhook) -> None:
    page = alice_browser.get(PROGRAMS).content.decode()
    assert "/hook</bdi>" in page
    assert "hush" not in page


def test_test_is_sent_and_its_answer_shown(alice_browser: Client, hook: Webhook, receiver: Receiver) -> None:
    receiver.script(status(500, b"<b>not now</b>"))
    assert act(alice_browser, hook, "test").status_code == 302
    assert 'hx-trigger="every 2s"' in show(alice_browser, hook)
    run_due_jobs()
    page = show(alice_browser, hook)
    assert "HTTP 500" in page
    assert "&lt;b&gt;not now" in page
    assert "hx-trigger" not in page.partition('id="deliveries"')[2]


def test_tests_are_limited_on_the_page_and_in_the_api_together(
    alice_browser: Client, hook: Webhook, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deliveries, "MOST_BY_HAND", 2)
    add_test(hook.pk, owner=hook.owner_id)
    assert act(alice_browser, hook, "test").status_code == 302
    assert act(alice_browser, hook, "test").status_code == 429
    assert WebhookDelivery.objects.count() == 2


def test_delivery_is_sent_again(
    alice_browser: Client, alice: User, hook: Webhook, receiver: Receiver
) -> None:
    row = add_test(hook.pk, owner=alice.pk)
    run_due_jobs()
    act(alice_browser, hook, f"deliveries/{row.pk}/retry")
    run_due_jobs()
    assert len(receiver.requests) == 2


def test_webhook_is_switched_off_and_on(alice_browser: Client, hook: Webhook) -> None:
    act(alice_browser, hook, "switch", enabled="off")
    assert "You switched it off." in show(alice_browser, hook)
    act(alice_browser, hook, "switch", enabled="on")
    hook.refresh_from_db()
    assert hook.is_on


@pytest.mark.parametrize("reason", ["gone", "failing"])
def test_settings_say_why_it_was_switched_off(alice_browser: Client, hook: Webhook, reason: str) -> None:
    Webhook.objects.update(off_since=timezone.now(), off_reason=reason)
    assert "It was switched off because" in alice_browser.get(PROGRAMS).content.decode()


def test_new_secret_is_shown_once(alice_browser: Client, hook: Webhook) -> None:
    assert "whsec_" in act(alice_browser, hook, "secret").content.decode()
    assert alice_browser.get(f"{ADD}{hook.pk}/secret/").status_code == 302
    assert "whsec_" not in show(alice_browser, hook)


def test_webhook_is_deleted(alice_browser: Client, hook: Webhook) -> None:
    assert act(alice_browser, hook, "remove")["Location"] == PROGRAMS
    assert not Webhook.objects.exists()


def test_deliveries_come_in_pages(alice_browser: Client, alice: User, hook: Webhook) -> None:
    for _ in range(25):
        add_test(hook.pk, owner=alice.pk)
    page = show(alice_browser, hook)
    older = re.search(r'href="([^"]*cursor=[^"]*)"', page)
    assert older
    rest = alice_browser.get(older[1].replace("&amp;", "&")).content.decode()
    assert (page.count('class="delivery"'), rest.count('class="delivery"')) == (20, 5)
    assert WebhookDelivery.objects.count() == 25
