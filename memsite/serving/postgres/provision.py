"""Create what the site needs inside the database: roles, the database itself, pgvector, privileges."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import psycopg
from django.db import migrations
from django.db.backends.base.base import BaseDatabaseWrapper
from psycopg import sql

from memsite.serving.postgres.database import NAME, ROLE, get_embedded_parameters
from memsite.serving.postgres.postgres import SUPERUSER
from memsite.serving.postgres.roles import Role

_SITE: Final = sql.Identifier(ROLE)
_ALL_OWNERS: Final = sql.Identifier(ROLE + Role.ALL_OWNERS)
_TABLE_OWNER: Final = sql.Identifier(ROLE + Role.TABLE_OWNER)
_ROLES: Final = (
    (ROLE, sql.SQL("LOGIN")),
    (ROLE + Role.ALL_OWNERS, sql.SQL("NOLOGIN BYPASSRLS")),
    (ROLE + Role.TABLE_OWNER, sql.SQL("NOLOGIN")),
)
# To the roles beside the owner of the tables, for tables that still lack a privilege.
_GRANT: Final = """
DO $$
DECLARE
    site text := regexp_replace(session_user, '_owner$', '');
    thing record;
BEGIN
    FOR thing IN
        SELECT c.oid::regclass AS name, r.rolname AS role, c.relkind = 'S' AS is_sequence
        FROM pg_class AS c, pg_roles AS r
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'S')
            AND pg_get_userbyid(c.relowner) = current_user
            AND r.rolname IN (site, site || '_all') AND r.rolname <> current_user
            AND NOT CASE c.relkind
                WHEN 'S' THEN has_sequence_privilege(r.oid, c.oid, 'USAGE')
                ELSE has_table_privilege(r.oid, c.oid, 'SELECT')
                    AND has_table_privilege(r.oid, c.oid, 'DELETE')
            END
    LOOP
        IF thing.is_sequence THEN
            EXECUTE format('GRANT USAGE, SELECT ON SEQUENCE %s TO %I', thing.name, thing.role);
        ELSE
            EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO %I', thing.name, thing.role);
        END IF;
    END LOOP;
END $$
"""


def provision(data_dir: Path) -> None:
    """Create the roles and the database of the embedded server if they do not exist. Safe to repeat.

    What an older version made belongs to the site's role; it is handed over to the owner of the tables.

    Args:
        data_dir: The site's data directory.
    """
    with _connect(data_dir, "postgres") as connection:
        for name, attributes in _ROLES:
            if not _exists(connection, "SELECT 1 FROM pg_roles WHERE rolname = %s", name):
                connection.execute(sql.SQL("CREATE ROLE {} {}").format(sql.Identifier(name), attributes))
        grant = sql.SQL("GRANT {}, {} TO {} WITH INHERIT FALSE")
        connection.execute(grant.format(_TABLE_OWNER, _ALL_OWNERS, _SITE))
        if not _exists(connection, "SELECT 1 FROM pg_database WHERE datname = %s", NAME):
            owned = sql.SQL("CREATE DATABASE {} OWNER {}")
            connection.execute(owned.format(sql.Identifier(NAME), _TABLE_OWNER))
    with _connect(data_dir, NAME) as connection:
        connection.execute(sql.SQL("REASSIGN OWNED BY {} TO {}").format(_SITE, _TABLE_OWNER))
        install_pgvector(connection)


def install_pgvector(connection: psycopg.Connection[Any]) -> None:
    """Install pgvector, or update it if the server's package is newer than the database's."""
    connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
    connection.execute("ALTER EXTENSION vector UPDATE")


def grant_access(connection: BaseDatabaseWrapper) -> None:
    """Let the site read and write the tables of the role that owns them. Safe to repeat.

    Does nothing on a server where the site's role owns them itself.
    """
    with connection.cursor() as cursor:
        cursor.execute(_GRANT)


def owner_policy(table: str) -> migrations.RunSQL:
    """Return the row-level policy of a table of people's rows: a statement sees and writes its owner's alone.

    The sub-select makes it one filter for each statement; without it, it would be evaluated for each row.
    """
    return migrations.RunSQL(
        f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY; CREATE POLICY {table}_owner ON {table}"
        " USING (owner_id = (SELECT nullif(current_setting('app.owner', true), '')::uuid))",
        f"DROP POLICY {table}_owner ON {table}; ALTER TABLE {table} DISABLE ROW LEVEL SECURITY",
    )


def _connect(data_dir: Path, name: str) -> psycopg.Connection[Any]:
    parameters = get_embedded_parameters(data_dir, user=SUPERUSER, name=name)
    return psycopg.connect(**parameters, autocommit=True, connect_timeout=5)


def _exists(connection: psycopg.Connection[Any], query: str, value: str) -> bool:
    return connection.execute(query, [value]).fetchone() is not None
