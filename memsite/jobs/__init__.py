"""Background jobs: work that outlives a request.

A job is queued in the caller's transaction and runs at least once, so every task must be safe to repeat.

    enqueue(task, *ids, owner=…, unique_key=…)   queue `task`; commits or rolls back with the caller
    find(job_id, owner=…)                        return the row of a job
    drain()                                      run the due jobs in this process (tests, commands)
    lease(name, seconds), check_lease(token)     work one at a time; refuse a write after the lease was lost
    Schedule(name, task, cron=… | minutes=…)     one entry of an app's `schedules.SCHEDULES`
    heartbeat_age()                              seconds since a worker was last able to work

Names are imported on first use, because Django imports this package before models can be imported.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from memsite.jobs.heartbeat import heartbeat_age
    from memsite.jobs.leases import LeaseBusy, LeaseLost, acquire, check_lease, lease, release, renew
    from memsite.jobs.queue import delete_owner, enqueue, find
    from memsite.jobs.runner import drain
    from memsite.jobs.schedules import Schedule, declared

__all__ = [
    "LeaseBusy",
    "LeaseLost",
    "Schedule",
    "acquire",
    "check_lease",
    "declared",
    "delete_owner",
    "drain",
    "enqueue",
    "find",
    "heartbeat_age",
    "lease",
    "release",
    "renew",
]

_ROOMS: Final = {
    "heartbeat": ("heartbeat_age",),
    "leases": ("LeaseBusy", "LeaseLost", "acquire", "check_lease", "lease", "release", "renew"),
    "queue": ("delete_owner", "enqueue", "find"),
    "runner": ("drain",),
    "schedules": ("Schedule", "declared"),
}
_HOME: Final = {name: room for room, names in _ROOMS.items() for name in names}


def __getattr__(name: str) -> Any:  # noqa: ANN401 - any public name
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
