"""Answers that wait for work to be done, without holding a thread meanwhile."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any, Final, TypeVar

from asgiref.sync import sync_to_async
from django.db import connection
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from rest_framework.response import Response

from memsite.rest.views import ApiView

T = TypeVar("T")

#: Seconds between looks at what is waited for.
_FIRST_PAUSE, _LONGEST_PAUSE = 0.05, 0.5
QUEUED: Final = 202

#: How things stand: a status and a body; 202 while there is more to wait for.
Look = Callable[[], tuple[int, dict[str, Any]]]


class HeldResponse(Response):
    """An answer that is sent when `look` has more to say than 202, or after so many seconds."""

    def __init__(self, look: Look, seconds: float) -> None:
        status, data = look()
        super().__init__(data, status=status)
        self.look = look
        self.seconds = seconds


class HeldView(ApiView):
    """A view that may answer with a HeldResponse: the event loop waits, a thread works for each look only."""

    @classmethod
    def as_view(cls, **initkwargs: Any) -> Any:  # noqa: ANN401 - Django's signature
        view: Any = super().as_view(**initkwargs)

        async def held(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            response: HttpResponseBase = await sync_to_async(_at_once)(view, request, *args, **kwargs)
            if isinstance(response, HeldResponse):
                await _hold(response)
            return response

        vars(held).update(vars(view))  # what Django, DRF and the schema read off a view
        return held


async def _hold(response: HeldResponse) -> None:
    end = time.monotonic() + response.seconds
    pause = _FIRST_PAUSE
    while response.status_code == QUEUED and (left := end - time.monotonic()) > 0:
        await asyncio.sleep(min(pause, left))
        pause = min(pause * 1.5, _LONGEST_PAUSE)
        response.status_code, response.data = await sync_to_async(_freely)(response.look)


def _at_once(view: Callable[..., HttpResponseBase], *args: Any, **kwargs: Any) -> HttpResponseBase:
    return _freely(lambda: view(*args, **kwargs))


def _freely(look: Callable[[], T]) -> T:
    """Look, and give the connection back, so that those who wait do not empty the pool."""
    try:
        return look()
    finally:
        if not connection.in_atomic_block:
            connection.close()
