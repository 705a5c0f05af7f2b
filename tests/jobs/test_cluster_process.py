"""The cluster as its watchdog sees it before it works. What one does is in test_real_worker.py."""

import subprocess
import time
import uuid
from types import SimpleNamespace

import pytest

from memsite.jobs.conf import START_AT_MOST, START_WITHIN
from memsite.jobs.worker import cluster_process
from memsite.jobs.worker.cluster_process import ClusterProcess


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """Let the test say how many seconds have passed, and start `sleep` in place of a cluster."""
    made = SimpleNamespace(passed=0.0)
    real = subprocess.Popen
    monkeypatch.setattr(
        cluster_process,
        "time",
        SimpleNamespace(monotonic=lambda: time.monotonic() + made.passed, sleep=time.sleep),
    )
    monkeypatch.setattr(subprocess, "Popen", lambda _command, **options: real(["sleep", "600"], **options))
    return made


def test_cluster_that_was_not_started_is_in_trouble_and_not_up() -> None:
    cluster = ClusterProcess(uuid.uuid4())
    assert cluster.trouble() == "it ended"
    assert not cluster.is_up()


def test_ending_a_cluster_that_was_not_started_does_nothing() -> None:
    assert not ClusterProcess(uuid.uuid4()).end(grace=0)


def test_next_cluster_may_take_longer_than_one_that_did_not_start(clock: SimpleNamespace) -> None:
    cluster = ClusterProcess(uuid.uuid4())
    waited = []
    for _ in range(6):
        cluster.start()
        begun = clock.passed
        while cluster.trouble() is None:
            clock.passed += START_WITHIN
        waited.append((clock.passed - begun) // START_WITHIN)
        cluster.end(grace=0)
    assert waited == [1, 2, 4, 8, START_AT_MOST // START_WITHIN, START_AT_MOST // START_WITHIN]
