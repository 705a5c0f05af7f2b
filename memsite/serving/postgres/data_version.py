"""Check whether the data are newer than the code: the database was migrated by a later version of Memsite."""

from __future__ import annotations

from functools import cache

from django.apps import apps
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder


def list_newer_migrations() -> list[str]:
    """Return the applied migrations of our apps that this code does not have, as `app.name`, sorted.

    If there are any, this code must not write to the data, because it does not know their newer parts.
    """
    ours = {config.label for config in apps.get_app_configs()}
    unknown = set(MigrationRecorder(connection).applied_migrations()) - _on_disk()
    return sorted(f"{app}.{name}" for app, name in unknown if app in ours)


@cache
def _on_disk() -> frozenset[tuple[str, str]]:
    return frozenset(MigrationLoader(None, load=True).disk_migrations)


def explain_newer(migrations: list[str]) -> str:
    """Return one sentence for people that explains the problem."""
    return (
        f"The data are newer than this version of Memsite (they have {migrations[-1]}): "
        "start the version that migrated them, or restore a backup made before."
    )
