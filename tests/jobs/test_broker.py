"""django-q2's queue as we use it."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import OperationalError, connections
from django.utils import timezone
from django_q.brokers import get_broker
from django_q.brokers.orm import ORM
from django_q.conf import Conf
from django_q.models import OrmQ

from memsite.jobs import broker, enqueue

pytestmark = pytest.mark.django_db
NOTHING = "tests.jobs.sample_tasks.nothing"


def test_django_q2_uses_our_broker() -> None:
    assert isinstance(get_broker(), broker.Tickets)


def test_retry_is_long_enough_for_a_prefetched_ticket() -> None:
    rounds = 1 + -(-(Conf.QUEUE_LIMIT + 1) // Conf.WORKERS)
    assert Conf.TIMEOUT * rounds + 5 < Conf.RETRY


def test_first_due_is_first_out() -> None:
    late, early = enqueue(NOTHING), enqueue(NOTHING)
    now = timezone.now()
    OrmQ.objects.filter(pk=late.ticket).update(lock=now - timedelta(seconds=1))
    OrmQ.objects.filter(pk=early.ticket).update(lock=now - timedelta(seconds=9))
    tickets = broker.Tickets()
    fetched = [tickets.dequeue(), tickets.dequeue()]
    assert [ticket and ticket[0][0] for ticket in fetched] == [early.ticket, late.ticket]


def test_ticket_put_off_is_not_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Conf, "POLL", 0)
    enqueue(NOTHING, delay=60)
    assert broker.Tickets().dequeue() is None


def test_lost_database_makes_the_broker_wait_not_end(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_args: object) -> None:
        raise OperationalError

    monkeypatch.setattr(broker, "_PAUSE", 0)
    monkeypatch.setattr(connections[Conf.ORM], "close", lambda: None)
    monkeypatch.setattr(ORM, "dequeue", fail)
    monkeypatch.setattr(ORM, "acknowledge", fail)
    assert broker.Tickets().dequeue() is None
    broker.Tickets().acknowledge(1)
