"""Many new rows at once by PostgreSQL's binary COPY, several times as fast as INSERT for a thousand rows."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Mapping
from functools import cache
from operator import itemgetter
from typing import Any, Final, NamedTuple
from weakref import WeakSet

from django.contrib.postgres.fields import ArrayField
from django.db import connection, models
from pgvector import HalfVector
from pgvector.django import HalfVectorField
from pgvector.psycopg import register_vector
from psycopg.types.json import Jsonb

_LENGTH: Final = re.compile(r"\(\d+\)")
_with_vectors: WeakSet[Any] = WeakSet()

Prepare = Callable[[Any], Any]


def copy_in(model: type[models.Model], rows: Collection[Mapping[str, Any]]) -> None:
    """Insert rows of one model, each a value for every column by its name, as `vars` gives of an instance.

    No instances are asked for: making them took longer than the rest. Nothing is read back.

    Raises what the constraints raise (IntegrityError), like an INSERT.
    """
    if not rows:
        return
    shape = _shape_of(model)
    with connection.cursor() as cursor:
        _know_vectors(cursor.connection)
        with connection.wrap_database_errors, cursor.copy(shape.statement) as copy:
            copy.set_types(shape.types)
            for values in rows:
                copy.write_row(
                    [
                        value if made is None or type(value) is ready else made(value)
                        for value, (made, ready) in zip(shape.values_of(values), shape.prepared, strict=True)
                    ]
                )


class _Shape(NamedTuple):
    """How rows of a model are copied.

    values_of: of a row, its values in the order of the columns; prepared: by column what prepares its
    values, if anything, and the type of those that need it not.
    """

    statement: str
    types: list[str]
    values_of: Callable[[Mapping[str, Any]], tuple[Any, ...]]
    prepared: list[tuple[Prepare | None, type]]


@cache
def _shape_of(model: type[models.Model]) -> _Shape:
    fields = model._meta.concrete_fields
    columns = ", ".join(f'"{field.column}"' for field in fields)
    return _Shape(
        f"COPY {model._meta.db_table} ({columns}) FROM STDIN (FORMAT BINARY)",
        [_type(field) for field in fields],
        itemgetter(*(field.attname for field in fields)),
        [(_prepare(field), _ready(field)) for field in fields],
    )


def _know_vectors(psycopg_connection: Any) -> None:  # noqa: ANN401 - psycopg's, behind Django's cursor
    """Teach a connection pgvector's types, once: it asks the server for their numbers."""
    if psycopg_connection not in _with_vectors:
        with connection.wrap_database_errors:
            register_vector(psycopg_connection)
        _with_vectors.add(psycopg_connection)


def _type(field: models.Field[Any, Any]) -> str:
    """The column's type as PostgreSQL names it, without its length."""
    declared = str(field.rel_db_type(connection) if field.is_relation else field.db_type(connection))
    return _LENGTH.sub("", declared)


def _prepare(field: models.Field[Any, Any]) -> Prepare | None:
    """What a value of the field needs before psycopg takes it; None for nothing."""
    if isinstance(field, models.JSONField):
        dumps = (field.encoder or json.JSONEncoder)().encode
        empty = Jsonb({}, dumps=lambda _: "{}")  # what most rows hold
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
    """The type whose values psycopg takes as they are, where the others must be prepared."""
    if isinstance(field, models.CharField):
        return str
    if isinstance(field, ArrayField):
        return list
    return float if isinstance(field, models.FloatField) else HalfVector


def _half_vector(value: Any) -> HalfVector:  # noqa: ANN401 - a list, an array or a vector
    return value if isinstance(value, HalfVector) else HalfVector(value)
