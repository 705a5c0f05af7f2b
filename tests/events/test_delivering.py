"""What the job does when receivers fail, hang, redirect, drip or lie, and when it is killed."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from memsite.events.models import LogEntry, Webhook, WebhookDelivery
from memsite.events.types import DeliveryStatus
from memsite.events.webhooks import outcomes, sending
from memsite.events.webhooks.delivering import Deliverer, sweep
from memsite.events.webhooks.outcomes import RETRIES, plan_pause, plan_retry
from memsite.events.webhooks.sending import Failure, read_retry_after
from memsite.jobs import hold_lease, run_due_jobs
from memsite.jobs.models import Job
from memsite.serving.postgres import acting_for
from tests.events.conftest import Add
from tests.events.receiver import Receiver, Step, cut, drip, hang, lie, status
from tests.events.test_webhooks import remember

Deliver = Callable[..., int]


@pytest.fixture
def deliver() -> Deliver:
    """Send what is due some seconds after the first call, as the job does; return the number of attempts."""
    started: list[datetime] = []

    def run(after: float = 0.0) -> int:
        started.append(timezone.now())
        now = started[0] + timedelta(seconds=after)
        with acting_for(None), hold_lease("events.webhooks", 120) as lease:
            return Deliverer(lease, clock=lambda: now).run()

    return run


@pytest.fixture
def hook(transactional_db: None, add: Add) -> Webhook:
    return Webhook.objects.get(pk=add()["id"])


def only_delivery() -> WebhookDelivery:
    return WebhookDelivery.objects.get()


def pause_of(row: WebhookDelivery) -> float:
    assert row.attempted_at is not None
    return (row.next_attempt_at - row.attempted_at).total_seconds()


@pytest.mark.parametrize(
    ("step", "failure", "code"),
    [
        (status(500, b"no"), Failure.STATUS, 500),
        (status(404), Failure.STATUS, 404),
        (status(302, Location="http://169.254.169.254/latest"), Failure.REDIRECT, 302),
        (status(304), Failure.REDIRECT, 304),
        (cut, Failure.CONNECTION, None),
        (lie, Failure.CONNECTION, None),
        (hang, Failure.TIMEOUT, None),
        (drip, Failure.TIMEOUT, None),
    ],
)
def test_attempt_fails_and_is_repeated(
    step: Step,
    failure: Failure,
    code: int | None,
    hook: Webhook,
    receiver: Receiver,
    alice_api: APIClient,
    deliver: Deliver,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sending, "TIMEOUT_SECONDS", 1.0)
    receiver.script(step)
    remember(alice_api, "I keep bees.")
    began = time.monotonic()
    assert deliver() == 1
    assert time.monotonic() - began < 20
    row = only_delivery()
    assert (row.error, row.status_code, row.status, row.attempts) == (failure, code, "pending", 1)
    assert 4 < pause_of(row) < 6
    assert (deliver(2), deliver(6)) == (0, 1)
    assert receiver.ids == ["evt_1", "evt_1"]
    assert only_delivery().status == DeliveryStatus.DELIVERED


def test_receiver_that_is_down_is_tried_ten_times(
    hook: Webhook, receiver: Receiver, alice_api: APIClient, deliver: Deliver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memsite.events.webhooks.outcomes.random.random", lambda: 0.0)
    receiver.script(*[status(500)] * 10)
    remember(alice_api, "I keep bees.")
    after, waited = 0.0, []
    while deliver(after) and only_delivery().status == DeliveryStatus.PENDING:
        row = only_delivery()
        waited.append(round(pause_of(row)))
        after += waited[-1] + 1
    assert waited == [5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400]
    assert (only_delivery().status, only_delivery().attempts) == ("failed", 10)
    assert len(set(receiver.ids)) == 1
    assert len({one.headers["webhook-timestamp"] for one in receiver.requests}) == 10


def test_retry_after_is_obeyed(
    hook: Webhook, receiver: Receiver, alice_api: APIClient, deliver: Deliver
) -> None:
    receiver.script(status(503, Retry_After="90"))
    remember(alice_api, "I keep bees.")
    remember(alice_api, "I have two cats.")
    assert [deliver(0), deliver(60), deliver(95)] == [1, 0, 2]


def test_receiver_that_asks_for_less_gets_a_pause(
    hook: Webhook, receiver: Receiver, alice_api: APIClient, deliver: Deliver
) -> None:
    receiver.script(status(429))
    remember(alice_api, "I keep bees.")
    assert [deliver(0), deliver(30), deliver(65)] == [1, 0, 1]


def test_refused_event_stops_no_other(
    hook: Webhook, receiver: Receiver, alice_api: APIClient, deliver: Deliver
) -> None:
    receiver.script(status(500))
    for number in range(3):
        remember(alice_api, f"Bee number {number} is called Berta {number}.")
    assert deliver() == 3
    assert receiver.ids == ["evt_1", "evt_2", "evt_3"]
    assert WebhookDelivery.objects.filter(status="delivered").count() == 2


def test_failing_webhook_does_not_hold_up_others(
    hook: Webhook,
    alice_api: APIClient,
    add: Add,
    receiver: Receiver,
    deliver: Deliver,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sending, "TIMEOUT_SECONDS", 1.5)
    add()
    receiver.script(hang)
    for number in range(4):
        remember(alice_api, f"Bee number {number} is called Berta {number}.")
    began = time.monotonic()
    deliver()
    delivered = WebhookDelivery.objects.filter(status="delivered")
    assert time.monotonic() - began < 20
    assert delivered.count() == 7


def test_messages_to_one_webhook_come_one_after_the_other(
    hook: Webhook, receiver: Receiver, alice_api: APIClient, deliver: Deliver
) -> None:
    for number in range(12):
        remember(alice_api, f"Bee number {number} is called Berta {number}.")
    assert deliver() == 12
    assert receiver.ids == [f"evt_{number}" for number in range(1, 13)]


def test_receiver_that_is_gone_is_switched_off(
    hook: Webhook, receiver: Receiver, alice_api: APIClient, add: Add, deliver: Deliver
) -> None:
    receiver.script(status(410))
    remember(alice_api, "I keep bees.")
    deliver()
    hook.refresh_from_db()
    entry = LogEntry.objects.get(type="webhook.disabled")
    assert (hook.is_on, hook.off_reason, only_delivery().status) == (False, "gone", "failed")
    assert (entry.action, entry.actor) == ("gone", f"webhook:{hook.pk}")
    remember(alice_api, "I have two cats.")
    assert deliver(100_000) == 0


def test_five_days_of_failure_switch_it_off_and_tell_the_others(
    hook: Webhook, receiver: Receiver, alice_api: APIClient, add: Add, deliver: Deliver
) -> None:
    add(types=["webhook.disabled"])
    receiver.script(*[status(500)] * 3)
    remember(alice_api, "I keep bees.")
    deliver()
    deliver(5 * 86_400 - 3600)
    hook.refresh_from_db()
    assert hook.is_on
    deliver(5 * 86_400 + 3600)
    deliver(5 * 86_400 + 3601)
    hook.refresh_from_db()
    assert hook.off_reason == "failing"
    assert b"webhook.disabled" in receiver.requests[-1].body


def test_success_ends_the_count_of_failures(
    hook: Webhook, receiver: Receiver, alice_api: APIClient, deliver: Deliver
) -> None:
    receiver.script(status(500))
    remember(alice_api, "I keep bees.")
    deliver()
    deliver(10)
    hook.refresh_from_db()
    assert (hook.failures, hook.failing_since, hook.paused_until) == (0, None, None)


def test_secrets_in_an_answer_are_not_kept(
    hook: Webhook, receiver: Receiver, alice_api: APIClient, deliver: Deliver
) -> None:
    secret = "sk-proj-Zx81kQpLm29dTbVw7YcRa3NfGh5JsUe0"
    receiver.script(status(500, f"bad key {secret} \x00 ".encode() + b"x" * 5_000))
    remember(alice_api, "I keep bees.")
    deliver()
    kept = only_delivery().response
    assert kept.startswith("bad key [redacted")
    assert secret not in kept
    assert len(kept) <= 1024


def test_killed_job_loses_nothing(
    hook: Webhook, receiver: Receiver, alice_api: APIClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The worker dies after the receiver's answer, before it is recorded."""

    def die(*_: Any, **__: Any) -> None:
        raise SystemExit("killed")

    for number in range(3):
        remember(alice_api, f"Bee number {number} is called Berta {number}.")
    with monkeypatch.context() as patch:
        patch.setattr("memsite.events.webhooks.delivering.record_answer", die)
        with pytest.raises(SystemExit):
            run_due_jobs()
    Job.objects.all().delete()
    sweep()
    run_due_jobs()
    assert receiver.ids == ["evt_1", "evt_1", "evt_2", "evt_3"]
    assert set(WebhookDelivery.objects.values_list("status", flat=True)) == {"delivered"}


