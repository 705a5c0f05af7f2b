"""The parts of a signed-in person's first page. The apps above register them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol
from uuid import UUID


@dataclass(frozen=True, slots=True)
class OverviewPart:
    """One part of the overview.

    Attributes:
        template: Name of its template.
        context: Variables of its template, in addition to the page's own.
        is_empty: Whether there are no data yet; if all parts are empty, the page shows the first-use guide.
    """

    template: str
    context: Mapping[str, Any] = field(default_factory=dict)
    is_empty: bool = False


class MakePart(Protocol):
    """Builds one part of the overview for a person."""

    def __call__(self, *, owner: UUID) -> OverviewPart: ...


_makers: list[MakePart] = []


def register_part(maker: MakePart) -> None:
    """Add a part. Call once, from `AppConfig.ready()`. Parts are shown in the order of their apps."""
    _makers.append(maker)


def make_parts(*, owner: UUID) -> list[OverviewPart]:
    """Return every registered part for this person."""
    return [make(owner=owner) for make in _makers]
