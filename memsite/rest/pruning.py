"""Forgetting what the rate limit counted."""

from __future__ import annotations

import time

from django.conf import settings

from memsite.rest.models import RequestCount


def prune() -> int:
    """Delete the counts of every window but the present one, of keys, people and addresses; their number."""
    limit = settings.MEMSITE_RATE_LIMIT
    stale = RequestCount.objects.all()
    if limit is not None:
        stale = stale.exclude(window=int(time.time() // limit[1]))
    return stale.delete()[0]
