"""Serve the site by uvicorn in this process, on a port of its own, with the test's database."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread

import uvicorn

from memsite import asgi


@contextmanager
def live_site() -> Iterator[str]:
    """Serve within the block. Yields `127.0.0.1:PORT`. Tests need committed rows: `transactional_db`."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
        server = uvicorn.Server(uvicorn.Config(asgi.application, log_level="warning", lifespan="off"))
        thread = Thread(target=_serve, args=(server, listener), daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.05)
        try:
            yield f"127.0.0.1:{port}"
        finally:
            server.should_exit = True
            thread.join(20)


def _serve(server: uvicorn.Server, listener: socket.socket) -> None:
    import asyncio  # noqa: PLC0415 - of this thread alone

    async def serve() -> None:
        async with asgi._mcp.run():  # noqa: SLF001 - the part of the lifespan that these tests need
            await server.serve(sockets=[listener])

    asyncio.run(serve())
