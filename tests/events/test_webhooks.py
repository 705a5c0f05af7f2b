"""Webhooks by the API: add, change, remove, secrets, tests, retries, replays."""

from __future__ import annotations

import json
import logging
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone
from rest_framework.test import APIClient
from standardwebhooks import Webhook as Verifier
from standardwebhooks import WebhookVerificationError

from memsite.accounts.deletion import delete_person
from memsite.accounts.models import AuditEntry, User
from memsite.events.models import EventCounter, LogEntry, Webhook, WebhookDelivery
from memsite.events.pruning import prune
from memsite.jobs import run_due_jobs
from tests.events.conftest import Add
from tests.events.receiver import Receiver, status

pytestmark = pytest.mark.django_db(transaction=True)


def remember(client: APIClient, text: str) -> str:
    response = client.post("/api/memories", {"content": text})
    assert response.status_code == 201, response.content
    return str(response.json()["memory"]["id"])


def deliveries(client: APIClient, hook: dict[str, Any], query: str = "") -> list[dict[str, Any]]:
    response = client.get(f"/api/webhooks/{hook['id']}/deliveries?{query}")
    assert response.status_code == 200, response.content
    return list(response.json()["results"])


def test_new_webhook_shows_its_secret_once(alice_admin: APIClient, add: Add, caplog: Any) -> None:
    caplog.set_level(logging.DEBUG)
    hook = add(types=["memory.*"], payload="full")
    shown = alice_admin.get(f"/api/webhooks/{hook['id']}").json()
    assert hook["secret"].startswith("whsec_")
    assert shown == {name: value for name, value in hook.items() if name != "secret"}
    assert (shown["types"], shown["payload"], shown["enabled"]) == (["memory.*"], "full", True)
    assert alice_admin.get("/api/webhooks").json() == {"results": [shown]}
    assert hook["secret"] not in caplog.text


def test_secret_is_stored_encrypted(add: Add) -> None:
    hook = add()
    with connection.cursor() as cursor:
        cursor.execute("SELECT w::text FROM events_webhook AS w")
        (stored,) = cursor.fetchone()
    assert hook["secret"] not in stored
    assert hook["secret"].removeprefix("whsec_") not in stored


@pytest.mark.parametrize("scopes", [("read",), ("read", "write")])
def test_key_without_the_scope_admin_is_refused(alice: User, client_of: Any, scopes: Any) -> None:
    client = client_of(alice, scopes=scopes)
    assert client.get("/api/webhooks").status_code == 403
    assert client.post("/api/webhooks", {"url": "https://example.com/hook"}).status_code == 403


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"url": ""},
        {"url": "https://example.com/" + "a" * 2000},
        {"url": "https://example.com/", "types": ["memory.unheard"]},
        {"url": "https://example.com/", "types": "memory.*"},
        {"url": "https://example.com/", "payload": "fat"},
        {"url": "https://example.com/", "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"},
    ],
)
def test_bad_webhook_is_refused(alice_admin: APIClient, body: dict[str, Any]) -> None:
    assert alice_admin.post("/api/webhooks", body).status_code == 400
    assert not Webhook.objects.exists()


def test_owner_has_twenty_webhooks_at_most(alice_admin: APIClient, add: Add, receiver: Receiver) -> None:
    for _ in range(20):
        add()
    response = alice_admin.post("/api/webhooks", {"url": receiver.url})
    assert response.status_code == 409
    assert Webhook.objects.count() == 20


def test_event_is_sent_and_verifies(alice_admin: APIClient, add: Add, receiver: Receiver) -> None:
    hook = add(types=["memory.*"])
    memory = remember(alice_admin, "I keep bees.")
    run_due_jobs()
    (request,) = receiver.requests
    sent = Verifier(hook["secret"]).verify(request.body, request.headers)
    (event,) = alice_admin.get("/api/events?wait=0&after=0").json()["results"]
    assert sent == {"type": "memory.created", "timestamp": event["created_at"], "data": event}
    assert event["memory"] == memory
    assert request.headers["webhook-id"] == f"evt_{event['id']}"
    assert request.headers["content-type"] == "application/json"
    assert b"bees" not in request.body


def test_altered_message_does_not_verify(alice_admin: APIClient, add: Add, receiver: Receiver) -> None:
    hook = add()
    remember(alice_admin, "I keep bees.")
    run_due_jobs()
    request = receiver.requests[0]
    with pytest.raises(WebhookVerificationError):
        Verifier(hook["secret"]).verify(request.body.replace(b"created", b"deleted"), request.headers)


def test_only_chosen_types_are_sent(alice_admin: APIClient, add: Add, receiver: Receiver) -> None:
    add(types=["memory.deleted", "thread.created"])
    remember(alice_admin, "I keep bees.")
    alice_admin.post("/api/threads", {"title": "Bees"})
    run_due_jobs()
    assert [json.loads(one.body)["type"] for one in receiver.requests] == ["thread.created"]


def test_webhook_is_sent_what_follows(alice_admin: APIClient, add: Add, receiver: Receiver) -> None:
    remember(alice_admin, "I keep bees.")
    add()
    remember(alice_admin, "I have two cats.")
    run_due_jobs()
    assert receiver.ids == ["evt_2"]


