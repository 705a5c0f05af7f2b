from __future__ import annotations

from typing import NoReturn
from weakref import WeakSet

import psycopg
import pytest
from django.db import OperationalError

from memories.models import Event, EventType
from memories.storage import copying
from memsite.accounts.models import User
from memsite.values import new_id

pytestmark = pytest.mark.django_db


def test_connection_lost_before_the_copy_is_the_error_that_is_answered_with_503(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def lost(_connection: object) -> NoReturn:
        raise psycopg.OperationalError("server closed the connection unexpectedly")

    monkeypatch.setattr(copying, "register_vector", lost)
    monkeypatch.setattr(copying, "_with_vectors", WeakSet())
    with pytest.raises(OperationalError):
        copying.copy_rows(Event, [vars(Event())])


@pytest.mark.parametrize("count", [1, 8, 9])
def test_few_and_many_rows_are_stored_alike(alice: User, count: int) -> None:
    given = [
        Event(
            owner=alice,
            sequence=number,
            type=EventType.CREATED,
            batch_id=new_id(),
            actor='"quoted" \\ \t 你好',
            before={"number": number, "deep": [None, "é"]} if number % 2 else None,
        )
        for number in range(count)
    ]
    copying.copy_rows(Event, [vars(event) for event in given])
    stored = Event.objects.filter(owner=alice).order_by("sequence")
    fields = ("id", "sequence", "type", "batch_id", "actor", "before", "created_at")
    assert list(stored.values_list(*fields)) == [
        tuple(getattr(event, name) for name in fields) for event in given
    ]
