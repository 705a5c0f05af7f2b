"""Scheduled tasks of accounts."""

from __future__ import annotations

from typing import Final

from memsite.jobs import Schedule

SCHEDULES: Final[tuple[Schedule, ...]] = (
    Schedule("accounts.prune", "memsite.accounts.pruning.prune", cron="37 3 * * *"),
)
