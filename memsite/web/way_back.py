"""The page to show after a form was posted."""

from __future__ import annotations

from django.http import HttpRequest
from django.utils.http import url_has_allowed_host_and_scheme


def get_return_url(request: HttpRequest, default: str) -> str:
    """Return the posted `next` if it is a URL of this site, else `default`."""
    target = request.POST.get("next", "")
    secure = request.is_secure()
    safe = url_has_allowed_host_and_scheme(target, {request.get_host()}, require_https=secure)
    return target if target and safe else default
