"""`manage.py restore`: replace the database by what a file of `manage.py backup` contains."""

from __future__ import annotations

from argparse import ArgumentParser
from contextlib import nullcontext
from pathlib import Path

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connections

from memsite.serving.postgres import (
    BackupFailed,
    EmbeddedDatabaseError,
    UnusableDatabase,
    database,
    restore_backup,
)
from memsite.serving.supervision import AlreadyRunning, embedded_running, hold_lock


class Command(BaseCommand):
    help = "Replace everything in the database by what a backup contains. Stop the site first."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="a file of `manage.py backup`")

    def handle(self, *, file: Path, **_options: object) -> None:
        data_dir, address = settings.MEMSITE_DATA_DIR, settings.DATABASE_URL
        try:
            with hold_lock(data_dir / "lock"), nullcontext() if address else embedded_running(data_dir):
                restore_backup(database.site_parameters(data_dir, address), file)
                call_command("migrate", interactive=False, verbosity=0)
                connections.close_all()
        except (AlreadyRunning, BackupFailed, EmbeddedDatabaseError, UnusableDatabase) as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"{file} is restored. Start the site.")
