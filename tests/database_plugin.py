"""A pytest plugin: an embedded PostgreSQL in a temporary folder for the whole run.

It starts before Django's settings are loaded, and replaces any database and settings of the environment, so
that no test reaches a real site.
"""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from pathlib import Path

import pytest

from memsite.serving.postgres.database import ROLE, embedded_parameters
from memsite.serving.postgres.postgres import EmbeddedPostgres
from memsite.serving.postgres.provision import provision
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
    provision(data_dir, for_tests=True)
    parameters = embedded_parameters(data_dir)
    os.environ["DATABASE_URL"] = f"postgresql://{ROLE}@/{parameters['dbname']}?host={parameters['host']}"
    os.environ["MEMSITE_DATA_DIR"] = str(data_dir / "site")
    (data_dir / "site" / "static").mkdir(parents=True)  # whitenoise warns if it is missing


def pytest_unconfigure() -> None:
    """Stop the server and remove its files."""
    while _running:
        child, data_dir = _running.pop()
        child.stop()
        shutil.rmtree(data_dir, ignore_errors=True)


def _clear_environment() -> None:
    for name in list(os.environ):
        if name.startswith(("MEMSITE_", "OPENAI_")) or name in {"PORT", "DATABASE_URL", "DATABASE_URL_FILE"}:
            del os.environ[name]
