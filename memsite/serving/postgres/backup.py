"""Write the site's database to a file and restore it, by PostgreSQL's own programs.

They run as the role that owns the tables, whom no row-level policy binds. The extension is left out of a
restore, because it belongs to a superuser.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import psycopg

from memsite.serving.postgres.postgres import EmbeddedDatabaseError, binaries
from memsite.serving.postgres.roles import TAKE_ROLE, Role
from memsite.serving.postgres.server_check import check_server

#: libpq's variables for the parameters that may not stand in a command line, or need not.
_VARIABLES: Final = {
    "host": "PGHOST",
    "port": "PGPORT",
    "user": "PGUSER",
    "password": "PGPASSWORD",
    "dbname": "PGDATABASE",
}


class BackupFailed(Exception):
    """A backup or restore did not succeed; the message says why. A restore has then changed nothing."""


def write_backup(parameters: Mapping[str, Any], file: Path) -> None:
    """Write the whole database to a file that only its owner may read, in PostgreSQL's custom format.

    Args:
        parameters: libpq's connection parameters.
        file: The file; it must not exist.

    Raises:
        BackupFailed: If the file exists, or the database cannot be read.
    """
    role = _table_owner(parameters)
    try:
        file.touch(mode=0o600, exist_ok=False)
    except OSError as error:
        raise BackupFailed(f"{file} cannot be made: {error.strerror}") from None
    try:
        options = ["--format=custom", "--no-owner", "--no-privileges", f"--role={role}"]
        _run("pg_dump", parameters, [*options, f"--file={file}"])
    except BackupFailed:
        file.unlink()
        raise


def restore_backup(parameters: Mapping[str, Any], file: Path) -> None:
    """Replace everything in the database by what a file contains, in one transaction.

    Args:
        parameters: libpq's connection parameters.
        file: A file of `write_backup`, or of `pg_dump --format=custom`.

    Raises:
        BackupFailed: If the file cannot be read, others use the database, or PostgreSQL refuses.
        UnusableDatabase: If the server cannot serve Memsite.
    """
    check_server(parameters)
    role = _table_owner(parameters)
    contents = _run("pg_restore", {}, ["--list", str(file)])
    kept = [line for line in contents.splitlines() if " EXTENSION " not in line]
    script = _run(
        "pg_restore",
        {},
        ["--no-owner", "--no-privileges", "--use-list=/dev/stdin", "--file=-", str(file)],
        given="\n".join(kept),
    )
    script = script.replace("SET transaction_timeout = 0;\n", "", 1)  # which servers before 17 do not know
    begin = f'SET ROLE "{role}"; DROP OWNED BY CURRENT_USER; CREATE EXTENSION IF NOT EXISTS vector;'
    options = ["--no-psqlrc", "--quiet", "--single-transaction", "--set=ON_ERROR_STOP=1", "--file=-"]
    _run("psql", parameters, options, given=f"{begin}\n{script}")


def _table_owner(parameters: Mapping[str, Any]) -> str:
    """Return the role that owns the tables. Raises BackupFailed if the server does not answer."""
    try:
        with psycopg.connect(**{"connect_timeout": 5, **parameters}) as connection:
            connection.execute(TAKE_ROLE, [str(Role.TABLE_OWNER)])
            row = connection.execute("SELECT current_user").fetchone()
    except psycopg.OperationalError as error:
        raise BackupFailed(f"the database does not answer: {' '.join(str(error).split())}") from None
    return str(row[0]) if row else ""


def _run(program: str, parameters: Mapping[str, Any], options: Sequence[str], *, given: str = "") -> str:
    """Run one of PostgreSQL's programs and return what it prints."""
    named = {_VARIABLES[name]: str(value) for name, value in parameters.items() if name in _VARIABLES}
    others = {f"PG{name.upper()}": str(value) for name, value in parameters.items() if name.startswith("ssl")}
    done = subprocess.run(  # noqa: S603 - our own command line
        [_path_of(program), *options],
        check=False,
        capture_output=True,
        text=True,
        input=given,
        env={**os.environ, **named, **others},
    )
    if done.returncode != 0:
        raise BackupFailed(f"{program} failed:\n{done.stderr.strip()}")
    return done.stdout


def _path_of(program: str) -> str:
    """Return the program of the embedded server's wheel, else of this machine."""
    try:
        return str(binaries() / program)
    except EmbeddedDatabaseError:
        found = shutil.which(program)
    if found is None:
        raise BackupFailed(f"{program} is not installed: install PostgreSQL's client programs")
    return found
