"""Check whether a database server can serve Memsite: its version, pgvector, the role."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import psycopg

_OLDEST_SERVER: Final = 15
_OLDEST_PGVECTOR: Final = (0, 8)


class UnusableDatabase(Exception):
    """The database cannot serve Memsite; the message says why and what to do."""


class UnreachableDatabase(UnusableDatabase):
    """No connection could be made; a later try may succeed."""


def check(parameters: Mapping[str, Any]) -> list[str]:
    """Check the server, and install pgvector in the database if it is missing.

    Args:
        parameters: libpq's connection parameters.

    Returns:
        Advice to print, one sentence each.

    Raises:
        UnusableDatabase: If the server cannot serve Memsite.
    """
    try:
        with psycopg.connect(**{"connect_timeout": 5, **parameters}, autocommit=True) as connection:
            _check_version(connection)
            _check_pgvector(connection)
            return _advice(connection)
    except psycopg.OperationalError as error:
        raise UnreachableDatabase(f"cannot connect to the database: {' '.join(str(error).split())}") from None


def _check_version(connection: psycopg.Connection[Any]) -> None:
    version = connection.info.server_version // 10_000
    if version < _OLDEST_SERVER:
        raise UnusableDatabase(f"PostgreSQL {version} is too old: Memsite needs {_OLDEST_SERVER} or newer")


def _check_pgvector(connection: psycopg.Connection[Any]) -> None:
    row = connection.execute(
        "SELECT default_version, installed_version FROM pg_available_extensions WHERE name = 'vector'"
    ).fetchone()
    problem = pgvector_problem(*(row or (None, None)))
    if problem:
        raise UnusableDatabase(problem)
    if row and row[1] is None:
        _install_pgvector(connection)


def pgvector_problem(offered: str | None, installed: str | None) -> str | None:
    """Return what is wrong with the server's pgvector, or None.

    Args:
        offered: The version that the server's package would install.
        installed: The version in our database.
    """
    if offered is None:
        return "the database server has no pgvector: install its package, 0.8 or newer"
    if as_version(offered) < _OLDEST_PGVECTOR:
        return f"the server's pgvector {offered} is too old: Memsite needs 0.8 or newer"
    if installed is not None and as_version(installed) < _OLDEST_PGVECTOR:
        return f"pgvector {installed} in this database is too old: run ALTER EXTENSION vector UPDATE there"
    return None


def as_version(text: str) -> tuple[int, ...]:
    """Parse a version: `0.8.5` → (0, 8, 5). Parsing stops at the first part that is not a number."""
    parts: list[int] = []
    for part in text.split("."):
        if not part.isdecimal():
            break
        parts.append(int(part))
    return tuple(parts)


def _install_pgvector(connection: psycopg.Connection[Any]) -> None:
    try:
        connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
    except psycopg.errors.InsufficientPrivilege:
        name, user = connection.info.dbname, connection.info.user
        raise UnusableDatabase(
            f"the role {user} may not install pgvector: run CREATE EXTENSION vector in {name} as a superuser"
        ) from None


def _advice(connection: psycopg.Connection[Any]) -> list[str]:
    row = connection.execute("SELECT rolsuper FROM pg_roles WHERE rolname = current_user").fetchone()
    if row is None or not row[0]:
        return []
    return [f"the site connects as {connection.info.user}, a superuser: give it a plain role of its own"]
