"""Wait until the database accepts connections."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from memsite.serving.postgres import (
    SUPERUSER,
    EmbeddedDatabaseError,
    EmbeddedPostgres,
    UnreachableDatabase,
    check_server,
    database,
    provision,
)
from memsite.serving.processes import Child, processes


def wait_for_embedded(server: EmbeddedPostgres, child: Child, seconds: float = 60.0) -> None:
    """Wait until the server accepts connections. Recovery after a crash can take a while.

    Args:
        server: The embedded server.
        child: Its process.
        seconds: Longest wait.

    Raises:
        EmbeddedDatabaseError: If the server ends or takes too long.
    """
    parameters = database.get_embedded_parameters(server.data_dir, user=SUPERUSER, name="postgres")
    done = processes.wait_until(lambda: not child.runs() or database.is_answering(parameters), seconds)
    if not done or not child.runs():
        what = "ended while starting" if done else f"took no connections for {seconds:.0f} s"
        raise EmbeddedDatabaseError(
            f"the embedded database {what}; {server.log} ends with\n{server.last_words()}"
        )


@contextmanager
def embedded_running(data_dir: Path) -> Iterator[None]:
    """Run the embedded server inside the block, for a command while the site is stopped. Hold its lock.

    Raises:
        EmbeddedDatabaseError: If it cannot be started.
    """
    server = EmbeddedPostgres(data_dir)
    server.make()
    child = Child(server.program())
    child.start()
    try:
        wait_for_embedded(server, child)
        provision(data_dir)
        yield
    finally:
        child.stop()


def wait_for_server(
    parameters: Mapping[str, Any], say: Callable[[str], None], seconds: float = 30.0
) -> list[str]:
    """Check the server of DATABASE_URL; wait if it is still starting.

    Args:
        parameters: libpq's connection parameters.
        say: Called once, with a sentence, when the wait begins.
        seconds: Longest wait.

    Returns:
        The advice of `check_server`.

    Raises:
        UnusableDatabase: If the server cannot serve Memsite.
    """
    deadline, has_reported = time.monotonic() + seconds, False
    while True:
        try:
            return check_server(parameters)
        except UnreachableDatabase as error:
            if time.monotonic() >= deadline:
                raise
            if not has_reported:
                say(f"{error}; waiting for it, {seconds:.0f} s at most")
                has_reported = True
            time.sleep(1.0)
