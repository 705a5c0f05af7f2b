"""Scheduled tasks of the API."""

from __future__ import annotations

from typing import Final

from memsite.jobs import Schedule

SCHEDULES: Final[tuple[Schedule, ...]] = (
    Schedule("rest.prune", "memsite.rest.pruning.prune", cron="27 * * * *"),
)
