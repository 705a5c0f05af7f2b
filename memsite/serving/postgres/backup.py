"""Write the site's database to a file and restore it, by PostgreSQL's own programs.

They run as the role that owns the tables, whom no row-level policy binds. The extension is left out of a
restore, because it belongs to a superuser.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from tempfile import NamedTemporaryFile, TemporaryFile
from typing import IO, Any, Final, cast

import psycopg

from memsite.serving.postgres.postgres import EmbeddedDatabaseError, binaries
from memsite.serving.postgres.roles import TAKE_ROLE, Role
from memsite.serving.postgres.server_check import check_server

#: libpq's variables for the parameters that must not appear in a command line, or need not.
_VARIABLES: Final = {
    "host": "PGHOST",
    "port": "PGPORT",
    "user": "PGUSER",
    "password": "PGPASSWORD",
    "dbname": "PGDATABASE",
}
_PSQL: Final = ("--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", "--file=-")
#: Lines at the beginning of a script that may contain the setting of the next line.
_HEAD_LINES: Final = 40
_UNKNOWN_BEFORE_17: Final = b"SET transaction_timeout = 0;\n"


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
        run_program("pg_dump", parameters, [*options, f"--file={file}"])
    except BackupFailed:
        file.unlink()
        raise


def restore_backup(parameters: Mapping[str, Any], file: Path) -> None:
    """Replace everything in the database by what a file contains, in one transaction.

    The file's content goes from one program to the other in small pieces, however large it is.

    Args:
        parameters: libpq's connection parameters.
        file: A file of `write_backup`, or of `pg_dump --format=custom`.

    Raises:
        BackupFailed: If the file cannot be read, others use the database, or PostgreSQL refuses.
        UnusableDatabase: If the server cannot serve Memsite.
    """
    check_server(parameters)
    role = _table_owner(parameters)
    contents = run_program("pg_restore", {}, ["--list", str(file)])
    with NamedTemporaryFile("w", encoding="utf-8") as kept, TemporaryFile() as errors:
        kept.writelines(line for line in contents.splitlines(keepends=True) if " EXTENSION " not in line)
        kept.flush()
        options = ["--no-owner", "--no-privileges", f"--use-list={kept.name}", "--file=-", str(file)]
        with (
            _start("pg_restore", {}, options, stdout=subprocess.PIPE, stderr=errors) as reader,
            _start("psql", parameters, _PSQL, stdin=subprocess.PIPE, stderr=errors) as writer,
        ):
            _pass_script(reader, writer, role)
        failed = _name_failed(reader, writer)
        if failed:
            errors.seek(0)
            raise BackupFailed(f"{failed} failed:\n{errors.read().decode(errors='replace').strip()}")


def _pass_script(reader: subprocess.Popen[bytes], writer: subprocess.Popen[bytes], role: str) -> None:
    """Pass the script of pg_restore to psql, in a transaction that is committed only if the script is whole.

    If one of the two or this process is killed, psql ends without COMMIT.
    """
    script, target = cast("IO[bytes]", reader.stdout), cast("IO[bytes]", writer.stdin)
    begin = f'BEGIN; SET ROLE "{role}"; DROP OWNED BY CURRENT_USER; CREATE EXTENSION IF NOT EXISTS vector;\n'
    with suppress(BrokenPipeError), target:  # psql ends at the first error
        target.write(begin.encode())
        target.writelines(line for line in islice(script, _HEAD_LINES) if line != _UNKNOWN_BEFORE_17)
        shutil.copyfileobj(script, target)
        if reader.wait() == 0:
            target.write(b"COMMIT;\n")


def _name_failed(reader: subprocess.Popen[bytes], writer: subprocess.Popen[bytes]) -> str:
    """Return which program failed; empty if none did."""
    statuses = {"pg_restore": reader.returncode, "psql": writer.returncode}
    # The one that failed first breaks the other's pipe, which ends the other by a signal: a negative status.
    return max((name for name in statuses if statuses[name]), key=lambda name: statuses[name], default="")


def _table_owner(parameters: Mapping[str, Any]) -> str:
    """Return the role that owns the tables. Raises BackupFailed if the server does not answer."""
    try:
        with psycopg.connect(**{"connect_timeout": 5, **parameters}) as connection:
            connection.execute(TAKE_ROLE, [str(Role.TABLE_OWNER)])
            row = connection.execute("SELECT current_user").fetchone()
    except psycopg.OperationalError as error:
        raise BackupFailed(f"the database does not answer: {' '.join(str(error).split())}") from None
    return str(row[0]) if row else ""


def run_program(program: str, parameters: Mapping[str, Any], options: Sequence[str]) -> str:
    """Run one of PostgreSQL's programs and return what it prints.

    Args:
        program: Name of the program.
        parameters: libpq's connection parameters; empty for a program that does not connect.
        options: Its further arguments.

    Raises:
        BackupFailed: If it fails; the message contains its output.
    """
    with _start(program, parameters, options, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        printed, errors = process.communicate()
    if process.returncode != 0:
        raise BackupFailed(f"{program} failed:\n{errors.decode(errors='replace').strip()}")
    return printed.decode()


def _start(
    program: str, parameters: Mapping[str, Any], options: Sequence[str], **streams: Any
) -> subprocess.Popen[bytes]:
    """Start one of PostgreSQL's programs, connected to the database of these parameters."""
    named = {_VARIABLES[name]: str(value) for name, value in parameters.items() if name in _VARIABLES}
    others = {f"PG{name.upper()}": str(value) for name, value in parameters.items() if name.startswith("ssl")}
    argv, environment = [_path_of(program), *options], {**os.environ, **named, **others}
    given = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, **streams}
    return subprocess.Popen(argv, env=environment, **given)  # noqa: S603 - our own command line


def _path_of(program: str) -> str:
    """Return the program of the embedded server's wheel, else of this machine."""
    try:
        return str(binaries() / program)
    except EmbeddedDatabaseError:
        found = shutil.which(program)
    if found is None:
        raise BackupFailed(f"{program} is not installed: install PostgreSQL's client programs")
    return found
