"""From query parameters to the filter of `queries`."""

from __future__ import annotations

from dataclasses import fields

from memories.api.schema import ListQuery
from memories.queries import MemoryFilter


def filter_of(query: ListQuery) -> MemoryFilter:
    """The same fields, lists as tuples."""
    values = {field.name: getattr(query, field.name) for field in fields(MemoryFilter)}
    return MemoryFilter(
        **{name: tuple(value) if isinstance(value, list) else value for name, value in values.items()}
    )
