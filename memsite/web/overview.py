"""The first page: an introduction or, if signed in, the parts that the apps above register; and the guide."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from memsite.web.requests import get_owner


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


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show the signed-in person's overview; to others, what Memsite is and how to sign in."""
    if not request.user.is_authenticated:
        return render(request, "web/landing.html")
    parts = make_parts(owner=get_owner(request))
    return render(
        request, "web/overview.html", {"parts": parts, "is_new": all(part.is_empty for part in parts)}
    )


@require_safe
@login_required
def guide(request: HttpRequest) -> HttpResponse:
    """Show what is stored, and how to stop it."""
    return render(request, "web/guide.html")
