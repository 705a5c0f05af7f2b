"""The theme and the language that a person chose, each stored in a cookie.

The server writes the theme into the page, so that no script has to run before the first paint.
"""

from __future__ import annotations

from typing import Final, TypeVar

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from memsite.web.requests import get_return_url

COOKIE: Final = "theme"
THEMES: Final = ("auto", "light", "dark")
_YEAR: Final = 365 * 24 * 3600


def get_theme(request: HttpRequest) -> str:
    """Return the visitor's theme; `auto` if none or an unknown one is set."""
    chosen = request.COOKIES.get(COOKIE, "")
    return chosen if chosen in THEMES else "auto"


@require_POST
def choose_theme(request: HttpRequest) -> HttpResponse:
    """Store the posted theme and return to the visitor's page; 204 for a script, which stays on its page."""
    chosen = request.POST.get("theme", "")
    response = HttpResponse(status=204)
    if not request.headers.get("HX-Request"):
        response = HttpResponseRedirect(get_return_url(request, reverse("home")))
    kept = chosen if chosen in THEMES else "auto"
    response.set_cookie(COOKIE, kept, max_age=_YEAR, samesite="Lax", secure=request.is_secure())
    return response


R = TypeVar("R", bound=HttpResponseBase)


def keep_language(response: R, language: str) -> R:
    """Store the language in the cookie that Django reads; "" returns to the browser's own languages."""
    if language in dict(settings.LANGUAGES):
        response.set_cookie(
            settings.LANGUAGE_COOKIE_NAME,
            language,
            max_age=_YEAR,
            samesite="Lax",
            secure=settings.SESSION_COOKIE_SECURE,
        )
    else:
        response.delete_cookie(settings.LANGUAGE_COOKIE_NAME)
    return response
