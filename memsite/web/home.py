"""The first page: an introduction or, if signed in, an overview; and the guide."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from memsite.web import overview
from memsite.web.person import get_owner


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show the signed-in person's overview; to others, what Memsite is and how to sign in."""
    if not request.user.is_authenticated:
        return render(request, "web/landing.html")
    parts = overview.make_parts(owner=get_owner(request))
    return render(
        request, "web/overview.html", {"parts": parts, "is_new": all(part.is_empty for part in parts)}
    )


@require_safe
@login_required
def guide(request: HttpRequest) -> HttpResponse:
    """Show what is stored, and how to stop it."""
    return render(request, "web/guide.html")
