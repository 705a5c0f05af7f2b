"""The tables of an empty database, made by one script in place of one migration after the other.

`schema.sql` is what PostgreSQL's `pg_dump` writes about a database that was migrated step by step; `make
schema` makes it, and a test compares the two. Migrations that are newer than the script follow it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from django.db import transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.recorder import MigrationRecorder

SCHEMA: Final = Path(__file__).with_name("schema.sql")


def make_tables(connection: BaseDatabaseWrapper) -> None:
    """Make the tables that migrations would make, and record these as applied, in one transaction.

    Does nothing if migrations have begun.

    Args:
        connection: A connection as the role that owns the tables.
    """
    if MigrationRecorder(connection).has_table():
        return
    with transaction.atomic(using=connection.alias), connection.cursor() as cursor:
        cursor.execute(SCHEMA.read_text(encoding="utf-8"))
