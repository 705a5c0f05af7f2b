"""Delete old counts of the rate limit."""

from __future__ import annotations

import time

from django.conf import settings

from memsite.rest.models import RequestCount


def prune() -> int:
    """Delete the counts of all windows except the current ones; return how many.

    Registrations of programs are counted by the hour.
    """
    limit = settings.MEMSITE_RATE_LIMIT
    windows = {3600} | ({limit[1]} if limit else set())
    stale = RequestCount.objects.exclude(window__in=[int(time.time() // seconds) for seconds in windows])
    return stale.delete()[0]
