"""Sample tasks for the tests of the queue; each does one thing that a task may do."""

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
from memsite.jobs import acquire_lease, check_lease, enqueue, hold_lease
from memsite.jobs.models import Lease

#: Folder in which tasks leave a mark if they must behave differently the second time.
MARKS = "JOBS_TEST_MARKS"
EFFECT = "effect:"


def echo(value: int) -> dict[str, int]:
    """Return the parameter, read back through the database."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT %s::int", [value])
        row = cursor.fetchone()
    return {"value": row[0], "process": os.getpid()}


def nothing() -> None:
    """Do nothing."""


def pick_up(key: str) -> int:
    """Count the effects with this key."""
    return Lease.objects.filter(name__startswith=f"{EFFECT}{key}").count()


def choke() -> None:
    """Fail with an error that quotes a person's text."""
    raise ValueError("the diary of Anna")


def refuse() -> None:
    """Fail for good."""
    raise InvalidInput("The thread is closed.")


def opaque() -> object:
    """Return a value that JSON cannot represent."""
    return object()


def more(value: int) -> None:
    """Queue another job."""
    enqueue("tests.jobs.sample_tasks.echo", value)


def busy(name: str) -> None:
    """Take a lease and release it."""
    with hold_lease(name, 60):
        pass


def busy_forever(name: str) -> None:
    """Take a lease and keep it."""
    acquire_lease(name, 300)


def overrun() -> None:
    """End as if cut off by the timeout."""
    raise SystemExit("too long")


def suicide() -> None:
    """Kill the own process, as the kernel does when memory runs out."""
    os.kill(os.getpid(), signal.SIGKILL)


def first_time_forever(key: str) -> str:
    """Hang the first time while holding a lease; later leave the effect, which fails if it exists."""
    with hold_lease(f"turn:{key}", 300) as token:
        if _is_first(key):
            time.sleep(300)
        with transaction.atomic():
            check_lease(token)
            leave_effect(key)
    return "second"


def leave_effect(key: str) -> None:
    """Leave an effect that is possible once: a second one of the same key is an IntegrityError."""
    name, never = f"{EFFECT}{key}", timezone.now() + timedelta(days=365)
    Lease.objects.create(name=name, token=uuid.uuid4(), expires_at=never)


def _is_first(key: str) -> bool:
    mark = Path(os.environ[MARKS]) / key
    if mark.exists():
        return False
    mark.touch()
    return True
