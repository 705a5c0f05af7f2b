"""`manage.py issue_key NAME [--scopes read,write]`: issue an API key.

The last line printed is the key alone.
"""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from memsite.accounts.applications import find_or_create_application
from memsite.accounts.keys import issue_key
from memsite.accounts.models import User
from memsite.errors import MemsiteError


class Command(BaseCommand):
    help = "Issue an API key for a user. Its last line of output is the key alone: it is shown this once."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="the user's name")
        parser.add_argument("--scopes", default="read,write", help="of read, write, admin; comma between")
        parser.add_argument("--label", default="issued from the shell", help="what the key is for")
        parser.add_argument("--application", default="", help="its application: the key acts for end users")

    def handle(self, *_args: Any, **options: Any) -> None:
        user = User.objects.filter(username=options["name"]).first()
        if user is None:
            raise CommandError(f"There is no user {options['name']!r}.")
        scopes = [scope.strip() for scope in options["scopes"].split(",") if scope.strip()]
        named = options["application"]
        try:
            with transaction.atomic():  # a refused key leaves no application behind
                application = find_or_create_application(user, named) if named else None
                row, key = issue_key(user, name=options["label"], scopes=scopes, application=application)
        except MemsiteError as error:
            raise CommandError(error.message) from None
        self.stderr.write(f"Key {row.prefix} for {user.username}, scopes {', '.join(row.scopes)}.")
        self.stdout.write(key)
