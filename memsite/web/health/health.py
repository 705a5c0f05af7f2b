"""Health: `/healthz` (the process answers), `/readyz` (it can work, or why not) and the page `/status/`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.db import Error as DatabaseError
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from memsite.jobs import get_heartbeat_age
from memsite.metering import ModelStatus, list_model_status, sum_tokens_today
from memsite.serving.data_folder import FolderProblem, find_folder_problem
from memsite.serving.postgres import explain_newer, list_newer_migrations
from memsite.web.requests import get_owner
from memsite.web.settings_parts import SettingsPage, make_settings_parts

#: Seconds without a heartbeat after which no work is done (a healthy worker beats every 2 s).
WORKER_SILENCE: Final = 15.0

ALIVE: Final = {"status": "ok"}
_SILENT: Final = (
    "The database does not answer: look at its log, and start it again if it does not recover by itself."
)


@require_safe
@never_cache
def healthz(request: HttpRequest) -> HttpResponse:  # noqa: ARG001 - Django's signature
    """Return 200 while the process answers at all; uses neither the database nor any other service."""
    return JsonResponse(ALIVE)


@require_safe
@never_cache
def readyz(request: HttpRequest) -> HttpResponse:  # noqa: ARG001 - Django's signature
    """Return 200 if the database, its migrations and a worker are in order, else 503 with the reason."""
    status, data = readiness()
    return JsonResponse(data, status=status)


def readiness() -> tuple[int, dict[str, Any]]:
    """Return the status and body of `/readyz`.

    `breaker` is the state of the models; it never makes the site unready. Without a model the rules answer,
    and a supervisor that stopped a site for a model's failure would stop what still works.
    """
    return describe(load_site_state())


def describe(found: SiteState) -> tuple[int, dict[str, Any]]:
    """Return the status and body of `/readyz` for a state."""
    breaker = {slot.tier: slot.breaker.state if slot.model else "unconfigured" for slot in found.models}
    if found.reason is None:
        return 200, {"status": "ok", "breaker": breaker}
    return 503, {"status": "unavailable", "reason": found.reason, "breaker": breaker}


@require_safe
@never_cache
@login_required
def status(request: HttpRequest) -> HttpResponse:
    """Show the state, which is the same for everyone, and the person's own use."""
    context = {
        "vitals": load_site_state(),
        "parts": make_settings_parts(SettingsPage.STATUS, owner=get_owner(request)),
        "used": sum_tokens_today(owner=get_owner(request)),
        "daily_tokens": settings.MEMSITE_MODEL_DAILY_TOKENS,
        "has_prices": bool(settings.MEMSITE_MODEL_PRICES),
    }
    return render(request, "web/status.html", context)


@dataclass(frozen=True, slots=True)
class SiteState:
    """The state of what the site needs, and of the models, which it can do without.

    Attributes:
        folder: Why the data directory takes no more data; None if it does.
        newer: Migrations of the data that this code does not have.
        worker_age: Seconds since a worker was last able to work; None if none ever was.
        models: One entry per model slot; empty if not known.
    """

    folder: FolderProblem | None = None
    database: bool = False
    migrated: bool = False
    newer: tuple[str, ...] = ()
    worker_age: float | None = None
    models: tuple[ModelStatus, ...] = ()

    @property
    def worker(self) -> bool:
        """Whether a worker is able to work."""
        return self.worker_age is not None and self.worker_age <= WORKER_SILENCE

    @property
    def reason(self) -> str | None:
        """Why the site cannot do its work, in one sentence; None if it can."""
        if self.folder or not self.database:
            return self.folder.advice if self.folder else _SILENT
        if self.newer:
            return explain_newer(list(self.newer))
        if not self.migrated:
            return "The database lacks migrations: run `manage.py migrate`."
        if self.worker_age is None:
            return "No worker has run yet."
        if not self.worker:
            return f"No worker was able to work for {self.worker_age:.0f} seconds."
        return None


def load_site_state() -> SiteState:
    """Return the site's present state."""
    folder = find_folder_problem(settings.MEMSITE_DATA_DIR)
    try:
        newer = tuple(list_newer_migrations())
        if newer:
            return SiteState(folder, database=True, newer=newer)
        if not _is_migrated():
            return SiteState(folder, database=True)
        age, models = get_heartbeat_age(), list_model_status()
        return SiteState(folder, database=True, migrated=True, worker_age=age, models=models)
    except DatabaseError:
        return SiteState(folder)


def _is_migrated() -> bool:
    try:
        return is_migrated_cached()
    except _NotMigrated:
        return False


class _NotMigrated(Exception):
    """Raised instead of returned, so that only a positive result is cached."""


@cache
def is_migrated_cached() -> bool:
    """Return True if the database is migrated. Cached, because reading the whole migration graph takes time.

    A migrated database stays migrated while this process lives.
    """
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        raise _NotMigrated
    return True
