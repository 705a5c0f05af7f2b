"""The comparison of indexes with their tables finds an index that leads to too little."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from django.db import connection as django_connection

from bench.durability.indexes import compare
from memsite.serving.postgres.postgres import SUPERUSER

pytestmark = pytest.mark.django_db


@pytest.fixture
def connection() -> Iterator[psycopg.Connection[Any]]:
    """A superuser's connection to the test's database; what it does is taken back."""
    database = django_connection.settings_dict
    with psycopg.connect(host=database["HOST"], dbname=database["NAME"], user=SUPERUSER) as made:
        yield made
        made.rollback()


def test_indexes_of_a_sound_database_lead_to_their_rows(connection: psycopg.Connection[Any]) -> None:
    number, found = compare(connection)
    assert number > 100
    assert found == []


def test_index_that_misses_a_row_is_found(connection: psycopg.Connection[Any]) -> None:
    connection.execute("CREATE TABLE lagging (a int); CREATE INDEX lagging_a ON lagging (a)")
    connection.execute("INSERT INTO lagging SELECT * FROM generate_series(1, 5)")
    awake = "UPDATE pg_index SET indisready = %s WHERE indexrelid = 'lagging_a'::regclass"
    connection.execute(awake, [False])
    connection.execute("INSERT INTO lagging VALUES (6)")
    connection.execute(awake, [True])
    _, found = compare(connection)
    assert len(found) == 1
    assert found[0].startswith("index lagging_a leads to (5, ")
