"""The rate limit: requests per window for each person or address, counted in the database.

All keys and sessions of one person count together, and so do the end users of a person's applications.

One statement counts and returns the count, so the limit applies across all processes of the site.
"""

from __future__ import annotations

import math
import time
from uuid import UUID

from django.conf import settings
from django.db import connection

from memsite.errors import TooManyRequests
from memsite.serving.connections import name_network

_COUNT = """
INSERT INTO rest_requestcount AS c (caller, "window", requests) VALUES (%s, %s, 1)
ON CONFLICT (caller) DO UPDATE SET
    requests = CASE WHEN c."window" = excluded."window" THEN c.requests + 1 ELSE 1 END,
    "window" = excluded."window"
RETURNING requests
"""


def name_person_caller(person: UUID) -> str:
    """Return the name of a person for the rate limit."""
    return f"person:{person}"


def name_address_caller(address: str) -> str:
    """Return the name of a client's address for the rate limit. An IPv6 client has a whole /64 network."""
    return f"address:{name_network(address)}"


def count_request(caller: str) -> None:
    """Count one request of a caller. Raises TooManyRequests if it exceeds `MEMSITE_RATE_LIMIT`."""
    if settings.MEMSITE_RATE_LIMIT is not None:
        count_within(caller, *settings.MEMSITE_RATE_LIMIT)


def count_within(caller: str, allowed: int, seconds: int) -> None:
    """Count one request of a caller. Raises TooManyRequests above `allowed` in `seconds`."""
    now = time.time()
    window = int(now // seconds)
    with connection.cursor() as cursor:
        cursor.execute(_COUNT, [caller, window])
        (requests,) = cursor.fetchone()
    if requests > allowed:
        wait = max(1, math.ceil((window + 1) * seconds - now))
        raise TooManyRequests(f"More than {allowed} requests in {seconds} s; wait {wait} s.", wait)
