"""Delete old counts of the rate limit."""

from __future__ import annotations

import time

from django.conf import settings

from memsite.rest.models import RequestCount


def prune() -> int:
    """Delete the counts of all windows except the current one; return how many."""
    limit = settings.MEMSITE_RATE_LIMIT
    stale = RequestCount.objects.all()
    if limit is not None:
        stale = stale.exclude(window=int(time.time() // limit[1]))
    return stale.delete()[0]
