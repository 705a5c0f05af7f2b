"""Answers that wait for a job without holding a thread."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final
from uuid import UUID

from django.core.handlers.asgi import ASGIRequest
from rest_framework.request import Request
from rest_framework.response import Response

from memsite.errors import TooManyRequests
from memsite.rest.errors import handle_exception
from memsite.rest.views import ApiView, get_owner
from memsite.serving.streaming import MAY_GO_ON, run_in_stream_thread, wait_in_loop, wait_in_thread

QUEUED: Final = 202

#: Returns the present status and body; the status is 202 while there is more to wait for.
Look = Callable[[], tuple[int, dict[str, Any]]]


def may_go_on(request: Request) -> bool:
    """Return whether the server lets an answer continue after its view has returned."""
    plain = request._request  # noqa: SLF001 - DRF has no other name for it
    return MAY_GO_ON in request.META or isinstance(plain, ASGIRequest)


class HeldResponse(Response):
    """An answer that is sent when `look` returns another status than 202, or after so many seconds.

    If too many answers of the owner wait already, it is 429 at once, with the body of the 202 (the job).
    """

    owner: UUID

    def __init__(self, look: Look, seconds: float) -> None:
        status, data = look()
        super().__init__(data, status=status)
        self.look = look
        self.seconds = seconds if status == QUEUED else 0.0

    async def settle(self) -> None:
        """Wait in the event loop."""
        try:
            await wait_in_loop(self._look_again, self.seconds, owner=self.owner)
        except Exception as error:  # noqa: BLE001 - `_fail` sorts the errors
            await run_in_stream_thread(self._fail, error)

    def settle_in_thread(self) -> None:
        """Wait on this thread."""
        try:
            wait_in_thread(self._look_again, self.seconds)
        except Exception as error:  # noqa: BLE001 - `_fail` sorts the errors
            self._fail(error)

    def _look_again(self) -> bool:
        status, data = self.look()
        if status != QUEUED:
            self._become(status, data)
        return status != QUEUED

    def _fail(self, error: Exception) -> None:
        failed = handle_exception(error, {})
        if failed is None:
            raise error
        if isinstance(error, TooManyRequests):
            failed.data["detail"] |= self.data
            failed.data["message"] += " The work is queued all the same."
        for name, value in failed.items():
            self[name] = value
        self._become(failed.status_code, failed.data)

    def _become(self, status: int, data: Any) -> None:  # noqa: ANN401 - any JSON value
        self.status_code, self.data = status, data
        if self.is_rendered:
            self.content = self.rendered_content


class HeldView(ApiView):
    """A view that may answer with a HeldResponse."""

    def finalize_response(self, request: Request, response: Response, *args: Any, **kwargs: Any) -> Response:
        final = super().finalize_response(request, response, *args, **kwargs)
        if isinstance(final, HeldResponse):
            final.owner = get_owner(request)
            if MAY_GO_ON not in request.META:
                final.settle_in_thread()
        return final
