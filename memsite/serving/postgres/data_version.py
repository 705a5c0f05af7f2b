"""Whether the data are newer than the code: a database that a later version of Memsite has migrated."""

from __future__ import annotations

from functools import cache

from django.apps import apps
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder


def newer_migrations() -> list[str]:
    """The applied migrations of our apps that this code does not have, as `app.name`, in order.

    This code must not write to such data: it knows nothing of what was added to them.
    """
    ours = {config.label for config in apps.get_app_configs()}
    unknown = set(MigrationRecorder(connection).applied_migrations()) - _on_disk()
    return sorted(f"{app}.{name}" for app, name in unknown if app in ours)


@cache
def _on_disk() -> frozenset[tuple[str, str]]:
    return frozenset(MigrationLoader(None, load=True).disk_migrations)


def why_newer(migrations: list[str]) -> str:
    """One sentence for people."""
    return (
        f"The data are newer than this version of Memsite (they have {migrations[-1]}): "
        "start the version that migrated them, or restore a backup made before."
    )