def test_event_whose_job_was_lost_is_swept_up(
    hook: Webhook, receiver: Receiver, alice_api: APIClient
) -> None:
    remember(alice_api, "I keep bees.")
    Job.objects.all().delete()
    sweep()
    run_due_jobs()
    assert receiver.ids == ["evt_1"]


def test_next_attempt_is_queued_in_time(
    hook: Webhook, receiver: Receiver, alice_api: APIClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outcomes, "RETRIES", (50, 60))
    receiver.script(status(500))
    remember(alice_api, "I keep bees.")
    run_due_jobs()
    job = Job.objects.get(unique_key="events.webhooks", status="queued")
    assert abs((job.run_after - only_delivery().next_attempt_at).total_seconds()) < 3


def test_changed_secret_key_of_the_site_fails_the_attempt(
    hook: Webhook, receiver: Receiver, alice_api: APIClient, deliver: Deliver, settings: Any
) -> None:
    remember(alice_api, "I keep bees.")
    settings.SECRET_KEY = "another-key-of-fifty-characters-or-more-0123456789"
    assert deliver() == 1
    assert (only_delivery().error, receiver.requests) == ("secret", [])


def test_job_that_lost_its_lease_records_nothing(
    hook: Webhook, receiver: Receiver, alice_api: APIClient, transactional_db: None
) -> None:
    remember(alice_api, "I keep bees.")
    now = timezone.now()
    with pytest.raises(Exception, match="took the lease"):
        Deliverer(hook.pk, clock=lambda: now).run()
    assert only_delivery().status == DeliveryStatus.PENDING


