"""Remove the bytes that erased rows leave in the data files.

Plain VACUUM marks the space of dead rows as free and leaves the bytes until they are overwritten. VACUUM FULL
writes a table and its indexes anew and deletes the old files. It locks the table meanwhile: so it runs soon
after an erasure if the tables are small, or else at night, and tables above the largest size get plain
VACUUM. The write-ahead log, and what a checkpoint has not written yet, disappear later without action.

A dead row stays as long as any transaction on the server, in any database, is older than its deletion.
"""

from __future__ import annotations

import time
from datetime import datetime, timedelta
from typing import Final

import structlog
from django.apps import apps
from django.db import connection
from django.utils import timezone

from memories import ports
from memories.curation import SCRUB
from memsite.jobs import enqueue
from memsite.serving.postgres import as_table_owner

log = structlog.get_logger("memories.maintenance.forgetting")

#: The most bytes of all tables together that are rewritten at once: this takes about a second.
AT_ONCE: Final = 64 * 1024 * 1024
#: The most bytes of one table that is rewritten at night.
AT_NIGHT: Final = 4 * 1024**3
#: The hour of the nightly rewrite, in UTC.
NIGHT: Final = 4
#: Whether a transaction older than a given one runs on the server, or a snapshot is held in this database.
_OLDER: Final = """
SELECT pg_snapshot_xmin(pg_current_snapshot()) < mark OR EXISTS (
    SELECT FROM pg_stat_activity WHERE datname = current_database() AND age(backend_xmin) > age(mark::xid)
) FROM (SELECT %s::xid8 AS mark) AS m
"""
#: How long to wait for a table that is in use.
_PATIENCE: Final = "5s"
#: Seconds to wait for older transactions to end, and seconds until the next attempt if they do not.
OLDER_END: Final = 10.0
AGAIN: Final = 60.0
TIMEOUT: Final = 600  # seconds


def scrub_tables(*, now: datetime | None = None, at_night: bool = False) -> list[str]:
    """Rewrite the tables that hold memories, or postpone it until the night.

    Does nothing within a transaction, where VACUUM cannot run. An interrupted run leaves every table either
    as it was or rewritten, and is repeated; so is a run that older transactions outlast.

    Args:
        now: The time; default the present.
        at_night: Whether this is the nightly run.

    Returns:
        The tables that were rewritten.
    """
    if connection.in_atomic_block:
        return []
    sizes = _sizes()
    if not at_night and sum(sizes.values()) > AT_ONCE:
        delay = _until_night(now or timezone.now())
        enqueue(SCRUB, True, unique_key="scrub:night", delay=delay, timeout=TIMEOUT)  # noqa: FBT003 - a job's argument
        return []
    if not _older_ended():
        enqueue(SCRUB, at_night, unique_key="scrub:again", delay=AGAIN, timeout=TIMEOUT)
        return []
    rewritten = [table for table, size in sizes.items() if size <= AT_NIGHT]
    with as_table_owner(), connection.cursor() as cursor:  # PostgreSQL skips tables of another role
        cursor.execute(f"SET lock_timeout = '{_PATIENCE}'")
        try:
            for table in sizes:
                kind = "VACUUM (FULL)" if table in rewritten else "VACUUM"
                cursor.execute(f"{kind} {connection.ops.quote_name(table)}")
        finally:
            cursor.execute("RESET lock_timeout")
    log.info("data files rewritten", tables=len(rewritten))
    return rewritten


def _older_ended() -> bool:
    """Return whether all transactions and snapshots older than now end within `OLDER_END` seconds."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_current_xact_id()::text")
        mark = cursor.fetchone()
        until = time.monotonic() + OLDER_END
        while True:
            cursor.execute(_OLDER, mark)
            if not cursor.fetchone()[0]:
                return True
            if time.monotonic() > until:
                return False
            time.sleep(0.1)


def _sizes() -> dict[str, int]:
    """Return the bytes of each table that an erasure reaches, with its indexes."""
    ours = [model._meta.db_table for model in apps.get_app_config("memories").get_models()]
    tables = sorted({*ours, *ports.tables()})
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT name, pg_total_relation_size(name::regclass) FROM unnest(%s::text[]) AS t (name)",
            [tables],
        )
        return dict(cursor.fetchall())


def _until_night(now: datetime) -> float:
    night = now.replace(hour=NIGHT, minute=0, second=0, microsecond=0)
    return ((night if night > now else night + timedelta(days=1)) - now).total_seconds()
