"""`manage.py backup`: write the database to a file while the site runs."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from memsite.serving.postgres import BackupFailed, database, write_backup


class Command(BaseCommand):
    help = "Write the whole database to a file, while the site runs."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="the new file; keep it as secret as the site's data")

    def handle(self, *, file: Path, **_options: object) -> None:
        try:
            write_backup(database.site_parameters(settings.MEMSITE_DATA_DIR, settings.DATABASE_URL), file)
        except BackupFailed as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"{file}: {file.stat().st_size} bytes. Keep MEMSITE_SECRET_KEY with it.")
