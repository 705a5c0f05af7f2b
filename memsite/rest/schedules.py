"""What the API does by the clock."""

from __future__ import annotations

from typing import Final

from memsite.jobs import Schedule

SCHEDULES: Final[tuple[Schedule, ...]] = (
    Schedule("rest.prune", "memsite.rest.pruning.prune", cron="27 * * * *"),
)
