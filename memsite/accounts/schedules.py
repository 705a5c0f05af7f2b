"""Scheduled tasks of accounts."""

from __future__ import annotations

from typing import Final

from memsite.jobs import Schedule

SCHEDULES: Final[tuple[Schedule, ...]] = (
    Schedule(
        "accounts.carry_out_deletions",
        "memsite.accounts.deletion.running.carry_out_due",
        cron="7 4 * * *",
        at_start=True,  # goes on with what a killed worker left
    ),
    Schedule(
        "accounts.prune_registrations",
        "memsite.accounts.oauth.programs.prune_registrations",
        cron="57 3 * * *",
    ),
    Schedule("accounts.prune", "memsite.accounts.pruning.prune", cron="37 3 * * *"),
)
