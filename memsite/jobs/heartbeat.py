"""Whether a worker is able to work, as told by the database's own clock."""

from __future__ import annotations

import os
import uuid
from datetime import timedelta
from typing import Final

from django.db.models import F, Max
from django.db.models.functions import Now
from django.utils import timezone

from memsite.jobs import processes
from memsite.jobs.conf import STALLED_AFTER, WORKER_GONE_AFTER, WORKERS
from memsite.jobs.models import Heartbeat, Job, Status

_MOMENT: Final = timedelta(0)


def heartbeat_age() -> float | None:
    """Seconds since any worker was last able to work; None if none ever was. One statement.

    A healthy worker beats every 2 s. It goes quiet when its cluster is down, hangs, or leaves a due
    job lying while it has a free place; so over 15 s means that nothing gets done.
    """
    row = Heartbeat.objects.aggregate(age=Now() - Max("at"))
    age: timedelta | None = row["age"]
    return None if age is None else max(age, _MOMENT).total_seconds()


def beat(worker: uuid.UUID) -> None:
    """Note that this process's worker is able to work now."""
    if Heartbeat.objects.filter(worker=worker).update(at=Now()):
        return
    Heartbeat.objects.create(
        worker=worker,
        place=processes.place(),
        process=os.getpid(),
        process_started=processes.started(os.getpid()) or 0,
        at=Now(),
    )


def living() -> set[uuid.UUID]:
    """The workers that can still be heard; those of this place whose process is gone are struck off."""
    here = Heartbeat.objects.filter(place=processes.place())
    gone = [row.worker for row in here if not processes.is_alive(row.process, row.process_started)]
    Heartbeat.objects.filter(worker__in=gone).delete()
    heard = Heartbeat.objects.filter(at__gt=Now() - timedelta(seconds=WORKER_GONE_AFTER))
    return set(heard.values_list("worker", flat=True))


def sign_off(worker: uuid.UUID) -> None:
    """The worker stops: nobody need wait for its silence."""
    Heartbeat.objects.filter(worker=worker).delete()


def is_stalled(worker: uuid.UUID, *, patience: float = STALLED_AFTER) -> bool:
    """Whether a due job has lain for `patience` seconds while this worker could have taken it.

    It could when it has a free place, began no job in that time, and no job at all ended in it.
    """
    then = timezone.now() - timedelta(seconds=patience)
    waiting = Job.objects.filter(status=Status.QUEUED, run_after__lt=then, ticketed_at__lt=then)
    if not waiting.exists():
        return False
    mine = Job.objects.filter(worker=worker, status=Status.RUNNING)
    if mine.count() >= WORKERS or mine.filter(started_at__gt=then).exists():
        return False
    ended = Job.objects.filter(finished_at__gt=then, started_at__lte=F("finished_at"))
    return not ended.exists()
