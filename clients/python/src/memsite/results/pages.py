"""A page of a list."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class Page(Generic[T]):
    """One page of a list; `next_cursor` is the `cursor` of the page after it, None at the end."""

    results: tuple[T, ...]
    next_cursor: str | None
    previous_cursor: str | None
