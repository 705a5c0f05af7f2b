"""The database's clock, by which jobs are due: the clocks of processes may differ, and may be set back."""

from __future__ import annotations

import time
from datetime import datetime, timedelta
from typing import Final

from django.db import connection

#: Seconds for which one reading is used. In between, this process measures by a clock that nobody sets.
_READ_EVERY: Final = 10.0


class _Reading:
    """The time of the database at a moment of the monotonic clock."""

    def __init__(self) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT clock_timestamp()")
            self.time: datetime = cursor.fetchone()[0]
        self.at = time.monotonic()


_last: _Reading | None = None


def now() -> datetime:
    """Return the database's time. Costs a statement every ten seconds."""
    global _last  # noqa: PLW0603 - one reading for the whole process
    reading = _last
    if reading is None or not 0.0 <= time.monotonic() - reading.at < _READ_EVERY:
        reading = _last = _Reading()
    return reading.time + timedelta(seconds=time.monotonic() - reading.at)
