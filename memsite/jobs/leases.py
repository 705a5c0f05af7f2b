"""Leases: one at a time, across processes, and no late write by one whose turn is over.

    with lease(f"learn:{owner}", 120) as token:
        …slow work, no transaction…
        with transaction.atomic():
            check_lease(token)
            …the final write…

A lease is a row. Its *token* changes hands only through the database, so a holder that slept past
the end of its turn learns so in `check_lease`, at the latest. A lease taken in a job ends with the
job's attempt, also when its worker is killed.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta

from django.db import Error
from django.db.models.functions import Now

from memsite.errors import Conflict
from memsite.jobs import claims
from memsite.jobs.models import Lease


class LeaseBusy(Conflict):
    """Somebody else has the lease. A job that raises it is tried again soon, at no cost."""

    code = "busy"


class LeaseLost(Conflict):
    """The lease went to somebody else meanwhile: nothing may be written."""

    code = "lease_lost"


def acquire(name: str, seconds: float) -> uuid.UUID:
    """Take the lease `name` for `seconds` from now; returns its token. Call it outside a transaction.

    Raises LeaseBusy while somebody else has it.
    """
    token = uuid.uuid4()
    until = Now() + timedelta(seconds=seconds)
    mine = {"token": token, "expires_at": until, "claim": claims.current.get()}
    if Lease.objects.filter(name=name, expires_at__lte=Now()).update(**mine):
        return token
    Lease.objects.bulk_create([Lease(name=name, **mine)], ignore_conflicts=True)
    if not Lease.objects.filter(name=name, token=token).exists():
        raise LeaseBusy("Somebody else is at it.", {"lease": name})
    return token


def renew(token: uuid.UUID, seconds: float) -> None:
    """Let the lease end `seconds` from now instead. Raises LeaseLost if it is somebody else's."""
    if not Lease.objects.filter(token=token).update(expires_at=Now() + timedelta(seconds=seconds)):
        raise LeaseLost("Somebody else took over meanwhile.")


def release(token: uuid.UUID) -> None:
    """End the lease now; nothing happens if it is somebody else's."""
    Lease.objects.filter(token=token).delete()


def check_lease(token: uuid.UUID) -> None:
    """Inside the transaction of the final write: hold the lease until it ends.

    An expired lease that nobody took is still the holder's. Raises LeaseLost if somebody took it,
    and TransactionManagementError outside a transaction.
    """
    held = Lease.objects.select_for_update(no_key=True).filter(token=token)
    if held.first() is None:
        raise LeaseLost("Somebody else took over meanwhile.")


@contextmanager
def lease(name: str, seconds: float) -> Iterator[uuid.UUID]:
    """Have the lease `name` within the block, for at most `seconds`; gives its token.

    Raises LeaseBusy at once if somebody else has it.
    """
    token = acquire(name, seconds)
    try:
        yield token
    except BaseException:
        with suppress(Error):  # what went wrong in the block matters more than a lease that will expire
            release(token)
        raise
    release(token)
