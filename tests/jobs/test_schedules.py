"""What happens by the clock."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone
from django_q.models import Schedule as Row

from memsite.jobs import Schedule, list_schedules, schedules
from memsite.jobs.models import Job

pytestmark = pytest.mark.django_db
Declare = Callable[..., None]
NOTHING = "tests.jobs.sample_tasks.nothing"


@pytest.fixture
def declare(monkeypatch: pytest.MonkeyPatch) -> Declare:
    """Replaces what the apps declare."""

    def replace(*given: Schedule) -> None:
        monkeypatch.setattr(schedules, "list_schedules", lambda: given)

    return replace


def stored() -> dict[str, tuple[str, str | None, int | None]]:
    return {row.name: (row.schedule_type, row.cron, row.minutes) for row in Row.objects.all()}


def test_declared_schedules_are_stored(declare: Declare) -> None:
    declare(Schedule("a", NOTHING, cron="0 2 * * *"), Schedule("b", NOTHING, minutes=5))
    schedules.synchronise_schedules()
    assert stored() == {"a": ("C", "0 2 * * *", None), "b": ("I", None, 5)}


def test_undeclared_schedules_are_removed(declare: Declare) -> None:
    Row.objects.create(name="old", func="os.system", schedule_type="D")
    Row.objects.create(name=None, func="os.system", schedule_type="D")
    declare(Schedule("a", NOTHING, minutes=5))
    schedules.synchronise_schedules()
    assert set(stored()) == {"a"}


def test_changed_schedule_gets_its_new_time(declare: Declare) -> None:
    declare(Schedule("a", NOTHING, minutes=5))
    schedules.synchronise_schedules()
    declare(Schedule("a", NOTHING, cron="30 2 * * *"))
    schedules.synchronise_schedules()
    row = Row.objects.get()
    assert (row.next_run.hour, row.next_run.minute) == (2, 30)
    assert row.next_run > timezone.now()


def test_unchanged_schedule_keeps_its_next_run(declare: Declare) -> None:
    declare(Schedule("a", NOTHING, cron="30 2 * * *"))
    schedules.synchronise_schedules()
    missed = timezone.now() - timedelta(hours=5)
    Row.objects.update(next_run=missed)
    schedules.synchronise_schedules()
    assert Row.objects.get().next_run == missed


def test_bad_cron_expression_is_refused_and_changes_nothing(declare: Declare) -> None:
    Row.objects.create(name="old", func="f", schedule_type="D")
    declare(Schedule("a", NOTHING, cron="every day"))
    with pytest.raises(ValidationError):
        schedules.synchronise_schedules()
    assert set(stored()) == {"old"}


def test_due_schedule_queues_its_task_once(declare: Declare) -> None:
    declare(Schedule("a", NOTHING, minutes=5, timeout=900))
    schedules.fire("a")
    schedules.fire("a")
    job = Job.objects.get()
    assert (job.task, job.timeout, job.args) == (NOTHING, 900, [])


def test_schedule_that_is_no_more_queues_nothing(declare: Declare) -> None:
    declare()
    schedules.fire("a")
    assert not Job.objects.exists()


def test_only_schedules_that_ask_for_it_are_queued_at_the_start(declare: Declare) -> None:
    declare(Schedule("a", NOTHING, minutes=5, at_start=True), Schedule("b", NOTHING, minutes=5))
    schedules.fire_at_start()
    assert [job.unique_key for job in Job.objects.all()] == ["schedule:a"]


@pytest.mark.parametrize("when", [{}, {"cron": "* * * * *", "minutes": 5}])
def test_schedule_has_one_rhythm(when: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="either cron or minutes"):
        Schedule("a", NOTHING, **when)  # type: ignore[arg-type]  # wrong on purpose, or a stand-in


def test_two_schedules_of_one_name_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    twice = schedules.SCHEDULES * 2
    monkeypatch.setattr(schedules, "SCHEDULES", twice)
    with pytest.raises(ValueError, match="two schedules are named"):
        list_schedules()


def test_what_the_apps_declare_can_be_stored() -> None:
    schedules.synchronise_schedules()
    assert set(stored()) == {schedule.name for schedule in list_schedules()}


def test_schedule_left_far_ahead_by_a_clock_set_back_runs_in_its_interval(declare: Declare) -> None:
    declare(Schedule("a", NOTHING, minutes=5), Schedule("b", NOTHING, cron="0 2 * * *"))
    schedules.synchronise_schedules()
    Row.objects.update(next_run=timezone.now() + timedelta(days=30))
    schedules.bring_forward()
    left = {row.name: row.next_run - timezone.now() for row in Row.objects.all()}
    assert left["a"] <= timedelta(minutes=5)
    assert left["b"] <= timedelta(days=1)
