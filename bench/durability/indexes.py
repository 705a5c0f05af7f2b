"""Check that a stopped database's files are intact, and that each index finds exactly its table's rows."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any, Final

import psycopg

from memsite.serving.postgres.database import NAME, get_embedded_parameters
from memsite.serving.postgres.postgres import SUPERUSER, EmbeddedPostgres, binaries
from memsite.serving.processes.child import Child
from memsite.serving.processes.os_users import make_launch
from memsite.serving.supervision.starting import wait_for_embedded

_INDEXES: Final = """
SELECT i.indexrelid::regclass::text, i.indrelid::regclass::text, pg_get_expr(i.indpred, i.indrelid), (
    SELECT string_agg(
        pg_get_indexdef(i.indexrelid, n, true)
        || CASE WHEN o.opcname LIKE '%pattern_ops' THEN ' USING ~<~' ELSE '' END
        || CASE WHEN i.indoption[n - 1] = 3 THEN ' DESC' ELSE '' END, ', '
    ) FROM generate_series(1, i.indnkeyatts) AS n JOIN pg_opclass o ON o.oid = i.indclass[n - 1]
)
FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_am a ON a.oid = c.relam
WHERE a.amname = 'btree' AND c.relnamespace = 'public'::regnamespace AND i.indisvalid ORDER BY 2, 1
"""
#: Hides the other indexes of the table from the planner; a rollback restores them.
_HIDE: Final = """
UPDATE pg_index SET indisvalid = false WHERE indrelid = %s::regclass AND indexrelid <> %s::regclass
"""
_BY_TABLE: Final = ("enable_indexscan", "enable_indexonlyscan", "enable_bitmapscan")
_BY_INDEX: Final = ("enable_seqscan", "enable_sort", "enable_bitmapscan", "enable_indexonlyscan")


def check(data_dir: Path) -> tuple[int, list[str]]:
    """Return how many indexes were compared with their tables, and violations. The site must be stopped."""
    server = EmbeddedPostgres(data_dir)
    child = Child(server.program())
    child.start()
    try:
        wait_for_embedded(server, child)
        parameters = get_embedded_parameters(data_dir, user=SUPERUSER, name=NAME)
        with psycopg.connect(**parameters) as connection:
            number, found = compare(connection)
    finally:
        child.stop()
    return number, found + _checksums(data_dir)


def compare(connection: psycopg.Connection[Any]) -> tuple[int, list[str]]:
    """Compare over a superuser's connection to the site's database. All changes are rolled back."""
    indexes = connection.execute(_INDEXES).fetchall()
    return len(indexes), [problem for index in indexes for problem in _compare(connection, *index)]


def _compare(
    connection: psycopg.Connection[Any], index: str, table: str, predicate: str | None, columns: str
) -> list[str]:
    """Check that an index scan returns the same rows as a table scan."""
    rows = f"SELECT ctid FROM {table} WHERE {predicate or 'true'}"  # noqa: S608 - names from the catalogue
    total = "SELECT count(*), coalesce(sum(hashtext(ctid::text)), 0) FROM ({}) AS found"
    along_table, along_index = total.format(rows), total.format(f"{rows} ORDER BY {columns}")
    with connection.transaction(force_rollback=True):
        _without(connection, _BY_TABLE)
        wanted = connection.execute(along_table).fetchone()
    with connection.transaction(force_rollback=True):
        connection.execute(_HIDE, [table, index])
        _without(connection, _BY_INDEX)
        plan = str(connection.execute(f"EXPLAIN {along_index}").fetchall())
        got = connection.execute(along_index).fetchone()
    if index.strip('"') not in plan:
        return [f"index {index} was not used to walk along it"]
    return [] if got == wanted else [f"index {index} leads to {got}, table {table} holds {wanted}"]


def _without(connection: psycopg.Connection[Any], ways: tuple[str, ...]) -> None:
    for way in ways:
        connection.execute(f"SET LOCAL {way} = off")


def _checksums(data_dir: Path) -> list[str]:
    """Return the errors that pg_checksums finds in a stopped database."""
    server = EmbeddedPostgres(data_dir)
    program, user = server.program(), server.program().user
    argv = [str(binaries() / "pg_checksums"), "--check", "-D", str(server.files)]
    how = make_launch(argv, user, program.folders)
    done = subprocess.run(  # noqa: S603 - our own command line
        how.argv, check=False, cwd="/", capture_output=True, text=True, **how.keywords
    )
    return [] if done.returncode == 0 else [f"pg_checksums: {done.stderr.strip()[-300:]}"]
