"""Convert query parameters to the filter of `queries`."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from memories.api.shapes.memories import FilterQuery
from memories.storage import MemoryFilter


def build_filter(query: FilterQuery) -> MemoryFilter:
    """Return a filter with the same fields, with lists as tuples."""
    values: dict[str, Any] = {}
    for field in fields(MemoryFilter):
        value = getattr(query, field.name)
        values[field.name] = tuple(value) if isinstance(value, list) else value
    return MemoryFilter(**values)
