"""When the cluster replaces a dead child, and when it ends instead."""

from __future__ import annotations

import os
from collections.abc import Callable
from types import SimpleNamespace

import pytest
from django_q.cluster import Sentinel

from memsite.jobs.worker import POISONED, Cluster, Flag


class Ended(Exception):
    """Stands for the end of the process."""


Reincarnate = Callable[..., object]


@pytest.fixture
def reincarnate(monkeypatch: pytest.MonkeyPatch) -> Reincarnate:
    """What a cluster of one worker does about a dead child; gives `replaced` or the exit code."""

    def end(code: int) -> None:
        raise Ended(code)

    monkeypatch.setattr(os, "_exit", end)
    monkeypatch.setattr(Sentinel, "reincarnate", lambda *_args: None)

    def act(process: SimpleNamespace, *, worker: bool = True) -> object:
        sentinel = Cluster.__new__(Cluster)
        sentinel.pool = [process] if worker else []
        try:
            sentinel.reincarnate(process)
        except Ended as ended:
            return ended.args[0]
        return "replaced"

    return act


def child(exitcode: int, timer: float = -1.0) -> SimpleNamespace:
    return SimpleNamespace(exitcode=exitcode, timer=SimpleNamespace(value=timer))


@pytest.mark.parametrize(
    ("exitcode", "timer", "expected"),
    [
        pytest.param(-9, -1.0, POISONED, id="idle, killed"),
        pytest.param(-9, 42.0, "replaced", id="busy, killed"),
        pytest.param(-15, 0.0, "replaced", id="ended after a timeout"),
        pytest.param(0, -2.0, "replaced", id="recycled"),
        pytest.param(1, -1.0, "replaced", id="raised"),
    ],
)
def test_only_a_worker_killed_while_idle_ends_the_cluster(
    reincarnate: Reincarnate, exitcode: int, timer: float, expected: object
) -> None:
    assert reincarnate(child(exitcode, timer)) == expected


def test_killed_pusher_or_monitor_ends_the_cluster(reincarnate: Reincarnate) -> None:
    assert reincarnate(child(-9), worker=False) == POISONED


def test_pusher_that_ended_by_itself_is_replaced(reincarnate: Reincarnate) -> None:
    assert reincarnate(child(0), worker=False) == "replaced"


def test_each_turn_of_the_loop_is_reported() -> None:
    reader, writer = os.pipe()
    flag = Flag(writer)
    assert not flag.wait(0)
    flag.set()
    assert flag.wait(0)
    assert os.read(reader, 10) == b".."
    os.close(reader)
    os.close(writer)