@pytest.mark.parametrize("attempts", range(1, 12))
@pytest.mark.parametrize("chance", [0.0, 0.99])
def test_pause_follows_the_standard(attempts: int, chance: float) -> None:
    delay = plan_retry(attempts, chance=chance)
    if attempts > 9:
        assert delay is None
    else:
        assert delay is not None
        assert RETRIES[attempts - 1] <= delay <= 1.1 * RETRIES[attempts - 1]


def test_pauses_of_a_webhook_grow_to_five_minutes() -> None:
    assert [plan_pause(failures) for failures in (1, 2, 3, 4, 9, 1000)] == [0, 0, 5, 10, 300, 300]
    assert plan_pause(1, 429) == 60
    assert plan_pause(1, 429, retry_after=7) == 7
    assert plan_pause(1, 503, retry_after=10**9) == 86_400


NOON = datetime.fromisoformat("2026-03-01T12:00:00+00:00")


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("120", 120),
        (" 5 ", 5),
        ("", None),
        ("soon", None),
        ("-5", None),
        ("9" * 400, 999_999_999),
        ("Sun, 01 Mar 2026 12:01:00 GMT", 60),
        ("Sun, 01 Mar 2026 11:00:00 GMT", 0),
        ("Sun, 01 Mar 99999 11:00:00 GMT", None),
        ("Sun, 01 Mar 99999999999999999999 11:00:00 GMT", None),
        ("Sun, 01 Mar 2026 11:00:00 +99999999999999", None),
    ],
)
def test_retry_after_is_read(value: str, seconds: float | None) -> None:
    assert read_retry_after(value, NOON) == seconds
