"""Check whether a database can serve Memsite: version, pgvector, roles, and no data newer than the code."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

import psycopg
from django.apps import apps
from django.core.checks import CheckMessage, Error, Warning  # noqa: A004 - Django's own name
from django.db import DatabaseError, connection
from django.db import connection as default
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from memsite.serving.postgres.roles import TAKE_ROLE, Role

_OLDEST_SERVER: Final = 15
_OLDEST_PGVECTOR: Final = (0, 8)
_DOCS: Final = "see docs/install.md, Roles"
# Whether the site's role bypasses policies; whether it owns the tables, or the database that will hold them;
# whether it may look across owners.
_ROLES: Final = """
SELECT rolname, rolsuper OR rolbypassrls,
    EXISTS (
        SELECT FROM pg_class
        WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
            AND pg_has_role(me.oid, relowner, 'USAGE')
    ) OR (SELECT pg_has_role(me.oid, datdba, 'USAGE') FROM pg_database WHERE datname = current_database()),
    EXISTS (
        SELECT FROM pg_roles AS a
        WHERE a.rolname = me.rolname || '_all' AND a.rolbypassrls AND pg_has_role(me.oid, a.oid, 'MEMBER')
    )
FROM pg_roles AS me WHERE me.rolname = session_user
"""


class UnusableDatabase(Exception):
    """The database cannot serve Memsite; the message says why and what to do."""


class UnreachableDatabase(UnusableDatabase):
    """No connection could be made; a later try may succeed."""


def check_server(parameters: Mapping[str, Any]) -> list[str]:
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
            return check_roles(connection)
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
    if parse_version(offered) < _OLDEST_PGVECTOR:
        return f"the server's pgvector {offered} is too old: Memsite needs 0.8 or newer"
    if installed is not None and parse_version(installed) < _OLDEST_PGVECTOR:
        return f"pgvector {installed} in this database is too old: run ALTER EXTENSION vector UPDATE there"
    return None


def parse_version(text: str) -> tuple[int, ...]:
    """Parse a version: `0.8.5` → (0, 8, 5). Parsing stops at the first part that is not a number."""
    parts: list[int] = []
    for part in text.split("."):
        if not part.isdecimal():
            break
        parts.append(int(part))
    return tuple(parts)


def _install_pgvector(connection: psycopg.Connection[Any]) -> None:
    try:
        connection.execute(TAKE_ROLE, [str(Role.TABLE_OWNER)])
        connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
    except psycopg.errors.InsufficientPrivilege:
        name, user = connection.info.dbname, connection.info.user
        raise UnusableDatabase(
            f"the role {user} may not install pgvector: run CREATE EXTENSION vector in {name} as a superuser"
        ) from None
    finally:
        connection.execute(TAKE_ROLE, [str(Role.SITE)])


def check_roles(connection: psycopg.Connection[Any]) -> list[str]:
    """Return why row-level security does not bind the site, as advice.

    A role that owns its tables is accepted, because an installation of an older version has no other.

    Raises:
        UnusableDatabase: If policies bind the site, and it has no role to look across owners with.
    """
    row = connection.execute(_ROLES).fetchone()
    user, bypasses, owns, across = row or (connection.info.user, False, True, False)
    if bypasses:
        what = "a superuser or a role that bypasses row-level security"
        return [f"the site connects as {user}, {what}: {_DOCS}"]
    if owns:
        return [f"the role {user} owns its tables, so row-level security does not bind it: {_DOCS}"]
    if not across:
        role = f"{user}{Role.ALL_OWNERS}"
        raise UnusableDatabase(
            f"the role {role} is missing. Run as a superuser: CREATE ROLE {role} NOLOGIN BYPASSRLS; "
            f"GRANT {role} TO {user}; {_DOCS}"
        )
    return []


def check_deployment(**_options: object) -> list[CheckMessage]:
    """Report what `check_roles` finds, as a check of `manage.py check --deploy`."""
    try:
        default.ensure_connection()
        return [Warning(advice, id="memsite.W001") for advice in check_roles(default.connection)]
    except UnusableDatabase as problem:
        return [Error(str(problem), id="memsite.E001")]
    except DatabaseError as error:
        reason = " ".join(str(error).split())
        return [Warning(f"the roles of the database were not checked: {reason}", id="memsite.W002")]


def list_newer_migrations() -> list[str]:
    """Return the applied migrations of our apps that this code does not have, as `app.name`, sorted.

    If there are any, this code must not write to the data, because it does not know their newer parts.
    """
    ours = {config.label for config in apps.get_app_configs()}
    unknown = set(MigrationRecorder(connection).applied_migrations()) - _on_disk()
    return sorted(f"{app}.{name}" for app, name in unknown if app in ours)


@cache
def _on_disk() -> frozenset[tuple[str, str]]:
    return frozenset(MigrationLoader(None, load=True).disk_migrations)


def explain_newer(migrations: list[str]) -> str:
    """Return one sentence for people that explains the problem."""
    return (
        f"The data are newer than this version of Memsite (they have {migrations[-1]}): "
        "start the version that migrated them, or restore a backup made before."
    )
