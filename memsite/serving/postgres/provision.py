"""Create what the site needs inside the embedded server: its role, its database, pgvector."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql

from memsite.serving.postgres.database import NAME, ROLE, embedded_parameters
from memsite.serving.postgres.postgres import SUPERUSER


def provision(data_dir: Path, *, for_tests: bool = False) -> None:
    """Create the role and the database if they do not exist. Safe to repeat.

    The role is not a superuser, so that row-level security applies to it.

    Args:
        data_dir: The site's data directory.
        for_tests: Let the role create databases, which contain pgvector.
    """
    with _connect(data_dir, "postgres") as connection:
        if not _exists(connection, "SELECT 1 FROM pg_roles WHERE rolname = %s", ROLE):
            connection.execute(sql.SQL("CREATE ROLE {} LOGIN").format(sql.Identifier(ROLE)))
        if for_tests:
            connection.execute(sql.SQL("ALTER ROLE {} CREATEDB").format(sql.Identifier(ROLE)))
        if not _exists(connection, "SELECT 1 FROM pg_database WHERE datname = %s", NAME):
            owned = sql.SQL("CREATE DATABASE {} OWNER {}")
            connection.execute(owned.format(sql.Identifier(NAME), sql.Identifier(ROLE)))
    for name in ("template1", NAME) if for_tests else (NAME,):
        with _connect(data_dir, name) as connection:
            connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
            connection.execute("ALTER EXTENSION vector UPDATE")  # a newer wheel may contain a newer version


def _connect(data_dir: Path, name: str) -> psycopg.Connection[Any]:
    parameters = embedded_parameters(data_dir, user=SUPERUSER, name=name)
    return psycopg.connect(**parameters, autocommit=True, connect_timeout=5)


def _exists(connection: psycopg.Connection[Any], query: sql.SQL | str, value: str) -> bool:
    return connection.execute(query, [value]).fetchone() is not None
