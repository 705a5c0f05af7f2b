"""Background jobs: work that outlives a request.

A job is queued in the caller's transaction and runs at least once, so every task must be safe to repeat.

    enqueue(task, *ids, owner=…, unique_key=…)     queue `task`; commits or rolls back with the caller
    find_job(job_id, owner=…)                      return the row of a job
    run_due_jobs()                                 run the due jobs in this process (tests, commands)
    hold_lease(name, seconds), check_lease(token)  work one at a time; refuse a write after the lease was lost
    Schedule(name, task, cron=… | minutes=…)       one entry of an app's `schedules.SCHEDULES`
    get_heartbeat_age()                            seconds since a worker was last able to work

Names are imported on first use, because Django imports this package before models can be imported.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from memsite.jobs.heartbeat import get_heartbeat_age
    from memsite.jobs.leases import (
        LeaseBusy,
        LeaseLost,
        acquire_lease,
        check_lease,
        hold_lease,
        release_lease,
        renew_lease,
    )
    from memsite.jobs.queue import delete_jobs_of, enqueue, find_job
    from memsite.jobs.runner import run_due_jobs
    from memsite.jobs.schedules import Schedule, list_schedules

__all__ = [
    "LeaseBusy",
    "LeaseLost",
    "Schedule",
    "acquire_lease",
    "check_lease",
    "delete_jobs_of",
    "enqueue",
    "find_job",
    "get_heartbeat_age",
    "hold_lease",
    "list_schedules",
    "release_lease",
    "renew_lease",
    "run_due_jobs",
]

_ROOMS: Final = {
    "heartbeat": ("get_heartbeat_age",),
    "leases": (
        "LeaseBusy",
        "LeaseLost",
        "acquire_lease",
        "check_lease",
        "hold_lease",
        "release_lease",
        "renew_lease",
    ),
    "queue": ("delete_jobs_of", "enqueue", "find_job"),
    "runner": ("run_due_jobs",),
    "schedules": ("Schedule", "list_schedules"),
}
_HOME: Final = {name: room for room, names in _ROOMS.items() for name in names}


def __getattr__(name: str) -> Any:  # noqa: ANN401 - any public name
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
