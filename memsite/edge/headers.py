"""Drop or refuse headers that different programs would interpret differently."""

from __future__ import annotations

from collections import Counter
from typing import Final

from asgiref.typing import ASGIReceiveCallable, ASGISendCallable, HTTPScope

from memsite.edge.bodies import Application
from memsite.edge.refusals import refuse_request
from memsite.errors import InvalidInput

#: Django joins the values of a repeated header with a comma: two end users would become one named "u1,u2".
_AT_MOST_ONCE: Final = {
    b"authorization": "Authorization",
    b"content-length": "Content-Length",
    b"content-type": "Content-Type",
    b"host": "Host",
    b"memsite-user": "Memsite-User",
}
#: Headers in which a proxy describes its client. `ProxyHeadersMiddleware` has read them from trusted proxies.
_OF_PROXIES: Final = frozenset(
    {b"forwarded", b"x-forwarded-for", b"x-forwarded-host", b"x-forwarded-port", b"x-forwarded-proto"}
)


class CheckedHeaders:
    """An ASGI application (HTTP only) that passes requests with unambiguous headers to another one.

    A header name with an underscore is dropped, as nginx does: WSGI reads `Memsite_User` as `Memsite-User`,
    ASGI does not. A repeated header that may occur only once is refused with 400.
    """

    def __init__(self, application: Application) -> None:
        self._application = application

    async def __call__(self, scope: HTTPScope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
        """Answer one request."""
        kept = [
            (name, value) for name, value in scope["headers"] if b"_" not in name and name not in _OF_PROXIES
        ]
        repeated = _repeated(kept)
        if repeated:
            error = InvalidInput(f"The header {repeated} may occur only once in a request.")
            await refuse_request(scope, receive, send, error, drain=0)
            return
        await self._application({**scope, "headers": kept}, receive, send)


def _repeated(headers: list[tuple[bytes, bytes]]) -> str | None:
    counted = Counter(name for name, _ in headers)
    return next((shown for name, shown in _AT_MOST_ONCE.items() if counted[name] > 1), None)
