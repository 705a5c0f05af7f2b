"""Light, dark, or as the system has it: kept in a cookie, so that the page comes in its theme at once.

The server writes the theme into the page; no script has to run before the first paint.
"""

from __future__ import annotations

from typing import Final

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from memsite.web.way_back import way_back

COOKIE: Final = "theme"
THEMES: Final = ("auto", "light", "dark")
_YEAR: Final = 365 * 24 * 3600


def theme_of(request: HttpRequest) -> str:
    """What the visitor chose; `auto` when nothing, or nothing we know."""
    chosen = request.COOKIES.get(COOKIE, "")
    return chosen if chosen in THEMES else "auto"


@require_POST
def choose_theme(request: HttpRequest) -> HttpResponse:
    """Keep the posted theme and go back where the visitor was; a script that asks stays on its page."""
    chosen = request.POST.get("theme", "")
    response = HttpResponse(status=204)
    if not request.headers.get("HX-Request"):
        response = HttpResponseRedirect(way_back(request, reverse("home")))
    kept = chosen if chosen in THEMES else "auto"
    response.set_cookie(COOKIE, kept, max_age=_YEAR, samesite="Lax", secure=request.is_secure())
    return response
