"""Compute the disk space of one owner's memories."""

from __future__ import annotations

from uuid import UUID

from django.apps import apps
from django.db import connection

_ROWS = "SELECT count(*), coalesce(sum(pg_column_size(t.*)), 0) FROM {table} AS t WHERE t.owner_id = %s"
_INDEXES = """
SELECT pg_indexes_size(relid), n_live_tup FROM pg_stat_user_tables WHERE relid = %s::regclass
"""


def count_bytes(owner: UUID) -> int:
    """Return the bytes of one owner's rows in the tables of `memories`, with their share of the indexes.

    All owners share an index; its bytes are divided in proportion to the rows, as counted by the server.
    """
    tables = [
        model._meta.db_table
        for model in apps.get_app_config("memories").get_models()
        if any(field.attname == "owner_id" for field in model._meta.concrete_fields)
    ]
    return sum(_bytes_in(table, owner) for table in tables)


def _bytes_in(table: str, owner: UUID) -> int:
    with connection.cursor() as cursor:
        cursor.execute(_ROWS.format(table=connection.ops.quote_name(table)), [owner])
        rows, size = cursor.fetchone()
        cursor.execute(_INDEXES, [table])
        index_size, all_rows = cursor.fetchone() or (0, 0)
    share = rows / max(rows, all_rows, 1)
    return int(size + index_size * share)
