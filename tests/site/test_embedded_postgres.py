"""The embedded server, started for real."""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from memsite.serving.postgres import database
from memsite.serving.postgres.postgres import EmbeddedDatabaseError, EmbeddedPostgres
from memsite.serving.postgres.provision import provision
from memsite.serving.processes import processes
from memsite.serving.processes.child import Child
from memsite.serving.supervision.starting import wait_for_embedded


@pytest.fixture(scope="module")
def made() -> Iterator[Path]:
    """A data directory whose server has run and been stopped."""
    data_dir = Path(tempfile.mkdtemp(prefix="memsite-server-"))
    child = start(data_dir)
    provision(data_dir)
    child.stop()
    yield data_dir
    shutil.rmtree(data_dir)


@pytest.fixture
def running(made: Path) -> Iterator[Child]:
    child = start(made)
    yield child
    child.stop()


def start(data_dir: Path) -> Child:
    server = EmbeddedPostgres(data_dir, durable=False)
    server.make()
    child = Child(server.program())
    child.start()
    wait_for_embedded(server, child)
    return child


def answer(data_dir: Path, query: str) -> object:
    with psycopg.connect(**database.get_embedded_parameters(data_dir)) as connection:
        row = connection.execute(query).fetchone()
    return row and row[0]


def run_as_superuser(data_dir: Path, *statements: str) -> None:
    parameters = database.get_embedded_parameters(data_dir, user="postgres")
    with psycopg.connect(**parameters, autocommit=True) as connection:
        for statement in statements:
            connection.execute(statement)


def test_site_connects_as_a_role_that_is_no_superuser(made: Path, running: Child) -> None:
    assert answer(made, "SELECT rolsuper FROM pg_roles WHERE rolname = current_user") is False


def test_site_may_become_the_two_other_roles_but_inherits_nothing(made: Path, running: Child) -> None:
    for role in ("memsite_owner", "memsite_all"):
        assert answer(made, f"SELECT pg_has_role('{role}', 'SET')") is True
        assert answer(made, f"SELECT pg_has_role('{role}', 'USAGE')") is False


def test_only_the_role_for_all_owners_bypasses_policies(made: Path, running: Child) -> None:
    names = "SELECT array_agg(rolname::text) FROM pg_roles WHERE rolbypassrls AND NOT rolsuper"
    assert answer(made, names) == ["memsite_all"]


def test_tables_of_an_older_version_pass_to_their_new_owner(made: Path, running: Child) -> None:
    run_as_superuser(
        made,
        "ALTER DATABASE memsite OWNER TO memsite",
        "CREATE TABLE older (number int)",
        "ALTER TABLE older OWNER TO memsite",
    )
    provision(made)
    query = "SELECT array_agg(DISTINCT pg_get_userbyid(o)::text) FROM ({}) AS t (o)"
    owners = "SELECT relowner FROM pg_class WHERE relname = 'older' UNION SELECT datdba FROM pg_database"
    assert answer(made, query.format(f"{owners} WHERE datname = 'memsite'")) == ["memsite_owner"]


def test_database_has_pgvector(made: Path, running: Child) -> None:
    assert answer(made, "SELECT '[1,2]'::vector <-> '[1,2]'::vector") == 0.0


def test_provisioning_can_be_repeated(made: Path, running: Child) -> None:
    provision(made)
    provision(made)


def test_server_listens_on_no_network_address(made: Path, running: Child) -> None:
    assert answer(made, "SHOW listen_addresses") == ""


def test_folders_of_the_server_are_private(made: Path) -> None:
    for name in ("postgres", "run", "log"):
        assert (made / name).stat().st_mode & 0o077 == 0


def test_killed_server_starts_again_with_its_data(made: Path) -> None:
    child = start(made)
    run_as_superuser(made, "CREATE TABLE kept AS SELECT 7 AS number", "GRANT SELECT ON kept TO memsite")
    assert child.pid is not None
    os.kill(child.pid, signal.SIGKILL)
    child.kill()
    again = start(made)
    assert answer(made, "SELECT number FROM kept") == 7
    again.stop()


def test_pid_file_that_names_a_stranger_is_no_obstacle(made: Path) -> None:
    pid_file = made / "postgres" / "postmaster.pid"
    pid_file.write_text(f"{os.getppid()}\n{made / 'postgres'}\n1\n5432\n{made / 'run'}\n\n  1 1\nready\n")
    start(made).stop()


def test_stopped_backend_of_a_killed_server_is_ended(made: Path) -> None:
    child = start(made)
    connection = psycopg.connect(**database.get_embedded_parameters(made))
    backend = connection.info.backend_pid
    os.kill(backend, signal.SIGSTOP)  # it cannot notice the end of its server
    assert child.pid is not None
    os.kill(child.pid, signal.SIGKILL)
    child.kill()
    again = start(made)
    connection.close()
    assert backend not in processes.list_processes_in(made / "postgres")
    again.stop()


def test_interrupted_making_is_begun_anew(tmp_path: Path) -> None:
    draft = tmp_path / "postgres.new"
    draft.mkdir()
    (draft / "half").touch()
    start(tmp_path).stop()
    assert not draft.exists()


def test_absent_files_are_not_replaced_by_a_restart(tmp_path: Path) -> None:
    server = EmbeddedPostgres(tmp_path)
    with pytest.raises(EmbeddedDatabaseError, match="gone"):
        Child(server.program()).start()
    assert not server.files.exists()


def test_files_of_another_version_are_refused(tmp_path: Path) -> None:
    (tmp_path / "postgres").mkdir()
    (tmp_path / "postgres" / "PG_VERSION").write_text("16\n")
    with pytest.raises(EmbeddedDatabaseError, match="PostgreSQL 16"):
        EmbeddedPostgres(tmp_path).prepare()


def test_long_data_directory_works(tmp_path: Path) -> None:
    data_dir = tmp_path / ("a" * 60) / ("b" * 60)
    child = start(data_dir)
    try:
        provision(data_dir)
        assert answer(data_dir, "SELECT 1") == 1
    finally:
        child.stop()
        shutil.rmtree(database.get_socket_folder(data_dir))


def test_start_that_fails_tells_the_log(made: Path) -> None:
    server = EmbeddedPostgres(made, options={"max_connections": "none"})
    child = Child(server.program())
    child.start()
    with pytest.raises(EmbeddedDatabaseError, match="max_connections"):
        wait_for_embedded(server, child)
