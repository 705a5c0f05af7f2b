"""Who of the staff looked at a person's rows, or did something with them."""

from __future__ import annotations

from typing import cast

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from memsite.accounts.models import User

PAGE_SIZE = 50


@login_required
@require_safe
def audit(request: HttpRequest) -> HttpResponse:
    """Every look and act of staff, newest first (ids are made in order of time)."""
    entries = cast("User", request.user).audit_entries.order_by("-id")
    page = Paginator(entries, PAGE_SIZE).get_page(request.GET.get("page"))
    return render(request, "accounts/audit.html", {"page": page})
