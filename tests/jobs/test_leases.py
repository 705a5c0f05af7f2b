"""One at a time, and no late write by one whose turn is over."""

from __future__ import annotations

import threading
import uuid

import pytest
from django.db import connection, transaction
from django.db.transaction import TransactionManagementError

from memsite.jobs import (
    LeaseBusy,
    LeaseLost,
    acquire_lease,
    check_lease,
    hold_lease,
    release_lease,
    renew_lease,
)
from memsite.jobs.models import Lease

pytestmark = pytest.mark.django_db


def test_lease_is_one_persons_at_a_time() -> None:
    acquire_lease("learn:1", 60)
    with pytest.raises(LeaseBusy):
        acquire_lease("learn:1", 60)


def test_leases_of_other_names_are_free() -> None:
    acquire_lease("learn:1", 60)
    acquire_lease("learn:2", 60)


def test_released_lease_is_free() -> None:
    release_lease(acquire_lease("learn:1", 60))
    acquire_lease("learn:1", 60)


def test_expired_lease_is_free() -> None:
    old = acquire_lease("learn:1", -1)
    assert acquire_lease("learn:1", 60) != old


def test_renewed_lease_is_not_free() -> None:
    renew_lease(acquire_lease("learn:1", -1), 60)
    with pytest.raises(LeaseBusy):
        acquire_lease("learn:1", 60)


def test_stale_holder_may_not_write() -> None:
    stale = acquire_lease("learn:1", -1)
    acquire_lease("learn:1", 60)
    with pytest.raises(LeaseLost), transaction.atomic():
        check_lease(stale)


def test_stale_holder_may_not_renew() -> None:
    stale = acquire_lease("learn:1", -1)
    acquire_lease("learn:1", 60)
    with pytest.raises(LeaseLost):
        renew_lease(stale, 60)


def test_stale_holder_releases_nothing() -> None:
    stale = acquire_lease("learn:1", -1)
    fresh = acquire_lease("learn:1", 60)
    release_lease(stale)
    check_lease(fresh)


def test_expired_lease_that_nobody_took_still_covers_the_write() -> None:
    check_lease(acquire_lease("learn:1", -1))


def test_token_that_never_was_may_not_write() -> None:
    with pytest.raises(LeaseLost):
        check_lease(uuid.uuid4())


def test_block_has_the_lease_and_gives_it_back() -> None:
    with hold_lease("learn:1", 60) as token:
        check_lease(token)
    assert not Lease.objects.exists()


def test_block_that_fails_gives_the_lease_back() -> None:
    with pytest.raises(ValueError, match="no"), hold_lease("learn:1", 60):
        raise ValueError("no")
    assert not Lease.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_check_outside_a_transaction_is_an_error() -> None:
    token = acquire_lease("learn:1", 60)
    with pytest.raises(TransactionManagementError):
        check_lease(token)


@pytest.mark.django_db(transaction=True)
def test_nobody_takes_an_expired_lease_during_the_final_write() -> None:
    token = acquire_lease("learn:1", -1)
    written: list[str] = []

    def take_over() -> None:
        acquire_lease("learn:1", 60)
        written.append("other")
        connection.close()

    with transaction.atomic():
        check_lease(token)
        other = threading.Thread(target=take_over)
        other.start()
        other.join(timeout=0.3)  # it may try, but must not have it
        written.append("holder")
    other.join()
    assert written == ["holder", "other"]
