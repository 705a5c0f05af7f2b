"""Numbers of the queue. The settings module imports this file, so it must not import Django."""

from __future__ import annotations

from typing import Any, Final

WORKERS: Final = 3  # processes that run tasks, per `manage.py work`
LONG: Final = 300  # seconds; a job whose timeout is this or more is long
MOST_LONG: Final = WORKERS - 1  # long jobs that one worker runs at once: short ones always find a process
MOST_OF_ONE: Final = 1  # short jobs of one owner that run at once while others wait, and as many long ones

TIMEOUT: Final = 60  # seconds a task may take unless it says otherwise
DEADLINE_GRACE: Final = 15  # seconds after its timeout at which a running job counts as lost
MAX_ATTEMPTS: Final = 5
BACKOFF: Final = (2.0, 8.0, 32.0, 128.0)  # seconds before the 2nd, 3rd, 4th and 5th attempt
# seconds until a job that found its lease taken is retried; not counted as an attempt
BUSY_DELAY: Final = 2.0

HEARTBEAT_EVERY: Final = 2.0  # seconds
SWEEP_EVERY: Final = 10.0  # seconds between searches for jobs that other workers lost
WORKER_GONE_AFTER: Final = 30.0  # seconds without a heartbeat after which another worker counts as dead
STALLED_AFTER: Final = 20.0  # seconds a due job may wait while a process is free to run it
TICKET_LOST_AFTER: Final = 30.0  # seconds after fetching at which an unused ticket is made available again
# seconds since the guard loop's last turn within which the cluster counts as able to work
ABLE_WITHIN: Final = 3.0
SILENT_AFTER: Final = 15.0  # seconds without a turn after which the cluster is replaced
START_WITHIN: Final = 60.0  # seconds the cluster may take to start; twice as long after each that did not
START_AT_MOST: Final = 960.0  # seconds it may take however many did not start
STOP_WITHIN: Final = 5.0  # seconds a task may continue after SIGTERM before it is stopped and queued again
RECORD_WITHIN: Final = (
    30.0  # seconds to keep trying to claim a job or record an outcome while the database is away
)

KEEP_DONE_DAYS: Final = 2
KEEP_FAILED_DAYS: Final = 30

#: django-q2 carries a *ticket* for each job (see `broker`); the outcome is in our own `Job` row.
Q_CLUSTER: Final[dict[str, Any]] = {
    "name": "memsite",
    "orm": "default",
    "broker_class": "memsite.jobs.broker.Tickets",
    "workers": WORKERS,
    "timeout": TIMEOUT,
    # Above timeout · (1 + ⌈(queue_limit + 1) / workers⌉) + 5, or a prefetched ticket is handed out twice.
    "retry": 3 * TIMEOUT + 10,
    "queue_limit": 1,
    "bulk": 1,
    "poll": 0.2,
    "guard_cycle": 0.5,
    "max_attempts": 3,
    "ack_failures": False,
    "catch_up": False,
    "save_limit": -1,  # store no row for a success: our own row has it
    "cache": "no-such-cache",  # no cache: its status page would write to the shared one twice a second
}
