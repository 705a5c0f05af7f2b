"""`manage.py work`: run jobs until stopped."""

from __future__ import annotations

import argparse

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection

from memsite.jobs.worker import Watchdog, run_cluster
from memsite.serving.postgres import UnusableDatabase, database
from memsite.serving.supervision import wait_for_server


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
            self._wait_for_database()
            Watchdog().run()

    def _wait_for_database(self) -> None:
        parameters = database.site_parameters(settings.MEMSITE_DATA_DIR, settings.DATABASE_URL)
        try:
            wait_for_server(parameters, lambda sentence: self.stdout.write(f"memsite: {sentence}"))
        except UnusableDatabase as error:
            raise CommandError(str(error)) from None
