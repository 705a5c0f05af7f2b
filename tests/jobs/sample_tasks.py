"""Tasks for the tests of the queue. Each does one thing a task may do."""

from __future__ import annotations

import os
import signal
import time
import uuid
from datetime import timedelta
from pathlib import Path

from django.db import connection, transaction
from django.utils import timezone

from memsite.errors import InvalidInput
from memsite.jobs import acquire, check_lease, enqueue, lease
from memsite.jobs.models import Lease

#: Where tasks that must behave differently the second time leave their marks.
MARKS = "JOBS_TEST_MARKS"
EFFECT = "effect:"


def echo(value: int) -> dict[str, int]:
    """Answers with its parameter, by way of the database."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT %s::int", [value])
        row = cursor.fetchone()
    return {"value": row[0], "process": os.getpid()}


def nothing() -> None:
    """Does nothing."""


def pick_up(key: str) -> int:
    """Counts the effects there are with this key."""
    return Lease.objects.filter(name__startswith=f"{EFFECT}{key}").count()


def choke() -> None:
    """Fails with an error that quotes a person's text."""
    raise ValueError("the diary of Anna")


def refuse() -> None:
    """Fails for good."""
    raise InvalidInput("The thread is closed.")


def opaque() -> object:
    """Returns what JSON cannot tell."""
    return object()


def more(value: int) -> None:
    """Queues another job."""
    enqueue("tests.jobs.sample_tasks.echo", value)


def busy(name: str) -> None:
    """Wants a lease."""
    with lease(name, 60):
        pass


def busy_forever(name: str) -> None:
    """Takes a lease and keeps it."""
    acquire(name, 300)


def overrun() -> None:
    """Is cut off as by its timeout."""
    raise SystemExit("too long")


def suicide() -> None:
    """Kills its own process, as running out of memory would."""
    os.kill(os.getpid(), signal.SIGKILL)


def first_time_forever(key: str) -> str:
    """Hangs the first time with a lease in hand; later leaves its effect, which fails if it is there."""
    with lease(f"turn:{key}", 300) as token:
        if _is_first(key):
            time.sleep(300)
        with transaction.atomic():
            check_lease(token)
            leave_effect(key)
    return "second"


def leave_effect(key: str) -> None:
    """An effect that can be had once: a second one of the same key is an IntegrityError."""
    name, never = f"{EFFECT}{key}", timezone.now() + timedelta(days=365)
    Lease.objects.create(name=name, token=uuid.uuid4(), expires_at=never)


def _is_first(key: str) -> bool:
    mark = Path(os.environ[MARKS]) / key
    if mark.exists():
        return False
    mark.touch()
    return True
