"""Schedules of the threads app."""

from __future__ import annotations

from typing import Final

from memsite.jobs import Schedule

SCHEDULES: Final[tuple[Schedule, ...]] = (
    Schedule("threads.sweep", "threads.tasks.sweep", minutes=5, at_start=True),
    Schedule("threads.sweep_replies", "threads.tasks.sweep_replies", minutes=1, at_start=True),
    Schedule("threads.sweep_summaries", "threads.tasks.sweep_summaries", minutes=5, at_start=True),
    Schedule("threads.expire_temporary", "threads.tasks.expire_temporary", minutes=10, at_start=True),
)
