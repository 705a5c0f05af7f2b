"""Delete old entries of the log and old deliveries of webhooks, and say how long they are kept."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db import connection
from django.utils import timezone
from django.utils.translation import gettext as _

from memsite.serving.postgres import across_owners
from memsite.web.settings_parts import Retention, format_days

#: Rows that one statement deletes.
_AT_ONCE: Final = 20_000
_DELETE: Final = """
DELETE FROM events_logentry WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM events_logentry WHERE created_at < %s LIMIT %s
))
"""
# What waits for an attempt is kept as long as the log.
_DELETE_DELIVERIES: Final = """
DELETE FROM events_webhookdelivery WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM events_webhookdelivery
    WHERE created_at < %s AND (status <> 'pending' OR created_at < %s) LIMIT %s
))
"""


def list_retentions() -> tuple[Retention, ...]:
    """Return how long events and deliveries are kept."""
    events, deliveries = settings.MEMSITE_EVENT_DAYS, settings.MEMSITE_WEBHOOK_DAYS
    return (
        Retention(_("Events for programs: ids and what happened, no text"), format_days(events)),
        Retention(
            _("What your webhooks were sent, and the beginning of each answer"), format_days(deliveries)
        ),
    )


@across_owners()
def prune() -> int:
    """Delete what is older than `MEMSITE_EVENT_DAYS` and `MEMSITE_WEBHOOK_DAYS`. Across owners: for the
    schedule only.

    Returns:
        How many rows were deleted.
    """
    events = timezone.now() - timedelta(days=settings.MEMSITE_EVENT_DAYS)
    deliveries = timezone.now() - timedelta(days=settings.MEMSITE_WEBHOOK_DAYS)
    return _delete_all(_DELETE, events) + _delete_all(_DELETE_DELIVERIES, deliveries, events)


def _delete_all(statement: str, *before: datetime) -> int:
    """Execute a statement until it finds nothing more; return how many rows it has deleted."""
    total = 0
    with connection.cursor() as cursor:
        while True:
            cursor.execute(statement, [*before, _AT_ONCE])
            deleted: int = cursor.rowcount
            total += deleted
            if deleted < _AT_ONCE:
                return total
