"""The web processes' connection pool across a restart of the database."""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg_pool import ConnectionPool

from memsite.serving.postgres import database, patience
from memsite.serving.postgres.postgres import EmbeddedPostgres
from memsite.serving.postgres.provision import provision
from memsite.serving.processes import processes
from memsite.serving.processes.child import Child
from memsite.serving.supervision.starting import wait_for_embedded
from tests.site.test_running_site import family

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
    options = database.build_databases(server.embedded.data_dir, pooled=True)["default"]["OPTIONS"]["pool"]
    parameters = database.get_embedded_parameters(server.embedded.data_dir)
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
    # No connection, or one that ends just now.
    with pytest.raises(psycopg.OperationalError, match=r"couldn't get a connection|terminating connection"):
        ask(pool)
    server.start()
    assert ask(pool) == 1


def test_stopped_database_is_not_waited_for_and_serves_again_when_it_goes_on(
    server: Server, pool: ConnectionPool[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(patience, "PATIENCE", 0.3)
    with pool.connection() as connection, stopped(server), pytest.raises(psycopg.OperationalError):
        connection.execute("SELECT 1")
    start = time.monotonic()
    assert ask(pool) == 1
    assert time.monotonic() - start < 5


def test_long_statement_of_a_working_database_is_waited_for(
    pool: ConnectionPool[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(patience, "PATIENCE", 0.1)
    with pool.connection() as connection:
        connection.execute("SELECT pg_sleep(0.5)")


def test_statement_is_waited_for_no_longer_than_the_longest(pool: ConnectionPool[Any]) -> None:
    with pool.connection() as connection:
        connection.watch.longest = 0.2
        with pytest.raises(psycopg.OperationalError, match="stopped answering"):
            connection.execute("SELECT pg_sleep(30)")


def test_connection_is_refused_at_once_while_the_database_is_silent(
    server: Server, pool: ConnectionPool[Any]
) -> None:
    watch = pool.connection_class.watch
    with stopped(server):
        assert watch.is_silent()
        with pytest.raises(psycopg.OperationalError):
            watch.refuse_if_silent()
    assert processes.wait_until(lambda: not watch.is_silent(), 5.0)
    watch.refuse_if_silent()


def test_stopped_process_of_a_working_server_is_not_waited_for(
    server: Server, pool: ConnectionPool[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(patience, "PATIENCE", 0.3)
    monkeypatch.setattr(patience, "_BEGINS_WITHIN", 0.2)
    monkeypatch.setattr(patience, "_ANSWERED_FOR", 0.1)
    with stopped(server, but=1):
        with pytest.raises(psycopg.OperationalError, match="stopped answering"):
            ask(pool)
        # The others of the pool were stopped, too, and are replaced.
        assert processes.wait_until(lambda: ask(pool) == 1, 10.0)


def test_statement_that_waits_for_a_lock_is_waited_for(
    pool: ConnectionPool[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(patience, "PATIENCE", 0.1)
    monkeypatch.setattr(patience, "_BEGINS_WITHIN", 0.1)
    monkeypatch.setattr(patience, "_ANSWERED_FOR", 0.1)
    with pool.connection() as holder, pool.connection() as waiter:
        holder.execute("SELECT pg_advisory_lock(1)")
        waiter.execute("SET lock_timeout = '1s'")
        with pytest.raises(psycopg.errors.LockNotAvailable):
            waiter.execute("SELECT pg_advisory_lock(1)")


@contextmanager
def stopped(server: Server, but: int = 0) -> Iterator[None]:
    """Stop the processes of the server by SIGSTOP inside the block, except for the first `but` of them."""
    assert server.child.pid is not None
    everything = family(server.child.pid)[but:]
    processes.send_signal(everything, signal.SIGSTOP)
    try:
        yield
    finally:
        processes.send_signal(everything, signal.SIGCONT)
