"""A backup, restored into a fresh database, answers as before."""

from __future__ import annotations

import os
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.core.management import call_command
from django.db import connection
from rest_framework.test import APIClient

from memories.models import Event, Memory
from memories.retrieval.cache.cache import index_cache
from memsite.serving.postgres import BackupFailed, restore_backup, write_backup
from memsite.serving.postgres.database import parse_parameters

FRESH = "restored"


@pytest.fixture
def parameters(transactional_db: None) -> dict[str, Any]:
    """Where the test database is."""
    name = connection.settings_dict["NAME"]
    return {**parse_parameters(os.environ["DATABASE_URL"]), "dbname": name}


@pytest.fixture
def fresh(parameters: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Any]]:
    """A second, empty database, which Django uses in the end."""
    superuser = {**parameters, "user": "postgres", "dbname": "postgres"}
    with psycopg.connect(**superuser, autocommit=True) as admin:
        admin.execute(f"CREATE DATABASE {FRESH} OWNER memsite_owner")
        yield {**parameters, "dbname": FRESH}
        connection.close()
        monkeypatch.undo()
        admin.execute(f"DROP DATABASE {FRESH} WITH (FORCE)")


def _search(client: APIClient) -> Any:
    found = client.post("/api/memories/search", {"query": "Which port is the staging database on?"}).json()
    return [(one["id"], one["content"]) for one in found["memories"]]


def test_restored_site_has_the_same_rows_and_answers_the_same(
    alice_api: APIClient,
    parameters: dict[str, Any],
    fresh: dict[str, Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for content in (
        "Our staging database listens on port 5433.",
        "I prefer tea over coffee.",
        "我住在上海。",
    ):
        alice_api.post("/api/memories", {"content": content})
    before = (_search(alice_api), Memory.objects.count(), Event.objects.count())
    write_backup(parameters, tmp_path / "site.dump")
    restore_backup(fresh, tmp_path / "site.dump")
    connection.close()
    index_cache().clear()
    monkeypatch.setitem(connection.settings_dict, "NAME", FRESH)
    call_command("migrate", verbosity=0)
    assert (_search(alice_api), Memory.objects.count(), Event.objects.count()) == before
    assert before[0]


def test_file_that_is_no_backup_changes_nothing(parameters: dict[str, Any], tmp_path: Path) -> None:
    file = tmp_path / "site.dump"
    file.write_text("this is no dump")
    with pytest.raises(BackupFailed, match="pg_restore"):
        restore_backup(parameters, file)
    assert Memory.objects.count() == 0


def test_file_that_ends_early_changes_nothing(
    alice_api: APIClient, parameters: dict[str, Any], tmp_path: Path
) -> None:
    alice_api.post("/api/memories", {"content": "I prefer tea over coffee."})
    file = tmp_path / "site.dump"
    write_backup(parameters, file)
    os.truncate(file, file.stat().st_size - 100)
    with pytest.raises(BackupFailed, match="pg_restore: error"):
        restore_backup(parameters, file)
    assert Memory.objects.count() == 1


def test_backup_that_the_server_refuses_changes_nothing(
    alice_api: APIClient, parameters: dict[str, Any], tmp_path: Path
) -> None:
    alice_api.post("/api/memories", {"content": "I prefer tea over coffee."})
    write_backup(parameters, tmp_path / "site.dump")
    superuser = {**parameters, "user": "postgres"}
    with psycopg.connect(**superuser, autocommit=True) as admin:  # stays, because it is not the site's
        admin.execute("CREATE VIEW foreign_view AS SELECT content FROM memories_memory")
        try:
            with pytest.raises(BackupFailed, match="view foreign_view depends"):
                restore_backup(parameters, tmp_path / "site.dump")
        finally:
            admin.execute("DROP VIEW foreign_view")
    assert Memory.objects.count() == 1


def test_restore_holds_little_of_the_backup_in_memory(fresh: dict[str, Any], tmp_path: Path) -> None:
    with psycopg.connect(**fresh) as connection:
        connection.execute("SET ROLE memsite_owner")
        connection.execute("CREATE TABLE big AS SELECT repeat('x', 1000000) FROM generate_series(1, 30)")
    write_backup(fresh, tmp_path / "site.dump")
    tracemalloc.start()
    try:
        restore_backup(fresh, tmp_path / "site.dump")
        assert tracemalloc.get_traced_memory()[1] < 5_000_000
    finally:
        tracemalloc.stop()


def test_backup_overwrites_no_file(parameters: dict[str, Any], tmp_path: Path) -> None:
    file = tmp_path / "site.dump"
    file.write_text("older backup")
    with pytest.raises(BackupFailed, match="exists"):
        write_backup(parameters, file)
    assert file.read_text() == "older backup"


def test_backup_is_for_its_owner_alone(parameters: dict[str, Any], tmp_path: Path) -> None:
    write_backup(parameters, tmp_path / "site.dump")
    assert (tmp_path / "site.dump").stat().st_mode & 0o077 == 0