def test_full_payload_adds_the_memory(alice_admin: APIClient, add: Add, receiver: Receiver) -> None:
    hook = add(payload="full", types=["memory.created"])
    memory = remember(alice_admin, "I keep bees.")
    receiver.script(status(200, b"you keep bees"))
    run_due_jobs()
    data = json.loads(receiver.requests[0].body)["data"]
    assert data["object"]["id"] == memory
    assert data["object"]["content"] == "I keep bees."
    assert deliveries(alice_admin, hook)[0]["response"] == ""  # it may repeat the memory


@pytest.mark.parametrize("act", ["forgotten", "erased", "pending", "disputed"])
def test_full_payload_leaves_out_what_is_not_active(
    alice_admin: APIClient, add: Add, receiver: Receiver, act: str
) -> None:
    add(payload="full")
    memory = remember(alice_admin, "I keep bees.")
    if act in {"forgotten", "erased"}:
        alice_admin.delete(f"/api/memories/{memory}?erase={'true' if act == 'erased' else 'false'}")
    else:
        with connection.cursor() as cursor:
            cursor.execute("UPDATE memories_memory SET status = %s WHERE id = %s", [act, memory])
    run_due_jobs()
    assert {json.loads(one.body)["data"]["object"] for one in receiver.requests} == {None}
    assert not any(b"bees" in one.body for one in receiver.requests)


def test_large_memory_is_left_out(alice_admin: APIClient, add: Add, receiver: Receiver) -> None:
    add(payload="full")
    response = alice_admin.post(
        "/api/memories", {"content": "I keep bees.", "metadata": {"note": "蜂" * 7_000}}
    )
    assert response.status_code == 201, response.content
    run_due_jobs()
    assert json.loads(receiver.requests[0].body)["data"]["object"] is None
    assert len(receiver.requests[0].body) < 20_000


def test_both_secrets_sign_for_a_day(alice_admin: APIClient, add: Add, receiver: Receiver) -> None:
    hook = add()
    renewed = alice_admin.post(f"/api/webhooks/{hook['id']}/secret").json()
    remember(alice_admin, "I keep bees.")
    run_due_jobs()
    first = receiver.requests[0]
    assert renewed["secret"] != hook["secret"]
    assert first.headers["webhook-signature"].count("v1,") == 2
    for secret in (hook["secret"], renewed["secret"]):
        Verifier(secret).verify(first.body, first.headers)
    Webhook.objects.update(previous_until=timezone.now() - timedelta(seconds=1))
    remember(alice_admin, "I have two cats.")
    run_due_jobs()
    assert receiver.requests[1].headers["webhook-signature"].count("v1,") == 1


def test_test_is_sent_also_to_a_webhook_that_is_off(
    alice_admin: APIClient, add: Add, receiver: Receiver
) -> None:
    hook = add()
    alice_admin.patch(f"/api/webhooks/{hook['id']}", {"enabled": False})
    receiver.script(status(500, b"not now"))
    begun = alice_admin.post(f"/api/webhooks/{hook['id']}/test")
    assert (begun.status_code, begun.json()["status"]) == (202, "pending")
    run_due_jobs()
    (delivery,) = deliveries(alice_admin, hook)
    assert Verifier(hook["secret"]).verify(receiver.requests[0].body, receiver.requests[0].headers)
    assert (delivery["type"], delivery["status"], delivery["attempts"]) == ("webhook.test", "failed", 1)
    assert (delivery["status_code"], delivery["response"]) == (500, "not now")


def test_delivery_is_tried_again_by_hand(alice_admin: APIClient, add: Add, receiver: Receiver) -> None:
    hook = add()
    remember(alice_admin, "I keep bees.")
    run_due_jobs()
    (delivery,) = deliveries(alice_admin, hook)
    path = f"/api/webhooks/{hook['id']}/deliveries/{delivery['id']}/retry"
    assert (delivery["status"], delivery["next_attempt_at"]) == ("delivered", None)
    assert alice_admin.post(path).status_code == 202
    run_due_jobs()
    assert receiver.ids == ["evt_1", "evt_1"]
    alice_admin.patch(f"/api/webhooks/{hook['id']}", {"enabled": False})
    assert alice_admin.post(path).status_code == 409


def test_replay_sends_events_again_with_their_ids(
    alice_admin: APIClient, add: Add, receiver: Receiver
) -> None:
    hook = add()
    for number in range(3):
        remember(alice_admin, f"Bee number {number} is called Berta {number}.")
    run_due_jobs()
    answer = alice_admin.post(f"/api/webhooks/{hook['id']}/replay", {"after": 1})
    assert (answer.status_code, answer.json()) == (202, {"after": 1, "last": 3})
    run_due_jobs()
    assert receiver.ids == ["evt_1", "evt_2", "evt_3", "evt_2", "evt_3"]
    assert len(deliveries(alice_admin, hook)) == 3


