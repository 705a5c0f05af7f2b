"""`manage.py work`: run jobs until stopped."""

from __future__ import annotations

import argparse

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection

from memsite.jobs.worker import Watchdog, run_cluster


class Command(BaseCommand):
    help = "Run jobs and schedules until SIGTERM, restarting whatever dies or hangs."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the two options with which the watchdog starts its cluster."""
        parser.add_argument("--cluster", type=int, help=argparse.SUPPRESS)
        parser.add_argument("--parent", type=int, help=argparse.SUPPRESS)

    def handle(self, *_args: object, **options: int | None) -> None:
        if "pool" in connection.settings_dict.get("OPTIONS", {}):
            raise CommandError("a worker forks, and a connection pool must not be: unset MEMSITE_PROCESS")
        report, parent = options["cluster"], options["parent"]
        if report is not None and parent is not None:
            run_cluster(report, parent)
        else:
            Watchdog().run()
