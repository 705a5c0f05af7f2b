"""Heartbeats: whether a worker is able to work, measured by the database's clock."""

from __future__ import annotations

import os
import uuid
from datetime import timedelta
from typing import Final

from django.db.models import F, Max
from django.db.models.functions import Now

from memsite.jobs import broker, clock, processes
from memsite.jobs.conf import LONG, STALLED_AFTER, WORKER_GONE_AFTER, WORKERS
from memsite.jobs.models import Heartbeat, Job, Status

_MOMENT: Final = timedelta(0)


def get_heartbeat_age() -> float | None:
    """Return the seconds since any worker was last able to work. Costs one SQL statement.

    A healthy worker writes a heartbeat every 2 s. It stops when its cluster is down, when the cluster hangs,
    or when a due job waits although a process is free. More than 15 s means that no job is done.

    Returns:
        Seconds, 0 or more; None if no worker ever wrote a heartbeat.
    """
    row = Heartbeat.objects.aggregate(age=Now() - Max("at"))
    age: timedelta | None = row["age"]
    return None if age is None else max(age, _MOMENT).total_seconds()


def record_heartbeat(worker: uuid.UUID) -> None:
    """Record that this process's worker is able to work now."""
    if Heartbeat.objects.filter(worker=worker).update(at=Now()):
        return
    Heartbeat.objects.create(
        worker=worker,
        place=processes.get_host_id(),
        process=os.getpid(),
        process_started=processes.get_start_time(os.getpid()) or 0,
        at=Now(),
    )


def list_living_workers() -> set[uuid.UUID]:
    """Return the workers with a recent heartbeat; delete those of this host whose process is gone."""
    local = Heartbeat.objects.filter(place=processes.get_host_id())
    gone = [row.worker for row in local if not processes.is_alive(row.process, row.process_started)]
    Heartbeat.objects.filter(worker__in=gone).delete()
    recent = Heartbeat.objects.filter(at__gt=Now() - timedelta(seconds=WORKER_GONE_AFTER))
    return set(recent.values_list("worker", flat=True))


def sign_off(worker: uuid.UUID) -> None:
    """Delete the heartbeat of a worker that stops, so that nobody waits until it counts as dead."""
    Heartbeat.objects.filter(worker=worker).delete()


def is_stalled(worker: uuid.UUID, *, patience: float = STALLED_AFTER) -> bool:
    """Return whether a due job has waited for `patience` seconds although this worker could have taken it.

    The worker could have taken it if it has a free process, started no job in that time, and no job at all
    ended in that time. A job that must wait for another of its owner, or for a long one, does not count.
    """
    then = clock.now() - timedelta(seconds=patience)
    waiting = Job.objects.filter(status=Status.QUEUED, run_after__lt=then, ticketed_at__lt=then)
    waiting = waiting.exclude(owner_id__in=broker.list_busy_owners())
    if Job.objects.filter(status=Status.RUNNING, timeout__gte=LONG).exists():
        waiting = waiting.filter(timeout__lt=LONG)
    if not waiting.exists():
        return False
    mine = Job.objects.filter(worker=worker, status=Status.RUNNING)
    if mine.count() >= WORKERS or mine.filter(started_at__gt=then).exists():
        return False
    ended = Job.objects.filter(finished_at__gt=then, started_at__lte=F("finished_at"))
    return not ended.exists()
