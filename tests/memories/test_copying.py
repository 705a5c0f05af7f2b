from __future__ import annotations

from typing import NoReturn
from weakref import WeakSet

import psycopg
import pytest
from django.db import OperationalError

from memories.models import Event
from memories.storage import copying

pytestmark = pytest.mark.django_db


def test_connection_lost_before_the_copy_is_the_error_that_is_answered_with_503(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def lost(_connection: object) -> NoReturn:
        raise psycopg.OperationalError("server closed the connection unexpectedly")

    monkeypatch.setattr(copying, "register_vector", lost)
    monkeypatch.setattr(copying, "_with_vectors", WeakSet())
    with pytest.raises(OperationalError):
        copying.copy_in(Event, [vars(Event())])
