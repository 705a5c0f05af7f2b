"""The parts of a signed-in person's first page. The apps above bring them; none is known here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol
from uuid import UUID


@dataclass(frozen=True, slots=True)
class Part:
    """One part of the overview. context is what its template sees, beside the page's own.

    is_empty: nothing is there yet; a page whose parts are all empty shows the first-use guide.
    """

    template: str
    context: Mapping[str, Any] = field(default_factory=dict)
    is_empty: bool = False


class MakePart(Protocol):
    def __call__(self, *, owner: UUID) -> Part: ...


_makers: list[MakePart] = []


def register(maker: MakePart) -> None:
    """Add a part; called once, from `AppConfig.ready()`. Parts stand in the order of their apps."""
    _makers.append(maker)


def parts(*, owner: UUID) -> list[Part]:
    """Every registered part for this person."""
    return [make(owner=owner) for make in _makers]
