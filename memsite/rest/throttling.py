"""The rate limit: so many requests a window for each key, session or address, counted in the database.

One statement counts and answers, so the limit holds across all processes of the site.
"""

from __future__ import annotations

import math
import time

from django.conf import settings
from django.db import connection

from memsite.errors import TooManyRequests

_COUNT = """
INSERT INTO rest_requestcount AS c (caller, "window", requests) VALUES (%s, %s, 1)
ON CONFLICT (caller) DO UPDATE SET
    requests = CASE WHEN c."window" = excluded."window" THEN c.requests + 1 ELSE 1 END,
    "window" = excluded."window"
RETURNING requests
"""


def count_request(caller: str) -> None:
    """Count one request of a caller. Raises TooManyRequests past `MEMSITE_RATE_LIMIT`."""
    limit = settings.MEMSITE_RATE_LIMIT
    if limit is None:
        return
    allowed, seconds = limit
    now = time.time()
    window = int(now // seconds)
    with connection.cursor() as cursor:
        cursor.execute(_COUNT, [caller, window])
        (requests,) = cursor.fetchone()
    if requests > allowed:
        wait = max(1, math.ceil((window + 1) * seconds - now))
        raise TooManyRequests(f"More than {allowed} requests in {seconds} s; wait {wait} s.", wait)
