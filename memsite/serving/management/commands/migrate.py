"""`manage.py migrate`: Django's own, as the role that owns the tables; then let the site use them."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError
from django.core.management.commands import migrate
from django.db import ProgrammingError, connections
from psycopg.errors import InsufficientPrivilege

from memsite.serving.postgres import as_table_owner, grant_access


class Command(migrate.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        with as_table_owner():
            try:
                super().handle(*args, **options)
                grant_access(connections[options["database"]])
            except ProgrammingError as error:
                if not isinstance(error.__cause__, InsufficientPrivilege):
                    raise
                problem = " ".join(str(error).split())
                raise CommandError(
                    f"the database's role may not migrate ({problem}); docs/install.md lists the roles. "
                    "To migrate as another role, run manage.py migrate with its DATABASE_URL"
                ) from None
