"""Scheduled tasks of export and import."""

from __future__ import annotations

from typing import Final

from memsite.jobs import Schedule

SCHEDULES: Final[tuple[Schedule, ...]] = (
    Schedule("porting.sweep", "porting.tasks.sweep", cron="23 * * * *"),
)
