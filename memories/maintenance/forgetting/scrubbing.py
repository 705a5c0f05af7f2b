"""Erased rows leave their bytes in the data files; this takes them out.

Plain VACUUM marks the space of dead rows as free and leaves the bytes there until something else is
written over them. VACUUM FULL writes a table and its indexes anew and drops the old files. It locks
the table meanwhile: soon after an erasure where tables are small, else at night, and tables past the
largest size get the plain kind. What a checkpoint has not written yet, and the write-ahead log, go
by themselves later.

A dead row stays as long as any transaction on the server is older than its death, in whatever database.
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

log = structlog.get_logger("memories.maintenance.forgetting")

#: Bytes of all tables together that are rewritten at once: within about a second.
AT_ONCE: Final = 64 * 1024 * 1024
#: Bytes of one table that is rewritten at night.
AT_NIGHT: Final = 4 * 1024**3
#: The hour of the night, in UTC.
NIGHT: Final = 4
#: Whether a transaction older than a given one runs on the server, or a snapshot is held in this database.
_OLDER: Final = """
SELECT pg_snapshot_xmin(pg_current_snapshot()) < mark OR EXISTS (
    SELECT FROM pg_stat_activity WHERE datname = current_database() AND age(backend_xmin) > age(mark::xid)
) FROM (SELECT %s::xid8 AS mark) AS m
"""
#: How long to wait for a table that somebody is using.
_PATIENCE: Final = "5s"
#: Seconds to wait for older transactions to end, and until another try where they do not.
OLDER_END: Final = 10.0
AGAIN: Final = 60.0
TIMEOUT: Final = 600  # seconds


def scrub(*, now: datetime | None = None, at_night: bool = False) -> list[str]:
    """Rewrite the tables that hold memories, or put it off until the night; the tables rewritten.

    at_night: it is the night. Does nothing within a transaction, where VACUUM cannot run. A run that was
    cut off leaves every table as it was or rewritten, and is run again; so is one that older transactions
    outlast.
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
    with connection.cursor() as cursor:
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
    """Whether all transactions and snapshots older than this moment have gone, within a while."""
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
    """Bytes of each table that an erasure reaches, with its indexes."""
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
