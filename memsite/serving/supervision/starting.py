"""Waiting for the database to take connections."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

from memsite.serving.postgres import (
    SUPERUSER,
    EmbeddedDatabaseError,
    EmbeddedPostgres,
    UnreachableDatabase,
    check,
    database,
)
from memsite.serving.processes import Child, processes


def wait_for_embedded(server: EmbeddedPostgres, child: Child, seconds: float = 60.0) -> None:
    """Return once the server takes connections. Raises EmbeddedDatabaseError if it ends or takes too long.

    seconds: recovery after a crash can take a while.
    """
    parameters = database.embedded_parameters(server.data_dir, user=SUPERUSER, name="postgres")
    done = processes.wait_until(lambda: not child.runs() or database.answers(parameters), seconds)
    if not done or not child.runs():
        what = "ended while starting" if done else f"took no connections for {seconds:.0f} s"
        raise EmbeddedDatabaseError(
            f"the embedded database {what}; {server.log} ends with\n{server.last_words()}"
        )


def wait_for_server(
    parameters: Mapping[str, Any], say: Callable[[str], None], seconds: float = 30.0
) -> list[str]:
    """Check the server of DATABASE_URL, waiting for one that is still starting.

    say: told once that we wait. Returns `check`'s advice. Raises UnusableDatabase.
    """
    deadline, told = time.monotonic() + seconds, False
    while True:
        try:
            return check(parameters)
        except UnreachableDatabase as error:
            if time.monotonic() >= deadline:
                raise
            if not told:
                say(f"{error}; waiting for it, {seconds:.0f} s at most")
                told = True
            time.sleep(1.0)
