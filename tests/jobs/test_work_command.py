"""`manage.py work`, before it starts anything."""

import pytest
from django.core.management import CommandError, call_command
from django.db import connection


def test_worker_with_a_connection_pool_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(connection.settings_dict, "OPTIONS", {"pool": True})
    with pytest.raises(CommandError, match="pool"):
        call_command("work")
