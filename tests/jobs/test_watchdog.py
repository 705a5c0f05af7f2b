"""The watchdog, with a cluster that only pretends."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from unittest.mock import Mock

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection
from django.db.migrations.recorder import MigrationRecorder
from pytest_django import Settings

from memsite.jobs import heartbeat
from memsite.jobs.models import Heartbeat
from memsite.jobs.worker import recovery, watchdog
from memsite.jobs.worker.watchdog import Watchdog
from memsite.serving.management.commands import run

pytestmark = pytest.mark.django_db(transaction=True)


class Cluster:
    """Is dead once it is started; started again, it asks its watchdog to stop."""

    age = ready_for = 0.0
    starts = 0

    def __init__(self, _worker: object) -> None:
        Cluster.starts = 0

    def start(self) -> None:
        Cluster.starts += 1
        if Cluster.starts == 2:
            os.kill(os.getpid(), signal.SIGTERM)

    def end(self, *, grace: float) -> bool:
        return grace < 0

    def trouble(self) -> str | None:
        return "it ended" if self.starts == 1 else None

    def is_up(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def pretended(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(watchdog, "ClusterProcess", Cluster)
    monkeypatch.setattr(watchdog, "_RETRY", 0.0)
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


def test_dead_cluster_is_replaced_until_the_watchdog_is_told_to_stop() -> None:
    Watchdog().run()
    assert Cluster.starts == 2
    assert not Heartbeat.objects.exists()


@pytest.fixture
def newer_data() -> Iterator[None]:
    """A migration that this version of the code does not have."""
    recorder = MigrationRecorder(connection)
    recorder.record_applied("memories", "9999_later")
    yield
    recorder.record_unapplied("memories", "9999_later")


@pytest.mark.usefixtures("newer_data")
def test_worker_on_data_of_a_newer_version_ends_and_says_why() -> None:
    with pytest.raises(SystemExit, match="newer than this version"):
        Watchdog().run()
    assert Cluster.starts == 0


@pytest.mark.usefixtures("newer_data")
def test_site_on_data_of_a_newer_version_does_not_start(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.DATABASE_URL = os.environ["DATABASE_URL"]
    monkeypatch.setattr(run, "call_command", Mock(side_effect=AssertionError))  # what follows the check
    with pytest.raises(CommandError, match="newer than this version"):
        call_command("run")


def test_cluster_is_not_replaced_before_the_database_is_back(monkeypatch: pytest.MonkeyPatch) -> None:
    starts: list[int] = []

    def recover(_worker: object) -> int:
        starts.append(Cluster.starts)
        if len(starts) < 3:
            raise OperationalError
        return 0

    monkeypatch.setattr(recovery, "recover_own", recover)
    Watchdog().run()
    assert starts[:3] == [1, 1, 1]
    assert Cluster.starts == 2


@pytest.mark.parametrize(("ready_for", "restarts"), [(0.0, 0), (30.0, 1)])
def test_cluster_that_still_starts_does_not_count_as_stalled(
    ready_for: float, restarts: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    restarted: list[str] = []
    monkeypatch.setattr(heartbeat, "is_stalled", lambda _worker: True)
    monkeypatch.setattr(Cluster, "age", 59.0)
    monkeypatch.setattr(Cluster, "ready_for", ready_for)
    one = Watchdog()
    monkeypatch.setattr(one, "_restart", lambda reason, **_: restarted.append(reason))
    one._tend()  # noqa: SLF001 - one look at the cluster, of those that `run` makes
    assert len(restarted) == restarts
