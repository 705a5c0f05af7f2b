#!/usr/bin/env python
"""Django's command line for Memsite."""

from __future__ import annotations

import os
import sys

try:
    from django.conf import settings
except ImportError:
    sys.exit("Django is not installed here: run this with .venv/bin/python, which `make setup` makes.")
from django.core.management import execute_from_command_line
from django.db import DatabaseError, OperationalError, ProgrammingError, connection
from django.db.migrations.executor import MigrationExecutor

from memsite.env import BadSetting
from memsite.serving.data_folder import explain_file_error
from memsite.serving.postgres import database


def main() -> None:
    """Run the command; what the operator can mend is said in one line."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memsite.settings")
    try:
        execute_from_command_line(sys.argv)
    except BadSetting as error:
        sys.exit(f"Error: {error}")
    except OSError as error:
        explanation = explain_file_error(error)
        if explanation is None:
            raise
        sys.exit(f"Error: {explanation}")
    except ProgrammingError:
        if not _lacks_migrations():
            raise
        sys.exit("Error: the database is not set up yet: try again once `make run` says that it is ready")
    except OperationalError:
        absence = _absence()
        if absence is None:
            raise
        sys.exit(f"Error: {absence}")


def _absence() -> str | None:
    """Return what to say when the database does not answer; None when it does."""
    url, data_dir = settings.DATABASE_URL, settings.MEMSITE_DATA_DIR
    if database.is_answering(
        database.parse_parameters(url) if url else database.get_embedded_parameters(data_dir)
    ):
        return None
    if url:
        return "the database of DATABASE_URL does not answer"
    return f"the embedded database of {data_dir} is not running: start it with `make run`"


def _lacks_migrations() -> bool:
    """Return whether the database has not all tables of this version, or does not let us look."""
    try:
        executor = MigrationExecutor(connection)
        return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))
    except DatabaseError:
        return True


if __name__ == "__main__":
    main()
