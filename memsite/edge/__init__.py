"""Check the sender, headers and body of a request before any view sees it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from memsite.edge.bodies import Application, BoundedBodies
from memsite.edge.callers import identify_caller
from memsite.edge.headers import CheckedHeaders
from memsite.edge.uploads import UploadedBodies, Uploads

__all__ = ["Uploads", "guard_application"]


def guard_application(
    application: Application, *, longest: int, uploads: Uploads, trusted_proxies: Sequence[str]
) -> Application:
    """Return an ASGI application that receives only checked requests.

    Args:
        application: An ASGI application for HTTP.
        longest: The largest body, in bytes.
        uploads: The requests with larger bodies, which are read into files.
        trusted_proxies: Addresses and networks (`10.0.0.0/8`) whose `X-Forwarded-For` and `X-Forwarded-Proto`
            are trusted. The client is then the last address in the former that is none of these.

    Returns:
        The application for the server.
    """
    bounded = BoundedBodies(application, longest=longest, identify=identify_caller)
    uploaded = UploadedBodies(application, bounded, uploads, identify=identify_caller)
    checked: Any = CheckedHeaders(uploaded)
    proxied: Any = ProxyHeadersMiddleware(checked, trusted_hosts=list(trusted_proxies))
    return proxied  # type: ignore[no-any-return]  # uvicorn and asgiref type ASGI differently
