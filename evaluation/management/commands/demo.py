"""`manage.py demo`: a sample person to look at, who can be removed in one step."""

from __future__ import annotations

import secrets
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from evaluation.sample_person import (
    USERNAME,
    create_sample_person,
    remove_sample_person,
    write_year,
)
from memsite.errors import MemsiteError


class Command(BaseCommand):
    help = "Add a sample person with a year of threads and memories in English and Chinese, or remove them."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--remove", action="store_true", help="remove the person with everything")
        parser.add_argument("--password", help="the person's password; a random one is printed by default")

    def handle(self, **options: Any) -> None:
        try:
            self._do(**options)
        except MemsiteError as error:
            raise CommandError(error.message) from error

    def _do(self, *, remove: bool, password: str | None, **_others: object) -> None:
        if remove:
            removed = remove_sample_person()
            self.stdout.write("the sample person is removed" if removed else "there is no sample person")
            return
        password = password or secrets.token_urlsafe(12)
        threads = list(write_year(create_sample_person(password)))
        self.stdout.write(f"{len(threads)} threads with {sum(threads)} messages; the worker learns from them")
        self.stdout.write(self.style.SUCCESS(f"sign in as {USERNAME} with the password {password}"))