@pytest.mark.parametrize("after", [0, 4, 2**63 - 1, -1])
def test_replay_of_what_the_log_does_not_hold_is_refused(
    alice_admin: APIClient, add: Add, after: int
) -> None:
    for number in range(3):
        remember(alice_admin, f"Bee number {number} is called Berta {number}.")
    LogEntry.objects.filter(last=1).delete()
    hook = add()
    assert alice_admin.post(f"/api/webhooks/{hook['id']}/replay", {"after": after}).status_code == 400


def test_webhook_that_was_off_is_sent_what_happened_meanwhile(
    alice_admin: APIClient, add: Add, receiver: Receiver
) -> None:
    hook = add()
    alice_admin.patch(f"/api/webhooks/{hook['id']}", {"enabled": False})
    remember(alice_admin, "I keep bees.")
    run_due_jobs()
    assert receiver.requests == []
    changed = alice_admin.patch(f"/api/webhooks/{hook['id']}", {"enabled": True}).json()
    run_due_jobs()
    assert (changed["enabled"], changed["off_reason"], receiver.ids) == (True, None, ["evt_1"])


def test_webhook_that_stopped_before_the_log_begins_is_sent_a_reset(
    alice_admin: APIClient, add: Add, receiver: Receiver
) -> None:
    add()
    for number in range(3):
        remember(alice_admin, f"Bee number {number} is called Berta {number}.")
    LogEntry.objects.filter(last__lte=2).delete()
    run_due_jobs()
    sent = [json.loads(one.body) for one in receiver.requests]
    assert {(one["type"], one["data"]["id"]) for one in sent} == {("reset", 3), ("memory.created", 3)}
    assert len(set(receiver.ids)) == 2


def test_writers_queue_nothing_without_a_webhook(alice_admin: APIClient, add: Add) -> None:
    hook = add()
    alice_admin.patch(f"/api/webhooks/{hook['id']}", {"enabled": False})
    assert not EventCounter.objects.get().has_webhooks
    alice_admin.patch(f"/api/webhooks/{hook['id']}", {"enabled": True})
    assert EventCounter.objects.get().has_webhooks
    assert alice_admin.delete(f"/api/webhooks/{hook['id']}").status_code == 204
    assert not EventCounter.objects.get().has_webhooks


def test_removed_webhook_takes_its_deliveries_with_it(alice_admin: APIClient, add: Add) -> None:
    hook = add()
    remember(alice_admin, "I keep bees.")
    run_due_jobs()
    alice_admin.delete(f"/api/webhooks/{hook['id']}")
    assert (Webhook.objects.count(), WebhookDelivery.objects.count()) == (0, 0)


def test_deleted_person_leaves_nothing(
    alice: User, alice_admin: APIClient, add: Add, receiver: Receiver
) -> None:
    add()
    remember(alice_admin, "I keep bees.")
    delete_person(User.objects.get(pk=alice.pk))
    run_due_jobs()
    assert (Webhook.objects.count(), WebhookDelivery.objects.count(), receiver.requests) == (0, 0, [])


def test_webhooks_of_another_are_not_seen(
    alice_admin: APIClient, bob: User, client_of: Any, add: Add, receiver: Receiver
) -> None:
    hook, bob_admin = add(), client_of(bob, scopes=("read", "write", "admin"))
    remember(bob_admin, "Bob keeps wasps.")
    run_due_jobs()
    assert receiver.requests == []
    assert bob_admin.get("/api/webhooks").json() == {"results": []}
    assert bob_admin.get(f"/api/webhooks/{hook['id']}").status_code == 404
    own = bob_admin.post("/api/webhooks", {"url": receiver.url}).json()
    mixed = f"/api/webhooks/{own['id']}/deliveries/{_deliver_one(alice_admin, hook)}/retry"
    assert bob_admin.post(mixed).status_code == 404


def _deliver_one(client: APIClient, hook: dict[str, Any]) -> str:
    return str(client.post(f"/api/webhooks/{hook['id']}/test").json()["id"])


def test_acts_are_recorded(alice_admin: APIClient, add: Add, receiver: Receiver) -> None:
    hook = add()
    alice_admin.patch(f"/api/webhooks/{hook['id']}", {"url": f"{receiver.url}/2"})
    alice_admin.post(f"/api/webhooks/{hook['id']}/secret")
    alice_admin.delete(f"/api/webhooks/{hook['id']}")
    acts = ["add webhook", "change webhook", "renew webhook secret", "remove webhook"]
    assert list(AuditEntry.objects.order_by("created_at").values_list("act", flat=True)) == acts


@pytest.mark.parametrize(
    ("state", "days", "left"),
    [("delivered", 15, 0), ("failed", 15, 0), ("delivered", 13, 1), ("pending", 15, 1), ("pending", 31, 0)],
)
def test_old_deliveries_are_deleted(
    alice_admin: APIClient, add: Add, state: str, days: int, left: int
) -> None:
    hook = add()
    alice_admin.post(f"/api/webhooks/{hook['id']}/test")
    WebhookDelivery.objects.update(created_at=timezone.now() - timedelta(days=days), status=state)
    prune()
    assert WebhookDelivery.objects.count() == left
