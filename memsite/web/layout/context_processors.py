"""Variables of every page template."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from memsite.metering import get_model_name
from memsite.web.layout import banners, navigation
from memsite.web.layout.choices import get_theme


def site(request: HttpRequest) -> dict[str, Any]:
    """Return navigation, theme, sign-up mode and whether a language model is set.

    Nothing is queried here, because a page must render without the database; navigation and
    banners are queried when a signed-in person's page shows them.
    """
    return {
        "main_links": SimpleLazyObject(partial(navigation.build_links, navigation.MAIN, request)),
        "settings_links": SimpleLazyObject(partial(navigation.build_links, navigation.SETTINGS, request)),
        "banners": SimpleLazyObject(partial(banners.load_banners, request)),
        "in_settings": request.path.startswith(navigation.SETTINGS_PREFIXES),
        "theme": get_theme(request),
        "here": _get_current_path(request),
        "signup": settings.MEMSITE_SIGNUP,
        "languages": settings.LANGUAGES,
        "has_model": bool(get_model_name("primary")),
        "sends_mail": bool(settings.MEMSITE_SMTP_URL),
    }


def _get_current_path(request: HttpRequest) -> str:
    """Return the page in the visitor's address bar; for htmx this is not the URL of the request."""
    htmx = getattr(request, "htmx", None)
    return (htmx and htmx.current_url_abs_path) or request.get_full_path()
