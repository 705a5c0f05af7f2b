"""Delete the entries of the log that are older than it is kept, and say how long that is."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.conf import settings
from django.db import connection
from django.utils import timezone
from django.utils.translation import gettext as _

from memsite.serving.postgres import across_owners
from memsite.web.settings_parts import Retention, format_days

#: Entries that one statement deletes.
_AT_ONCE: Final = 20_000
_DELETE: Final = """
DELETE FROM events_logentry WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM events_logentry WHERE created_at < %s LIMIT %s
))
"""


def list_retentions() -> tuple[Retention, ...]:
    """Return how long events are kept."""
    days = format_days(settings.MEMSITE_EVENT_DAYS)
    return (Retention(_("Events for programs: ids and what happened, no text"), days),)


@across_owners()
def prune() -> int:
    """Delete what is older than `MEMSITE_EVENT_DAYS`. Across owners: for the schedule only.

    Returns:
        How many entries were deleted.
    """
    before = timezone.now() - timedelta(days=settings.MEMSITE_EVENT_DAYS)
    total = 0
    with connection.cursor() as cursor:
        while True:
            cursor.execute(_DELETE, [before, _AT_ONCE])
            deleted: int = cursor.rowcount
            total += deleted
            if deleted < _AT_ONCE:
                return total
