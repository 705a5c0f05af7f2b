"""Redirects that wait a short time for a job without holding a thread."""

from __future__ import annotations

from contextlib import suppress

import structlog
from django.http import HttpRequest, HttpResponseRedirect

from memsite.errors import MemsiteError
from memsite.serving.streaming import MAY_GO_ON, Look, wait_in_loop, wait_in_thread
from memsite.web.requests import get_owner

log = structlog.get_logger("memsite.web")


class HeldRedirect(HttpResponseRedirect):
    """A redirect that is sent when `look` is true, after so many seconds, or if too many answers wait
    already.
    """

    def __init__(self, request: HttpRequest, url: str, look: Look, seconds: float) -> None:
        super().__init__(url)
        self.look, self.seconds, self.owner = look, seconds, get_owner(request)
        if MAY_GO_ON not in request.META:
            with suppress(MemsiteError):
                wait_in_thread(look, seconds)

    async def settle(self) -> None:
        """Wait in the event loop. Errors are ignored, because the next page shows the state of the job."""
        try:
            await wait_in_loop(self.look, self.seconds, owner=self.owner)
        except MemsiteError:
            return
        except Exception:
            log.exception("a wait broke off")
