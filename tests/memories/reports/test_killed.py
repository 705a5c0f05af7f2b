"""Killed before any of its statements, a run leaves both of the day's reports or neither."""

from __future__ import annotations

from typing import Any

import pytest

from memories.maintenance.reports.report_making import make_reports
from memories.models import Report
from memories.models.report import today
from memsite.accounts.models import User
from tests.killing import is_killed_at
from tests.memories.reports.conftest import Keep

pytestmark = pytest.mark.django_db(transaction=True)


def stored_reports(owner: User) -> list[tuple[str, Any]]:
    return sorted(Report.objects.filter(owner_id=owner.pk).values_list("kind", "body"))


def test_killed_anywhere_it_is_made_again_and_says_the_same(alice: User, kept: Keep) -> None:
    kept(alice, "Alice keeps bees behind the barn.", age=100)
    kept(alice, "Alice does not keep bees behind the barn.")
    statement = 1
    while is_killed_at(statement, lambda: make_reports(today(), owner=alice.pk)):
        assert stored_reports(alice) == []
        statement += 1
    assert statement > 5
    finished = stored_reports(alice)
    assert [kind for kind, _ in finished] == ["conflicts", "quality"]
    make_reports(today(), owner=alice.pk)
    assert stored_reports(alice) == finished
