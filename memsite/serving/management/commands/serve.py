"""`manage.py serve`: one web process; `run` starts several of them on one listening socket."""

from __future__ import annotations

import socket
from argparse import ArgumentParser

import uvicorn
from django.core.management.base import BaseCommand

_GRACE_SECONDS = 3  # open requests may finish; streams would not, and are ended then


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
        uvicorn.Server(config).run(sockets=[socket.socket(fileno=fd)])
