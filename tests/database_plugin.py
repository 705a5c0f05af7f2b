"""A pytest plugin: an embedded PostgreSQL in a temporary folder for the whole run.

It starts before Django's settings are loaded, and replaces any database and settings of the environment, so
that no test reaches a real site.

Tests prepare rows as the role that owns the tables, which no policy binds. What they call through HTTP, as a
job or as a command runs as the site's own role (`as_the_site` in conftest.py).
"""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from pathlib import Path

import psycopg
import pytest

from memsite.serving.postgres.database import ROLE, embedded_parameters
from memsite.serving.postgres.postgres import SUPERUSER, EmbeddedPostgres
from memsite.serving.postgres.provision import install_pgvector, provision
from memsite.serving.postgres.roles import Actor, Role, act_as
from memsite.serving.processes.child import Child
from memsite.serving.supervision.starting import wait_for_embedded

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
    server.make()
    child.start()
    wait_for_embedded(server, child)
    provision(data_dir)
    _let_make_databases(data_dir)
    parameters = embedded_parameters(data_dir)
    os.environ["DATABASE_URL"] = f"postgresql://{ROLE}@/{parameters['dbname']}?host={parameters['host']}"
    os.environ["MEMSITE_DATA_DIR"] = str(data_dir / "site")
    (data_dir / "site" / "static").mkdir(parents=True)  # whitenoise warns if it is missing


def pytest_configure() -> None:
    """Act as the owner of the tables, also while making the test database. Each process of xdist does."""
    act_as(Actor(role=Role.TABLE_OWNER))


def pytest_unconfigure() -> None:
    """Stop the server and remove its files."""
    while _running:
        child, data_dir = _running.pop()
        child.stop()
        shutil.rmtree(data_dir, ignore_errors=True)


def _let_make_databases(data_dir: Path) -> None:
    """Let the owner of the tables make test databases, which contain pgvector."""
    superuser = embedded_parameters(data_dir, user=SUPERUSER, name="template1")
    with psycopg.connect(**superuser, autocommit=True) as connection:
        connection.execute(f"ALTER ROLE {ROLE}{Role.TABLE_OWNER} CREATEDB")
        install_pgvector(connection)


def _clear_environment() -> None:
    for name in list(os.environ):
        if name.startswith(("MEMSITE_", "OPENAI_")) or name in {"PORT", "DATABASE_URL", "DATABASE_URL_FILE"}:
            del os.environ[name]
