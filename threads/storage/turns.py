"""Taking turns: one job an owner at a time, with a little patience for one that is about to end."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final
from uuid import UUID

from django.db import Error

from memsite.jobs import LeaseBusy, acquire, release
from threads.conf import LEASE_SECONDS

#: Seconds to wait for a turn before the job is put back, and between tries.
PATIENCE: Final = 1.0
_PAUSE: Final = 0.05


@contextmanager
def turn(name: str) -> Iterator[UUID]:
    """The lease `name`, waited for up to a second; gives its token. Raises LeaseBusy after that."""
    token = _patiently(name)
    try:
        yield token
    finally:
        with suppress(Error):  # what went wrong in the block matters more than a lease that will expire
            release(token)


def _patiently(name: str) -> UUID:
    end = time.monotonic() + PATIENCE
    while True:
        try:
            return acquire(name, LEASE_SECONDS)
        except LeaseBusy:
            if time.monotonic() > end:
                raise
            time.sleep(_PAUSE)
