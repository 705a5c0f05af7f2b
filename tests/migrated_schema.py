"""The script of the tables of an empty database, from a database that is migrated step by step.

`make schema` writes it to the file that the site uses.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import psycopg

from memsite.serving.postgres.backup import run_program
from memsite.serving.postgres.database import NAME, get_embedded_parameters
from memsite.serving.postgres.postgres import SUPERUSER
from memsite.serving.postgres.schema import SCHEMA
from memsite.serving.supervision.starting import embedded_running

_MANAGE: Final = (sys.executable, "-W", "ignore", str(Path(__file__).parents[1] / "manage.py"))
_HEAD: Final = "-- The tables of an empty database. Made by `make schema` from the migrations; do not edit.\n"
#: Lines that set what the session is, not what the database contains, and the schema that exists already.
_LEFT_OUT: Final = ("--", "SET ", "SELECT ", "CREATE SCHEMA ", "COMMENT ON SCHEMA ", "\\")


def dump_migrated_schema(*options: str) -> str:
    """Migrate an empty database, and return the script of its tables (some 2,000 lines).

    Args:
        options: Of `manage.py migrate`.
    """
    with tempfile.TemporaryDirectory(prefix="memsite-schema-") as folder, embedded_running(Path(folder)):
        environment = {
            name: value for name, value in os.environ.items() if not name.startswith(("DATABASE", "MEMSITE_"))
        }
        environment |= {"MEMSITE_DATA_DIR": folder, "MEMSITE_SECRET_KEY": "only-to-make-the-schema"}
        migrate = (*_MANAGE, "migrate", "--verbosity=0", *options)
        subprocess.run(migrate, env=environment, check=True)  # noqa: S603 - our own command
        parameters = get_embedded_parameters(Path(folder), user=SUPERUSER, name=NAME)
        migrated = _dump_tables(parameters) + _dump_migrations(parameters)
        # PostgreSQL rewords some conditions when a script with them runs. What it dumps of a database made by
        # the script stays the same from then on.
        with psycopg.connect(**parameters, autocommit=True) as connection:
            connection.execute("CREATE DATABASE made_by_script")
        parameters["dbname"] = "made_by_script"
        with psycopg.connect(**parameters) as connection:
            connection.execute("CREATE EXTENSION vector")
            connection.execute(migrated.encode())
        return f"{_HEAD}\n{_dump_tables(parameters)}\n{_dump_migrations(parameters)}"


def _dump_tables(parameters: Mapping[str, Any]) -> str:
    """Return the statements that make the tables, in the schema that the session uses."""
    options = ["--schema-only", "--no-owner", "--no-privileges", "--schema=public"]
    printed = run_program("pg_dump", parameters, options)
    lines = (line for line in printed.splitlines() if line and not line.startswith(_LEFT_OUT))
    return "".join(f"{line.replace('public.', '')}\n" for line in lines)


def _dump_migrations(parameters: Mapping[str, Any]) -> str:
    """Return the statement that records the migrations as applied."""
    with psycopg.connect(**parameters) as connection:
        rows = connection.execute("SELECT app, name FROM django_migrations ORDER BY id").fetchall()
    values = ",\n".join(f"    ('{app}', '{name}', now())" for app, name in rows)
    return f"INSERT INTO django_migrations (app, name, applied) VALUES\n{values};\n"


if __name__ == "__main__":
    SCHEMA.write_text(dump_migrated_schema("--step-by-step"), encoding="utf-8")
