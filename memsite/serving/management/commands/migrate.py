"""`manage.py migrate`: Django's own, as the role that owns the tables; then let the site use them.

The tables of an empty database come from one script (`memsite.serving.postgres.schema`).
"""

from __future__ import annotations

from typing import Any, Final

from django.core.management.base import CommandError, CommandParser
from django.core.management.commands import migrate
from django.db import ProgrammingError, connections
from psycopg.errors import InsufficientPrivilege

from memsite.serving.postgres import as_table_owner, grant_access, make_tables

#: Options with which nothing is migrated, or not everything.
_PARTIAL: Final = ("app_label", "check_unapplied", "fake", "fake_initial", "plan", "prune")


class Command(migrate.Command):
    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--step-by-step",
            action="store_true",
            help="apply each migration to an empty database too (40 s in place of 2 s)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        step_by_step = options.pop("step_by_step") or any(options[name] for name in _PARTIAL)
        with as_table_owner():
            try:
                if not step_by_step:
                    make_tables(connections[options["database"]])
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
