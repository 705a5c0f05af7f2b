"""Scheduled tasks of the event log."""

from __future__ import annotations

from typing import Final

from memsite.jobs import Schedule

SCHEDULES: Final[tuple[Schedule, ...]] = (
    Schedule("events.prune", "memsite.events.pruning.prune", cron="47 3 * * *"),
    Schedule("events.webhooks", "memsite.events.webhooks.sweep", minutes=1, at_start=True),
)
