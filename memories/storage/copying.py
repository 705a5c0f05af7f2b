"""Insert rows fast: a few by one INSERT, many by PostgreSQL's binary COPY.

For a thousand rows COPY is several times as fast as INSERT. PostgreSQL refuses it on a table with a row-level
policy, so it fills a temporary table, from which one INSERT takes the rows; this checks the policy.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Mapping
from functools import cache
from itertools import chain
from operator import itemgetter
from typing import Any, Final, NamedTuple
from weakref import WeakSet

from django.contrib.postgres.fields import ArrayField
from django.db import connection, models, transaction
from pgvector import HalfVector
from pgvector.django import HalfVectorField
from pgvector.psycopg import register_vector
from psycopg.types.json import Jsonb

from memsite.serving.postgres import actor

_LENGTH: Final = re.compile(r"\(\d+\)")
_with_vectors: WeakSet[Any] = WeakSet()
#: Up to so many rows, one INSERT is faster than COPY with its temporary table.
_FEW: Final = 8

Prepare = Callable[[Any], Any]


def copy_rows(model: type[models.Model], rows: Collection[Mapping[str, Any]]) -> None:
    """Insert rows of one model.

    It takes no instances, because making them took longer than the rest. Nothing is read back.

    Args:
        model: The model.
        rows: Each with a value for every column by attribute name, as `vars` of an instance gives.

    Raises:
        IntegrityError: If a constraint is violated, as with INSERT.
    """
    if not rows:
        return
    shape = _shape_of(model)
    with transaction.atomic(savepoint=False), connection.cursor() as cursor:
        _know_vectors(cursor.connection)
        with connection.wrap_database_errors:
            if len(rows) <= _FEW:
                values = list(chain.from_iterable(map(shape.row, rows)))
                cursor.connection.execute(_insert(model, len(rows)), values)
            else:
                _copy(shape, rows, cursor)


def _copy(shape: _Shape, rows: Collection[Mapping[str, Any]], cursor: Any) -> None:  # noqa: ANN401 - Django's own
    # The temporary table stays with the connection, and is empty after each transaction. It belongs to the
    # role that made it, so each role has one.
    staging = f'"{shape.table}_staging{actor().role}"'
    cursor.connection.execute(
        f"CREATE TEMPORARY TABLE IF NOT EXISTS {staging} ON COMMIT DELETE ROWS"  # noqa: S608 - names of ours
        f" AS SELECT {shape.columns} FROM {shape.table} WITH NO DATA"
    )
    with cursor.copy(f"COPY {staging} ({shape.columns}) FROM STDIN (FORMAT BINARY)") as copy:
        copy.set_types(shape.types)
        for values in rows:
            copy.write_row(shape.row(values))
    cursor.connection.execute(
        f"INSERT INTO {shape.table} ({shape.columns}) SELECT {shape.columns} FROM {staging}"  # noqa: S608 - names of ours
    )
    cursor.connection.execute(f"DELETE FROM {staging}")  # noqa: S608 - likewise


@cache
def _insert(model: type[models.Model], number: int) -> str:
    """Return the INSERT of so many rows."""
    shape = _shape_of(model)
    row = "(" + ", ".join(f"%s::{kind}" for kind in shape.types) + ")"
    rows = ", ".join([row] * number)
    return f"INSERT INTO {shape.table} ({shape.columns}) VALUES {rows}"  # noqa: S608 - names of ours


class _Shape(NamedTuple):
    """The layout in which rows of a model are written.

    Attributes:
        values_of: Returns the values of a row in the order of the columns.
        prepared: For each column, the function that prepares its values, if any, and the type of values that
            need no preparation.
    """

    table: str
    columns: str
    types: list[str]
    values_of: Callable[[Mapping[str, Any]], tuple[Any, ...]]
    prepared: list[tuple[Prepare | None, type]]

    def row(self, values: Mapping[str, Any]) -> list[Any]:
        """Return the values of a row as psycopg takes them."""
        return [
            value if made is None or type(value) is ready else made(value)
            for value, (made, ready) in zip(self.values_of(values), self.prepared, strict=True)
        ]


@cache
def _shape_of(model: type[models.Model]) -> _Shape:
    fields = model._meta.concrete_fields
    columns = ", ".join(f'"{field.column}"' for field in fields)
    return _Shape(
        model._meta.db_table,
        columns,
        [_type(field) for field in fields],
        itemgetter(*(field.attname for field in fields)),
        [(_prepare(field), _ready(field)) for field in fields],
    )


def _know_vectors(psycopg_connection: Any) -> None:  # noqa: ANN401 - psycopg's, behind Django's cursor
    """Register pgvector's types on a connection once; this asks the server for their numbers."""
    if psycopg_connection not in _with_vectors:
        with connection.wrap_database_errors:
            register_vector(psycopg_connection)
        _with_vectors.add(psycopg_connection)


def _type(field: models.Field[Any, Any]) -> str:
    """Return the column's type as PostgreSQL names it, without its length."""
    declared = str(field.rel_db_type(connection) if field.is_relation else field.db_type(connection))
    return _LENGTH.sub("", declared)


def _prepare(field: models.Field[Any, Any]) -> Prepare | None:
    """Return the function that prepares a field's value for psycopg, or None."""
    if isinstance(field, models.JSONField):
        dumps = (field.encoder or json.JSONEncoder)().encode
        empty = Jsonb({}, dumps=lambda _: "{}")  # the value of most rows
        return lambda value: None if value is None else empty if value == {} else Jsonb(value, dumps=dumps)
    if isinstance(field, HalfVectorField):
        return _half_vector
    if isinstance(field, models.CharField):
        return lambda value: None if value is None else str(value)
    if isinstance(field, ArrayField):
        return list
    if isinstance(field, models.FloatField):
        return lambda value: None if value is None else float(value)
    return None


def _ready(field: models.Field[Any, Any]) -> type:
    """Return the type whose values psycopg accepts without preparation."""
    if isinstance(field, models.CharField):
        return str
    if isinstance(field, ArrayField):
        return list
    return float if isinstance(field, models.FloatField) else HalfVector


def _half_vector(value: Any) -> HalfVector:  # noqa: ANN401 - a list, an array or a vector
    return value if isinstance(value, HalfVector) else HalfVector(value)
