"""Django's DATABASES from a data directory or an address."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.db import connection
from django.db.backends.postgresql.base import TIMESTAMPTZ_OID
from psycopg.pq import Format

from memsite.env import BadSetting
from memsite.serving.postgres import database
from memsite.serving.postgres.engine.base import UtcLoader

LONG = "a" * 40


def test_address_is_taken_apart() -> None:
    entry = database.build_databases(Path("/data"), "postgresql://ann:p%40ss@db.example:6543/site")["default"]
    assert (entry["USER"], entry["PASSWORD"], entry["HOST"]) == ("ann", "p@ss", "db.example")
    assert (entry["PORT"], entry["NAME"]) == ("6543", "site")


def test_parameters_of_an_address_become_options() -> None:
    entry = database.build_databases(Path("/data"), "postgres://ann@/site?host=/run/pg&sslmode=require")[
        "default"
    ]
    assert entry["HOST"] == "/run/pg"
    assert entry["OPTIONS"]["sslmode"] == "require"


@pytest.mark.parametrize(
    "address", ["mysql://u:hidden@h/d", "postgresql://u:hid den@h/d", "postgresql://u:hidden@h", "hidden"]
)
def test_bad_address_is_refused_without_repeating_it(address: str) -> None:
    with pytest.raises(BadSetting, match="DATABASE_URL") as refusal:
        database.build_databases(Path("/data"), address)
    assert "hid" not in str(refusal.value)


def test_without_an_address_the_embedded_server_is_used() -> None:
    entry = database.build_databases(Path("/data"))["default"]
    assert (entry["HOST"], entry["USER"], entry["NAME"]) == ("/data/run", "memsite", "memsite")


def test_only_a_pooled_process_has_a_pool() -> None:
    assert "pool" not in database.build_databases(Path("/data"))["default"]["OPTIONS"]
    pool = database.build_databases(Path("/data"), pooled=True)["default"]["OPTIONS"]["pool"]
    assert pool["max_size"] >= database.WEB_THREADS


def test_socket_of_a_long_path_lies_in_a_short_folder() -> None:
    folder = database.get_socket_folder(Path("/data", LONG, LONG, LONG))
    assert len(str(folder)) < 60
    assert folder == database.get_socket_folder(Path("/data", LONG, LONG, LONG))


def test_two_long_paths_have_two_socket_folders() -> None:
    one, other = Path("/data", LONG, LONG, LONG), Path("/data", LONG, LONG, LONG, "b")
    assert database.get_socket_folder(one) != database.get_socket_folder(other)


def test_short_socket_folder_that_is_a_link_is_refused(tmp_path: Path) -> None:
    data_dir = tmp_path / LONG / LONG / LONG
    short = database.get_socket_folder(data_dir)
    short.symlink_to(tmp_path)
    try:
        with pytest.raises(BadSetting, match="MEMSITE_DATA_DIR"):
            database.get_socket_folder(data_dir)
    finally:
        short.unlink()


def test_server_that_is_not_there_does_not_answer(tmp_path: Path) -> None:
    assert not database.is_answering(database.get_embedded_parameters(tmp_path))


def test_web_process_ends_long_statements_and_others_their_own() -> None:
    options = database.build_databases(Path("/data"), statement_seconds=60)["default"]["OPTIONS"]
    assert options["options"] == "-c statement_timeout=60000"
    assert "options" not in database.build_databases(Path("/data"))["default"]["OPTIONS"]


def test_options_of_an_address_are_kept_beside_the_limit() -> None:
    address = "postgresql://u@db.example.org/name?options=-c%20geqo%3Doff&keepalives_idle=30"
    options = database.build_databases(Path("/data"), address, statement_seconds=1)["default"]["OPTIONS"]
    assert options["options"] == "-c geqo=off -c statement_timeout=1000"
    assert (options["keepalives_idle"], options["tcp_user_timeout"]) == ("30", 15_000)


@pytest.mark.django_db
def test_times_are_loaded_in_utc_by_our_loader() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT '2024-02-29 23:30:00.25-05'::timestamptz")
        assert cursor.fetchone() == (datetime(2024, 3, 1, 4, 30, 0, 250_000, tzinfo=UTC),)
        assert cursor.cursor.adapters.get_loader(TIMESTAMPTZ_OID, Format.TEXT) is UtcLoader
