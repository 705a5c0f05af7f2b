"""Work that outlives a request: queued in the caller's transaction, done at least once, safe to repeat.

    enqueue(task, *ids, owner=…, unique_key=…)   queue `task`; commits or rolls back with the caller
    find(job_id, owner=…)                        the row of a job
    drain()                                      run what is due in this process (tests, commands)
    lease(name, seconds), check_lease(token)     one at a time, and no write by one who lost his turn
    Schedule(name, task, cron=… | minutes=…)     one line of an app's `schedules.SCHEDULES`
    heartbeat_age()                              seconds since a worker was last able to work

Names are loaded on first use: Django imports this package before models may be.
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


def __getattr__(name: str) -> Any:  # noqa: ANN401 - whatever the public name stands for
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
