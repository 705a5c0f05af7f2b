"""Leases: one holder at a time across processes, and no write by a holder who lost the lease.

    with lease(f"learn:{owner}", 120) as token:
        …slow work, no transaction…
        with transaction.atomic():
            check_lease(token)
            …the final write…

A lease is a row with a *token*, which changes only in the database. A holder whose lease expired and was
taken by another finds out in `check_lease` at the latest. A lease taken in a job ends with the job's
attempt, also when its worker is killed.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta

from django.db import Error
from django.db.models.functions import Now

from memsite.errors import Conflict
from memsite.jobs import processes
from memsite.jobs.models import Lease


class LeaseBusy(Conflict):
    """Another process holds the lease. A job that raises this is retried soon; the attempt does not count."""

    code = "busy"


class LeaseLost(Conflict):
    """Another process took the lease meanwhile: nothing may be written."""

    code = "lease_lost"


def acquire_lease(name: str, seconds: float) -> uuid.UUID:
    """Take the lease `name` for `seconds` from now. Call it outside a transaction.

    Returns:
        The token of the lease.

    Raises:
        LeaseBusy: If another process holds it.
    """
    token = uuid.uuid4()
    until = Now() + timedelta(seconds=seconds)
    mine = {"token": token, "expires_at": until, "claim": processes.current_claim.get()}
    if Lease.objects.filter(name=name, expires_at__lte=Now()).update(**mine):
        return token
    Lease.objects.bulk_create([Lease(name=name, **mine)], ignore_conflicts=True)
    if not Lease.objects.filter(name=name, token=token).exists():
        raise LeaseBusy("Another process holds this lease.", {"lease": name})
    return token


def renew_lease(token: uuid.UUID, seconds: float) -> None:
    """Extend the lease to `seconds` from now.

    Raises:
        LeaseLost: If another process took it.
    """
    if not Lease.objects.filter(token=token).update(expires_at=Now() + timedelta(seconds=seconds)):
        raise LeaseLost("Another process took the lease meanwhile.")


def release_lease(token: uuid.UUID) -> None:
    """End the lease now; do nothing if another process took it."""
    Lease.objects.filter(token=token).delete()


def check_lease(token: uuid.UUID) -> None:
    """Lock the lease until the transaction of the final write ends.

    An expired lease that nobody took still belongs to its holder.

    Raises:
        LeaseLost: If another process took it.
        TransactionManagementError: Outside a transaction.
    """
    held = Lease.objects.select_for_update(no_key=True).filter(token=token)
    if held.first() is None:
        raise LeaseLost("Another process took the lease meanwhile.")


@contextmanager
def hold_lease(name: str, seconds: float) -> Iterator[uuid.UUID]:
    """Hold the lease `name` within the block, for at most `seconds`; yield its token.

    Raises:
        LeaseBusy: At once, if another process holds it.
    """
    token = acquire_lease(name, seconds)
    try:
        yield token
    except BaseException:
        with suppress(Error):  # the error in the block matters more than a lease that will expire
            release_lease(token)
        raise
    release_lease(token)
