"""Banners on every page of a signed-in person. The apps above add them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Protocol
from uuid import UUID

from django.http import HttpRequest


@dataclass(frozen=True, slots=True)
class Banner:
    """One banner for one request. Its template reads the context as `banner`."""

    template: str
    context: Mapping[str, Any] = field(default_factory=dict)


class LoadBanner(Protocol):
    """Returns a person's banner, or None if there is nothing to say. Every page calls it: one quick query."""

    def __call__(self, *, owner: UUID) -> Banner | None: ...


_loaders: Final[list[LoadBanner]] = []


def register_banner(loader: LoadBanner) -> None:
    """Add a banner. Call once, from `AppConfig.ready()`."""
    _loaders.append(loader)


def load_banners(request: HttpRequest) -> list[Banner]:
    """Return the banners of the signed-in person; none for a visitor."""
    if request.user.pk is None:
        return []
    found = (load(owner=request.user.pk) for load in _loaders)
    return [banner for banner in found if banner is not None]
