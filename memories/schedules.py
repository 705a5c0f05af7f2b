"""What happens to memories by the clock."""

from __future__ import annotations

from typing import Final

from memsite.jobs import Schedule

SCHEDULES: Final[tuple[Schedule, ...]] = (
    Schedule("memories.roll_up_accesses", "memories.tasks.roll_up_accesses", minutes=1),
    Schedule("memories.embed_missing", "memories.tasks.embed_missing", minutes=5, at_start=True),
)
