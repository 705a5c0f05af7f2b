"""Where a posted form leads when it is done."""

from __future__ import annotations

from django.http import HttpRequest
from django.utils.http import url_has_allowed_host_and_scheme


def way_back(request: HttpRequest, default: str) -> str:
    """The posted `next`, when it is an address of this site; else `default`."""
    target = request.POST.get("next", "")
    secure = request.is_secure()
    safe = url_has_allowed_host_and_scheme(target, {request.get_host()}, require_https=secure)
    return target if target and safe else default
