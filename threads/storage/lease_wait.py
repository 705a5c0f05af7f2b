"""Run jobs that share a lease one at a time, and wait briefly for one that is about to end."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final
from uuid import UUID

from django.db import Error

from memsite.jobs import LeaseBusy, acquire_lease, release_lease
from threads.conf import LEASE_SECONDS

#: Seconds to wait for the lease before the job is put back, and between attempts.
PATIENCE: Final = 1.0
_PAUSE: Final = 0.05


@contextmanager
def wait_for_lease(name: str) -> Iterator[UUID]:
    """Hold the lease `name`, and yield its token. Waits up to a second for it.

    Raises:
        LeaseBusy: If it is still held after that.
    """
    token = _patiently(name)
    try:
        yield token
    finally:
        with suppress(Error):  # an error in the block matters more than a lease that expires anyway
            release_lease(token)


def _patiently(name: str) -> UUID:
    end = time.monotonic() + PATIENCE
    while True:
        try:
            return acquire_lease(name, LEASE_SECONDS)
        except LeaseBusy:
            if time.monotonic() > end:
                raise
            time.sleep(_PAUSE)
