"""Read the bodies of uploads into files, so that memory holds one part of them at a time.

Only authenticated callers may upload, a few at once. The application finds the file in the request's scope,
and reads its body from there.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final

from asgiref.typing import ASGIReceiveCallable, ASGISendCallable, HTTPScope

from memsite.edge.bodies import (
    Application,
    Disconnected,
    Identify,
    announced_length,
    receive_part,
    with_length,
)
from memsite.edge.refusals import refuse_request
from memsite.errors import MemsiteError, TooLarge, TooManyRequests, Unavailable
from memsite.serving.streaming import BODY_FILE

#: How many uploads one caller, and all callers of a process, may have underway.
_AT_ONCE_FOR_ONE: Final = 2
_AT_ONCE_FOR_ALL: Final = 8
_DRAINED: Final = 64 * 1024**2  # bytes of a refused upload that are read and dropped


@dataclass(frozen=True, slots=True)
class Uploads:
    """Settings of the requests that upload files.

    Attributes:
        paths: Paths whose POST requests do.
        longest: The largest body, in bytes.
        folder: Where the bodies are, without a name, while a request is answered. It is created.
    """

    paths: Collection[str]
    longest: int
    folder: Path


class UploadedBodies:
    """An ASGI application (HTTP only) that passes the body of each upload to another one as a file.

    Args:
        application: The application for uploads.
        others: The application for all other requests.
        uploads: Which requests upload files.
        identify: Returns a name for the sender.
    """

    def __init__(
        self, application: Application, others: Application, uploads: Uploads, *, identify: Identify
    ) -> None:
        self._application = application
        self._others = others
        self._uploads = uploads
        self._identify = identify
        self._underway: Counter[str] = Counter()

    async def __call__(self, scope: HTTPScope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
        """Answer one request."""
        if scope["method"] == "POST" and scope["path"] in self._uploads.paths:
            await self._upload(scope, receive, send)
        else:
            await self._others(scope, receive, send)

    async def _upload(self, scope: HTTPScope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
        caller = ""
        try:
            self._check_size(announced_length(scope) or 0)
            caller = self._begin(await self._identify(scope))
            self._uploads.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            with tempfile.TemporaryFile(dir=self._uploads.folder) as file:
                size = await self._read(receive, file)
                file.seek(0)
                passed: Any = {**with_length(scope, size), BODY_FILE: file}
                await self._application(passed, receive, send)
        except MemsiteError as error:
            await refuse_request(scope, receive, send, error, drain=_DRAINED)
        except Disconnected:
            pass
        finally:
            self._underway[caller] -= 1
            self._underway += Counter()  # drops the names with none underway

    def _begin(self, caller: str) -> str:
        """Count an upload of this caller, unless there are too many."""
        if self._underway[caller] >= _AT_ONCE_FOR_ONE:
            raise TooManyRequests("Too many uploads at once; send one after another.", 1)
        if self._underway.total() >= _AT_ONCE_FOR_ALL:
            raise Unavailable("The site is reading too many uploads right now; try again.")
        self._underway[caller] += 1
        return caller

    def _check_size(self, size: int) -> None:
        if size > self._uploads.longest:
            raise TooLarge(
                f"An upload may have {self._uploads.longest // 1024**2} MB.", {"bytes": self._uploads.longest}
            )

    async def _read(self, receive: ASGIReceiveCallable, file: IO[bytes]) -> int:
        started, size, more = asyncio.get_running_loop().time(), 0, True
        while more:
            message = await receive_part(receive, started, size)
            part = message.get("body", b"")
            size += len(part)
            self._check_size(size)
            file.write(part)
            more = message.get("more_body", False)
        return size
