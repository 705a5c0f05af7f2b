"""Page of the site's state: what it needs, its models, and one's own use of them today."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from memsite.metering import used_today
from memsite.web.health.health import vitals
from memsite.web.person import owner_of


@require_safe
@never_cache
@login_required
def status(request: HttpRequest) -> HttpResponse:
    """Show the state, which is the same for everyone, and the person's own use."""
    context = {
        "vitals": vitals(),
        "used": used_today(owner=owner_of(request)),
        "daily_tokens": settings.MEMSITE_MODEL_DAILY_TOKENS,
        "has_prices": bool(settings.MEMSITE_MODEL_PRICES),
    }
    return render(request, "web/status.html", context)
