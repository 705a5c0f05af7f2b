"""The web processes' connection pool across a restart of the database."""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from psycopg_pool import ConnectionPool

from memsite.serving.postgres import database
from memsite.serving.postgres.postgres import EmbeddedPostgres
from memsite.serving.postgres.provision import provision
from memsite.serving.processes.child import Child
from memsite.serving.supervision.starting import wait_for_embedded

CONNECTIONS = 6


class Server:
    """An embedded server that can be killed and started again."""

    def __init__(self, data_dir: Path) -> None:
        self.embedded = EmbeddedPostgres(data_dir, durable=False)
        self.child = Child(self.embedded.program())

    def start(self) -> None:
        self.child.start()
        wait_for_embedded(self.embedded, self.child)

    def kill(self) -> None:
        assert self.child.pid is not None
        os.kill(self.child.pid, signal.SIGKILL)
        self.child.kill()


@pytest.fixture
def server() -> Iterator[Server]:
    data_dir = Path(tempfile.mkdtemp(prefix="memsite-server-"))
    server = Server(data_dir)
    server.embedded.make()
    server.start()
    provision(data_dir)
    yield server
    server.child.stop()
    shutil.rmtree(data_dir)


@pytest.fixture
def pool(server: Server, monkeypatch: pytest.MonkeyPatch) -> Iterator[ConnectionPool[Any]]:
    """A pool as Django makes it from our DATABASES."""
    monkeypatch.setattr(ConnectionPool, "check_connection", ConnectionPool.check_connection)
    options = database.databases(server.embedded.data_dir, pooled=True)["default"]["OPTIONS"]["pool"]
    parameters = database.embedded_parameters(server.embedded.data_dir)
    check = ConnectionPool.check_connection
    with ConnectionPool(kwargs=parameters, check=check, open=True, **options) as pool:
        fill(pool)
        yield pool


def fill(pool: ConnectionPool[Any]) -> None:
    """Have this many connections open and idle in the pool."""
    taken = [pool.getconn() for _ in range(CONNECTIONS)]
    for connection in taken:
        pool.putconn(connection)


def ask(pool: ConnectionPool[Any]) -> object:
    with pool.connection() as connection:
        row = connection.execute("SELECT 1").fetchone()
    return row and row[0]


def test_no_request_fails_after_the_database_was_killed(server: Server, pool: ConnectionPool[Any]) -> None:
    server.kill()
    server.start()
    assert [ask(pool) for _ in range(2 * CONNECTIONS)] == [1] * (2 * CONNECTIONS)


def test_pool_recovers_when_a_request_failed_during_the_outage(
    server: Server, pool: ConnectionPool[Any]
) -> None:
    server.kill()
    with pytest.raises(Exception, match="couldn't get a connection"):
        ask(pool)
    server.start()
    assert ask(pool) == 1
