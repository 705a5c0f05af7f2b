"""Killed before any of its statements, a run leaves both of the day's reports or neither."""

from __future__ import annotations

import os
import signal
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection, connections

from memories.maintenance.reports.report_making import make_reports
from memories.models import Report
from memories.models.report import today
from memsite.accounts.models import User
from tests.memories.reports.conftest import Keep

pytestmark = pytest.mark.django_db(transaction=True)


def killed_at(statement: int, owner: User) -> bool:
    """Make the reports in a fork that kills itself before its n-th statement; whether it came to that."""
    connections.close_all()
    child = os.fork()
    if child:
        _, status = os.waitpid(child, 0)
        return os.WIFSIGNALED(status)
    count = Counter[str]()

    def wrapper(execute: Callable[..., Any], *args: Any) -> Any:
        count["statements"] += 1
        if count["statements"] == statement:
            os.kill(os.getpid(), signal.SIGKILL)
        return execute(*args)

    try:
        signal.alarm(60)
        with connection.execute_wrapper(wrapper):
            make_reports(today(), owner=owner.pk)
    finally:
        os._exit(0)


def told(owner: User) -> list[tuple[str, Any]]:
    return sorted(Report.objects.filter(owner_id=owner.pk).values_list("kind", "body"))


def test_killed_anywhere_it_is_made_again_and_says_the_same(alice: User, kept: Keep) -> None:
    kept(alice, "Alice keeps bees behind the barn.", age=100)
    kept(alice, "Alice does not keep bees behind the barn.")
    statement = 1
    while killed_at(statement, alice):
        assert told(alice) == []
        statement += 1
    assert statement > 5
    finished = told(alice)
    assert [kind for kind, _ in finished] == ["conflicts", "quality"]
    make_reports(today(), owner=alice.pk)
    assert told(alice) == finished
