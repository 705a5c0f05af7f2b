"""`manage.py serve`: one web process; `run` starts several of them on one listening socket."""

from __future__ import annotations

import asyncio
import resource
import socket
from argparse import ArgumentParser
from contextlib import suppress

import uvicorn
from django.conf import settings
from django.core.management.base import BaseCommand

from memsite.serving.accepting import Acceptor
from memsite.serving.connections import TimedProtocol, WaitingConnections
from memsite.serving.streaming import open_streams

_GRACE_SECONDS = 3  # open requests may finish; streams would not, and are ended then


#: Open files that a process may need: a reply that streams has two connections.
_OPEN_FILES = 65_536
#: Of the open files, those that connections may take; a streamed reply, a database or a model need others.
_SHARE_OF_FILES = 0.6


class _Server(uvicorn.Server):
    """uvicorn's server, which shares connections with others and first ends the streams without an end."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=[])
        most_open = resource.getrlimit(resource.RLIMIT_NOFILE)[0] * _SHARE_OF_FILES
        self._waiting = WaitingConnections(settings.MEMSITE_WAITING_CONNECTIONS, int(most_open))
        self._acceptors = [
            Acceptor(listener, self._make_protocol, lambda: len(self.server_state.connections))
            for listener in sockets or ()
        ]

    def _make_protocol(self) -> asyncio.Protocol:
        return TimedProtocol(
            config=self.config,
            server_state=self.server_state,
            app_state=self.lifespan.state,
            waiting=self._waiting,
        )

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for acceptor in self._acceptors:
            acceptor.close()
        open_streams.end_all()
        await super().shutdown(sockets)


class Command(BaseCommand):
    help = "Serve web requests on a listening socket that `run` hands over."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--fd", type=int, required=True, help="the listening socket's file descriptor")

    def handle(self, *, fd: int, **_options: object) -> None:
        config = uvicorn.Config(
            "memsite.asgi:application",
            loop="uvloop",  # asyncio's own loop takes 44 ms for every answer on an inherited socket
            http="httptools",
            ws="none",
            proxy_headers=False,  # uvicorn trusts 127.0.0.1; memsite.edge reads these headers instead
            lifespan="on",
            log_config=None,  # keep our own logging configuration
            log_level="warning",
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=_GRACE_SECONDS,
        )
        _allow_open_files()
        _Server(config).run(sockets=[socket.socket(fileno=fd)])


def _allow_open_files() -> None:
    """Raise the limit of open files as far as the system lets us; the usual one is 1,024."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = _OPEN_FILES if hard == resource.RLIM_INFINITY else min(hard, _OPEN_FILES)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, most), hard))
