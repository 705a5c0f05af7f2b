"""A pytest plugin: an embedded PostgreSQL in a temporary folder for the whole run.

It starts before Django's settings are loaded, and replaces any database and settings of the environment, so
that no test reaches a real site.

The server's files, with a migrated database, are kept in the virtual environment and copied for each run.
They are made anew when a migration, a requirement or the code of the database's roles changes. Each test
process clones its database from the migrated one in a fraction of a second.

Tests prepare rows as the role that owns the tables, which no policy binds. What they call through HTTP, as a
job or as a command runs as the site's own role (`as_the_site` in conftest.py).
"""

from __future__ import annotations

import atexit
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Final

import psycopg
import pytest

from memsite.serving.postgres.database import NAME, ROLE, get_embedded_parameters
from memsite.serving.postgres.postgres import SUPERUSER, EmbeddedPostgres
from memsite.serving.postgres.provision import install_pgvector, provision
from memsite.serving.postgres.roles import Actor, Role, act_as
from memsite.serving.postgres.schema import SCHEMA
from memsite.serving.processes.child import Child
from memsite.serving.supervision.starting import wait_for_embedded
from tests.policy.sources import PRODUCT, ROOT

#: The database from which each test process clones its own.
MIGRATED: Final = "migrated"
_MADE: Final = Path(sys.prefix) / "test-databases"
_MOST_KEPT: Final = 5

_running: list[tuple[Child, Path]] = []


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests() -> None:
    """Start the server; pytest-django loads the settings later in the same hook."""
    if "PYTEST_XDIST_WORKER" in os.environ:
        return  # the main process has started it, and passed its environment on
    data_dir = Path(tempfile.mkdtemp(prefix="memsite-test-"))
    _clear_environment()
    server = EmbeddedPostgres(data_dir, durable=False, options={"synchronous_commit": "off"})
    child = Child(server.program())
    _running.append((child, data_dir))
    atexit.register(pytest_unconfigure)  # pytest does not call it if a conftest cannot be imported
    made = _MADE / _fingerprint()
    if not made.exists():
        _make(server, child, made)
    elif not server.files.exists():
        _copy(made, server.files)
    child.start()
    wait_for_embedded(server, child)
    os.environ.update(_environment(data_dir))
    (data_dir / "site" / "static").mkdir(parents=True)  # whitenoise warns if it is missing


def pytest_configure() -> None:
    """Act as the owner of the tables, also while making the test database. Each process of xdist does."""
    act_as(Actor(role=Role.TABLE_OWNER))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    """Act as the owner of the tables again, whoever the test before acted for."""
    act_as(Actor(role=Role.TABLE_OWNER))


def pytest_unconfigure() -> None:
    """Stop the server and remove its files."""
    while _running:
        child, data_dir = _running.pop()
        child.stop()
        shutil.rmtree(data_dir, ignore_errors=True)


def _make(server: EmbeddedPostgres, child: Child, made: Path) -> None:
    """Make the files of a server that holds a migrated database; keep a copy in `made`."""
    server.make()
    child.start()
    wait_for_embedded(server, child)
    provision(server.data_dir)
    _let_make_databases(server.data_dir)
    environment = os.environ | _environment(server.data_dir, MIGRATED)
    migrate = (sys.executable, "-W", "ignore", str(ROOT / "manage.py"), "migrate", "--verbosity=0")
    subprocess.run(migrate, env=environment, check=True)  # noqa: S603 - our own command
    child.stop()
    _MADE.mkdir(exist_ok=True)
    for old in sorted(_MADE.iterdir(), key=lambda folder: folder.stat().st_mtime)[: -_MOST_KEPT + 1]:
        shutil.rmtree(old, ignore_errors=True)
    draft = Path(tempfile.mkdtemp(prefix="new-", dir=_MADE))
    _copy(server.files, draft / "files")
    with suppress(OSError):  # another run has made it meanwhile
        (draft / "files").rename(made)
    shutil.rmtree(draft, ignore_errors=True)


def _copy(source: Path, target: Path) -> None:
    """Copy a server's files with their owners, which `shutil.copytree` does not keep."""
    command = ("/bin/cp", "-a", str(source), str(target))
    subprocess.run(command, check=True)  # noqa: S603 - both paths are ours


def _fingerprint() -> str:
    """Return a digest of all files that decide what the migrated database contains."""
    migrations = (path for app in PRODUCT for path in (ROOT / app).glob("**/migrations/*.py"))
    postgres = (*ROOT.glob("memsite/serving/postgres/**/*.py"), SCHEMA)
    others = (ROOT / "requirements.txt", *postgres, Path(__file__))
    digest = hashlib.sha256()
    for path in sorted((*migrations, *others)):
        digest.update(path.relative_to(ROOT).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def _environment(data_dir: Path, name: str = NAME) -> dict[str, str]:
    """Return the settings of a process that uses this database of the server."""
    host = get_embedded_parameters(data_dir)["host"]
    return {
        "DATABASE_URL": f"postgresql://{ROLE}@/{name}?host={host}",
        "MEMSITE_DATA_DIR": str(data_dir / "site"),
        "MEMSITE_EMBEDDING": "tokens",  # the few tests of sentence vectors set `local`
    }


def _let_make_databases(data_dir: Path) -> None:
    """Let the owner of the tables make databases, which contain pgvector, and own one to migrate."""
    superuser = get_embedded_parameters(data_dir, user=SUPERUSER, name="template1")
    with psycopg.connect(**superuser, autocommit=True) as connection:
        connection.execute(f"ALTER ROLE {ROLE}{Role.TABLE_OWNER} CREATEDB")
        install_pgvector(connection)
    with psycopg.connect(**(superuser | {"dbname": "postgres"}), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {MIGRATED} OWNER {ROLE}{Role.TABLE_OWNER}")


def _clear_environment() -> None:
    for name in list(os.environ):
        if name.startswith(("MEMSITE_", "OPENAI_")) or name in {"PORT", "DATABASE_URL", "DATABASE_URL_FILE"}:
            del os.environ[name]
