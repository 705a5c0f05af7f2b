"""`/healthz`: the process answers. `/readyz`: it can also do its work, or why not."""

from __future__ import annotations

from functools import cache
from typing import Final

from django.db import Error as DatabaseError
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from memsite.jobs import heartbeat_age

#: Seconds of a worker's silence past which nothing gets done (a healthy one beats every 2 s).
WORKER_SILENCE: Final = 15.0


@require_safe
@never_cache
def healthz(request: HttpRequest) -> HttpResponse:  # noqa: ARG001 - Django's signature
    """200 while the process answers at all; asks nothing of the database or anyone."""
    return JsonResponse({"status": "ok"})


@require_safe
@never_cache
def readyz(request: HttpRequest) -> HttpResponse:  # noqa: ARG001 - Django's signature
    """200 when the database, its migrations and a worker are good; else 503 with the reason."""
    reason = not_ready()
    if reason is None:
        return JsonResponse({"status": "ok"})
    return JsonResponse({"status": "unavailable", "reason": reason}, status=503)


def not_ready() -> str | None:
    """Why the site cannot do its work, in one sentence; None when it can."""
    try:
        if not _is_migrated():
            return "The database lacks migrations: run `manage.py migrate`."
        age = heartbeat_age()
    except DatabaseError:
        return "The database does not answer."
    if age is None:
        return "No worker has run yet."
    if age > WORKER_SILENCE:
        return f"No worker was able to work for {age:.0f} seconds."
    return None


def _is_migrated() -> bool:
    try:
        return seen_migrated()
    except _NotMigrated:
        return False


class _NotMigrated(Exception):
    """Raised, not returned: only the good answer is kept."""


@cache
def seen_migrated() -> bool:
    """Reading the whole migration graph takes its time, and a migrated database stays so while we live."""
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        raise _NotMigrated
    return True
