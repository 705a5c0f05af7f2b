from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from django.db import connection, transaction

from memsite.accounts.models import User
from memsite.errors import ModelError
from memsite.serving.processes.processes import wait_until
from threads.conf import RECALL_AT_ONCE
from threads.context.recall.timebox import TimeLimitExceeded, start_within

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def gate() -> Iterator[threading.Event]:
    """Calls wait for it; it opens when the test is over."""
    event = threading.Event()
    yield event
    event.set()


def users() -> int:
    return User.objects.count()


def failing() -> int:
    raise ModelError("the server is away")


def test_result_in_time_is_returned(alice: User) -> None:
    assert start_within(5000, users)() == 1


def test_call_has_a_connection_of_its_own_and_gives_it_back(alice: User) -> None:
    seen: list[int] = []

    def backend() -> None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_backend_pid()")
            seen.append(cursor.fetchone()[0])

    start_within(5000, backend)()
    backend()
    assert seen[0] != seen[1]

    def is_gone() -> bool:
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE pid = %s", [seen[0]])
            return bool(cursor.fetchone() == (0,))

    assert wait_until(is_gone, 10.0)  # the server's process ends a moment after its connection


def test_late_result_is_not_waited_for(gate: threading.Event) -> None:
    with pytest.raises(TimeLimitExceeded, match="longer than 20 ms"):
        start_within(20, gate.wait)()


def test_call_that_cannot_start_gives_its_place_back(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    with monkeypatch.context() as patched:
        patched.setattr(threading.Thread, "start", refuse)
        for _ in range(RECALL_AT_ONCE):
            with pytest.raises(TimeLimitExceeded, match="could not be started"):
                start_within(5000, users)()
    assert start_within(5000, users)() == 0


def test_failure_is_no_result() -> None:
    with pytest.raises(TimeLimitExceeded, match="failed"):
        start_within(5000, failing)()


def test_failure_inside_a_transaction_is_no_result() -> None:
    with transaction.atomic(), pytest.raises(TimeLimitExceeded, match="failed"):
        start_within(5000, failing)()


def test_rows_of_the_callers_transaction_are_seen() -> None:
    with transaction.atomic():
        User.objects.create_user(username="dora")
        assert start_within(5000, users)() == 1


def test_calls_that_hang_do_not_pile_up(gate: threading.Event) -> None:
    for _ in range(RECALL_AT_ONCE):
        with pytest.raises(TimeLimitExceeded, match="longer than"):
            start_within(5, gate.wait)()
    with pytest.raises(TimeLimitExceeded, match="too many"):
        start_within(5, users)()
