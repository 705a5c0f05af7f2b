"""Define the schedules of the tasks on memories."""

from __future__ import annotations

from typing import Final

from memsite.jobs import Schedule

SCHEDULES: Final[tuple[Schedule, ...]] = (
    Schedule("memories.roll_up_accesses", "memories.tasks.roll_up_accesses", minutes=1),
    Schedule("memories.embed_missing", "memories.tasks.embed_missing", minutes=5, at_start=True),
    Schedule(
        "memories.fill_in_sentences",
        "memories.tasks.fill_in_sentences",
        minutes=1,
        at_start=True,
        timeout=180,
    ),
    Schedule("memories.renormalise", "memories.tasks.renormalise", minutes=60, at_start=True),
    Schedule("memories.reflect_on_episodes", "memories.tasks.reflect_on_episodes", minutes=5, at_start=True),
    Schedule("memories.look_for_patterns", "memories.tasks.look_for_patterns", cron="50 2 * * *"),
    Schedule("memories.cap_episodes", "memories.tasks.cap_episodes", minutes=1),
    Schedule("memories.let_go", "memories.tasks.let_go", cron="10 3 * * *", timeout=900),
    Schedule("memories.purge_forgotten", "memories.tasks.purge_forgotten", cron="40 3 * * *", timeout=900),
    Schedule("memories.report_all", "memories.tasks.report_all", cron="30 4 * * *", timeout=300),
    Schedule("memories.report_site", "memories.tasks.report_site", cron="0 6 * * *", timeout=300),
)
