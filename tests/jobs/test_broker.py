"""django-q2's queue as we use it."""

from __future__ import annotations

from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import OperationalError, connections
from django.utils import timezone
from django_q.brokers import get_broker
from django_q.brokers.orm import ORM
from django_q.conf import Conf
from django_q.models import OrmQ

from memsite.jobs import broker, enqueue
from memsite.jobs.conf import LONG, MOST_LONG
from memsite.jobs.runner import run

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


def test_thousands_of_jobs_of_one_owner_count_as_one_job_of_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Conf, "POLL", 0)
    many, one = uuid4(), uuid4()
    for _ in range(50):
        enqueue(NOTHING, owner=many)
    other = enqueue(NOTHING, owner=one)
    tickets = broker.Tickets()
    fetched = {ticket[0][0] for ticket in (tickets.dequeue(), tickets.dequeue()) if ticket}
    assert len(fetched) == 2
    assert other.ticket in fetched
    assert tickets.dequeue() is None


def test_the_next_of_an_owner_follows_when_the_first_has_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Conf, "POLL", 0)
    owner = uuid4()
    first, second = enqueue(NOTHING, owner=owner), enqueue(NOTHING, owner=owner)
    tickets = broker.Tickets()
    assert [tickets.dequeue(), tickets.dequeue()][1] is None
    run(str(first.pk))
    fetched = tickets.dequeue()
    assert fetched is not None
    assert fetched[0][0] == second.ticket


def test_long_jobs_leave_a_process_to_short_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Conf, "POLL", 0)
    for _ in range(MOST_LONG + 1):
        enqueue(NOTHING, owner=uuid4(), timeout=LONG)
    short = enqueue(NOTHING, owner=uuid4())
    tickets = broker.Tickets()
    fetched = [tickets.dequeue() for _ in range(MOST_LONG + 2)]
    assert short.ticket in {ticket[0][0] for ticket in fetched if ticket}
    assert fetched[-1] is None


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
