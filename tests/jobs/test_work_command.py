"""`manage.py work`, before it starts anything."""

from __future__ import annotations

import os
from collections.abc import Iterator

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from pytest_django import Settings

from memsite.serving.postgres.database import parse_parameters


@pytest.fixture
def lonely(settings: Settings) -> Iterator[str]:
    """A role that owns nothing and has no other roles beside it; DATABASE_URL names it."""
    address = os.environ["DATABASE_URL"]
    with psycopg.connect(**{**parse_parameters(address), "user": "postgres"}, autocommit=True) as admin:
        admin.execute("CREATE ROLE lonely LOGIN")
        settings.DATABASE_URL = address.replace("memsite@", "lonely@")
        yield "lonely"
        admin.execute("DROP ROLE lonely")


def test_worker_with_a_connection_pool_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(connection.settings_dict, "OPTIONS", {"pool": True})
    with pytest.raises(CommandError, match="pool"):
        call_command("work")


def test_worker_without_the_role_for_all_owners_is_refused(lonely: str) -> None:
    with pytest.raises(CommandError, match=f"GRANT {lonely}_all TO {lonely}"):
        call_command("work")
