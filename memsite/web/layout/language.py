"""Set the language a person chose in every browser they sign in with."""

from __future__ import annotations

from typing import TypeVar

from django.conf import settings
from django.http import HttpResponseBase

_YEAR = 365 * 24 * 3600
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
