"""Scheduled tasks. Each app declares its own; django-q2's table is made to match.

An app's `schedules` module holds `SCHEDULES: tuple[Schedule, ...]`, with entries such as
`Schedule("memories.sweep", "memories.tasks.sweep", minutes=5, at_start=True)`.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Final

from django.apps import apps
from django.db import transaction
from django.utils import timezone
from django.utils.module_loading import module_has_submodule
from django_q.models import Schedule as Row

from memsite.jobs.conf import TIMEOUT
from memsite.jobs.queue import enqueue

_FIRE: Final = "memsite.jobs.schedules.fire"


@dataclass(frozen=True)
class Schedule:
    """A task without arguments and when to queue it. Missed runs are made up for by one run.

    While one run waits in the queue, no second one is added.

    Attributes:
        name: Unique, `app.what`.
        task: Dotted path of the function.
        cron: Five fields, in the site's time zone (UTC). Give either this or `minutes`.
        minutes: Pause between two runs.
        at_start: Whether to run also when a worker starts.
        timeout: Seconds a run may take.

    Raises:
        ValueError: Unless exactly one of `cron` and `minutes` is given.
    """

    name: str
    task: str
    cron: str | None = None
    minutes: int | None = None
    at_start: bool = False
    timeout: int = TIMEOUT

    def __post_init__(self) -> None:
        if (self.cron is None) == (self.minutes is None):
            raise ValueError(f"schedule {self.name}: give either cron or minutes")


SCHEDULES: Final[tuple[Schedule, ...]] = (
    Schedule("jobs.prune", "memsite.jobs.pruning.prune", cron="17 3 * * *"),
)


def list_schedules() -> tuple[Schedule, ...]:
    """Return the schedules of every installed app, sorted by name.

    Raises:
        ValueError: If two schedules have the same name.
    """
    found: dict[str, Schedule] = {}
    for app in apps.get_app_configs():
        if app.module is None or not module_has_submodule(app.module, "schedules"):
            continue
        for schedule in getattr(import_module(f"{app.name}.schedules"), "SCHEDULES", ()):
            if schedule.name in found:
                raise ValueError(f"two schedules are named {schedule.name}")
            found[schedule.name] = schedule
    return tuple(found[name] for name in sorted(found))


def synchronise_schedules() -> None:
    """Make the stored schedules match the declared ones: add, change and remove in one transaction.

    A schedule that did not change keeps its next run.

    Raises:
        ValidationError: For an invalid cron expression.
    """
    schedules = list_schedules()
    with transaction.atomic():
        Row.objects.exclude(name__in=[schedule.name for schedule in schedules]).delete()
        for schedule in schedules:
            _store(schedule)


def bring_forward() -> None:
    """Set the regular next run of each schedule whose next run is too far away.

    So it is after the clock was set back: django-q2 computes the next run when the last one is due.
    """
    now = timezone.now()
    for row in Row.objects.filter(next_run__gt=now):
        regular = row.calculate_next_run(now)
        if row.next_run > regular:
            Row.objects.filter(pk=row.pk, next_run=row.next_run).update(next_run=regular)


def fire_at_start() -> None:
    """Queue the schedules that also run when a worker starts."""
    for schedule in list_schedules():
        if schedule.at_start:
            _queue(schedule)


def fire(name: str) -> None:
    """Queue a schedule's task as a job. django-q2 calls this when the schedule is due."""
    for schedule in list_schedules():
        if schedule.name == name:
            _queue(schedule)


def _queue(schedule: Schedule) -> None:
    enqueue(schedule.task, unique_key=f"schedule:{schedule.name}", timeout=schedule.timeout)


def _store(schedule: Schedule) -> None:
    row = Row.objects.filter(name=schedule.name).first() or Row(name=schedule.name)
    wanted = {
        "func": _FIRE,
        "args": repr((schedule.name,)),
        "kwargs": None,
        "schedule_type": Row.CRON if schedule.cron else Row.MINUTES,
        "cron": schedule.cron,
        "minutes": schedule.minutes,
        "repeats": -1,
    }
    if row.pk and all(getattr(row, field) == value for field, value in wanted.items()):
        return
    for field, value in wanted.items():
        setattr(row, field, value)
    row.full_clean()  # saving alone accepts any cron expression
    row.next_run = row.calculate_next_run(timezone.now())
    row.save()
