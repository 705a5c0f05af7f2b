"""Keep the cookies of an encrypted site off unencrypted connections."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse


class SecureCookiesMiddleware:
    """Mark the cookies of each answer `Secure` if the request came by https.

    The settings mark all cookies if `MEMSITE_BASE_URL` begins with https. A site that people use by http at
    home can have a `MEMSITE_PUBLIC_URL` with https besides: only there must cookies be secure.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if response.cookies and _is_encrypted(request):
            for cookie in response.cookies.values():
                cookie["secure"] = True
        return response


def _is_encrypted(request: HttpRequest) -> bool:
    """Return whether the request came by https, or to the host of the public https URL.

    A proxy that is not in `MEMSITE_TRUSTED_PROXIES` cannot say which of the two it was sent.
    """
    public = urlsplit(settings.MEMSITE_PUBLIC_URL)
    host = request.META.get("HTTP_HOST", "")
    return request.is_secure() or (public.scheme == "https" and host == public.netloc)
