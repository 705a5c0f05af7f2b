"""Where webhooks may lead."""

from __future__ import annotations

import socket
import threading
from datetime import UTC, datetime
from ipaddress import ip_address
from typing import Any

import pytest
from rest_framework.test import APIClient

from memsite.errors import InvalidInput
from memsite.events.models import Webhook, WebhookDelivery
from memsite.events.webhooks import destinations, sending
from memsite.events.webhooks.destinations import check_url, is_public
from memsite.events.webhooks.sending import Failure, Message, send_message
from memsite.events.webhooks.signing import sign_message
from memsite.jobs import run_due_jobs
from tests.events.receiver import Receiver
from tests.events.test_webhooks import remember

PRIVATE = (
    *("127.0.0.1", "127.8.9.1", "0.0.0.1", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254"),
    *("100.64.0.1", "192.0.0.8", "198.18.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255"),
    *("::1", "::", "fe80::1", "fc00::1", "ff02::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1"),
    *("64:ff9b::7f00:1", "64:ff9b:1::1", "2002:7f00:1::1", "2001::1", "::127.0.0.1", "2001:db8::1"),
    *("fec0::1", "::ffff:0:127.0.0.1", "168.63.129.16"),
)


def resolve_to(monkeypatch: pytest.MonkeyPatch, *answers: list[str]) -> list[str]:
    """Have each name lead to the next of these lists of addresses; return the names that were asked for."""
    names: list[str] = []

    def resolve(host: str, port: int, *_: Any, **__: Any) -> list[Any]:
        names.append(host)
        addresses = answers[min(len(names), len(answers)) - 1]
        return [
            (socket.AF_INET6 if ":" in one else socket.AF_INET, socket.SOCK_STREAM, 6, "", (one, port))
            for one in addresses
        ]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    return names


@pytest.mark.parametrize("address", PRIVATE)
def test_private_address_is_not_public(address: str) -> None:
    assert not is_public(ip_address(address))


@pytest.mark.parametrize("address", ["93.184.216.34", "8.8.8.8", "2606:2800:220:1::1", "::ffff:8.8.8.8"])
def test_public_address_is_public(address: str) -> None:
    assert is_public(ip_address(address))


@pytest.mark.parametrize(
    "url",
    [
        "https://127.0.0.1/hook",
        "https://127.1/hook",
        "https://2130706433/hook",
        "https://0x7f.0.0.1/hook",
        "https://[::1]/hook",
        "https://[fe80::1%25eth0]/hook",
        "https://[::ffff:10.0.0.1]/hook",
        "https://169.254.169.254/latest/meta-data",
        "https://localhost/hook",
        "https://LOCALHOST./hook",
        "https://a.localhost/hook",
        "https://localhost.localdomain/hook",
        "https://ip6-localhost/hook",
        "https://intranet/hook",
        "https://metadata.google.internal/hook",
        "https://printer.local./hook",
        "https://router.lan/hook",
        "https://0177.0.0.1/hook",
        "https://0/hook",
        "https://4294967297/hook",
        "https://127.0.0.1./hook",
        "https://①②⑦.⓪.⓪.①/hook",
        "https://127。0。0。1/hook",
        "https://loc%61lhost/hook",
        "https://[::ffff:7f00:1]/hook",
        "https://[64:ff9b::7f00:1]/hook",
        "https://[2002:7f00:1::]/hook",
        "http://93.184.216.34/hook",
        "ftp://93.184.216.34/hook",
        "file:///etc/passwd",
        "//93.184.216.34/hook",
        "93.184.216.34/hook",
        "https://",
        "https://alice:secret@93.184.216.34/hook",
        "https://@93.184.216.34/hook",
        "https://93.184.216.34/hook#part",
        "https://93.184.216.34:99999/hook",
        "https://93.184.216.34\\@127.0.0.1/hook",
        "https://93.184.216.34/a b",
        "https://93.184.216.34/\nHost: x",
        "javascript:alert(1)",
    ],
)
def test_url_is_refused(url: str) -> None:
    with pytest.raises(InvalidInput):
        check_url(url)


def test_public_url_is_accepted() -> None:
    found = check_url("https://93.184.216.34:8443/hook?to=memsite")
    assert (found.host, found.port, found.is_named) == ("93.184.216.34", 8443, False)


def test_name_with_one_private_address_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    resolve_to(monkeypatch, ["93.184.216.34", "10.0.0.1"])
    with pytest.raises(InvalidInput):
        check_url("https://rebinding.example/hook")


@pytest.mark.parametrize(
    ("named", "url"),
    [
        ("hooks.lan", "http://hooks.lan:8080/a"),
        ("hooks.lan", "http://HOOKS.lan./a"),
        ("hooks.lan:8080", "http://hooks.lan:8080/a"),
        ("[::1]:8080", "http://[::1]:8080/a"),
        ("::1", "http://[::1]:8080/a"),
    ],
)
def test_host_that_the_operator_names_is_allowed(settings: Any, named: str, url: str) -> None:
    settings.MEMSITE_WEBHOOK_HOSTS = [named]
    assert check_url(url).is_named


@pytest.mark.parametrize(
    "url",
    [
        "http://hooks.lan:8081/a",
        "http://evil.hooks.lan:8080/a",
        "http://hooks.lan.example:8080/a",
        "http://hooks.lan:8080@127.0.0.1/a",
    ],
)
def test_named_host_allows_no_other(settings: Any, url: str) -> None:
    settings.MEMSITE_WEBHOOK_HOSTS = ["hooks.lan:8080"]
    with pytest.raises(InvalidInput):
        check_url(url)


@pytest.mark.parametrize("private", ["127.0.0.1", "::127.0.0.1", "::ffff:0:127.0.0.1", "fec0::1"])
def test_rebinding_name_is_refused_when_it_connects(
    private: str, monkeypatch: pytest.MonkeyPatch, receiver: Receiver
) -> None:
    """The check sees a public address, the connection a private one."""
    names = resolve_to(monkeypatch, ["93.184.216.34"], [private])
    answer = send_message(Message(f"https://rebinding.example:{receiver.port}/hook", {}, b"{}"))
    assert (answer.failure, len(names), receiver.requests) == (Failure.REFUSED, 2, [])


@pytest.mark.django_db(transaction=True)
def test_webhook_is_checked_again_at_each_attempt(
    alice_admin: APIClient, receiver: Receiver, settings: Any
) -> None:
    assert alice_admin.post("/api/webhooks", {"url": receiver.url}).status_code == 201
    settings.MEMSITE_WEBHOOK_HOSTS = []
    remember(alice_admin, "I keep bees.")
    run_due_jobs()
    assert (WebhookDelivery.objects.get().error, receiver.requests) == ("refused", [])


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("url", ["https://127.0.0.1/", "https://169.254.169.254/", "http://example.com/"])
def test_private_url_cannot_be_saved(alice_admin: APIClient, receiver: Receiver, url: str) -> None:
    assert alice_admin.post("/api/webhooks", {"url": url}).json()["code"] == "invalid"
    hook = alice_admin.post("/api/webhooks", {"url": receiver.url}).json()["id"]
    assert alice_admin.patch(f"/api/webhooks/{hook}", {"url": url}).status_code == 400
    assert list(Webhook.objects.values_list("url", flat=True)) == [receiver.url]


def test_environment_gives_no_proxy(monkeypatch: pytest.MonkeyPatch, receiver: Receiver) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    assert send_message(Message(receiver.url, {}, b"{}")).failure is None


def test_name_that_cannot_be_resolved_fails(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", fail)
    assert send_message(Message("https://nobody.example/", {}, b"{}")).failure == Failure.NAME
    settings.MEMSITE_WEBHOOK_HOSTS = ["nobody.example"]
    assert send_message(Message("https://nobody.example/", {}, b"{}")).failure == Failure.NAME


def test_webhook_is_saved_while_a_name_server_is_silent(
    alice_admin: APIClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    answered = threading.Event()
    monkeypatch.setattr(destinations, "RESOLVE_SECONDS", 0.1)
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_a, **_k: answered.wait(30))
    try:
        added = alice_admin.post("/api/webhooks", {"url": "https://slow.example/"})
        assert added.status_code == 201
        assert not answered.is_set()
    finally:
        answered.set()


def test_receiver_without_tls_fails(receiver: Receiver) -> None:
    answer = send_message(Message(receiver.url.replace("http:", "https:"), {}, b"{}"))
    assert answer.failure == Failure.TLS


def test_silent_tls_handshake_ends_in_time(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sending, "TIMEOUT_SECONDS", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as server:
        settings.MEMSITE_WEBHOOK_HOSTS = ["127.0.0.1"]
        answer = send_message(Message(f"https://127.0.0.1:{server.getsockname()[1]}/", {}, b"{}"))
    assert answer.failure == Failure.TIMEOUT


def test_signature_is_that_of_the_standard() -> None:
    at = datetime.fromtimestamp(1614265330, UTC)
    secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    headers = sign_message("msg_p5jXN8AQM9LWM0D4loKWxJek", at, '{"test": 2432232314}', [secret])
    assert headers == {
        "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
        "webhook-timestamp": "1614265330",
        "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    }
