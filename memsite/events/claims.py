"""Count the open streams of a key, or of a person's sessions, in all processes of the site."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final
from uuid import UUID

from django.conf import settings
from django.db import connection, transaction

from memsite.errors import TooManyRequests
from memsite.values import new_id

#: Seconds after which a stream may be free of its claim.
_RETRY_AFTER: Final = 5
#: For how long a claim holds unless it is renewed: the claims of a process that was killed expire.
_HELD: Final = "clock_timestamp() + interval '1 minute'"
_LOCK: Final = "SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))"
_CLAIM: Final = f"""
INSERT INTO events_streamclaim (id, holder, expires_at) SELECT %(id)s, %(holder)s::varchar, {_HELD}
WHERE (
    SELECT count(*) FROM events_streamclaim
    WHERE holder = %(holder)s::varchar AND expires_at > clock_timestamp()
) < %(most)s
"""  # noqa: S608 - a constant of ours
_RENEW: Final = f"UPDATE events_streamclaim SET expires_at = {_HELD} WHERE id = ANY(%s)"  # noqa: S608 - likewise
_DELETE: Final = """
DELETE FROM events_streamclaim WHERE id = ANY(%s) OR id IN (
    SELECT id FROM events_streamclaim WHERE expires_at < clock_timestamp() FOR UPDATE SKIP LOCKED
)
"""


def claim_stream(holder: str) -> UUID:
    """Count one more open stream of a holder, and return the id of its claim.

    Raises:
        TooManyRequests: If the holder has `MEMSITE_KEY_STREAMS` open streams.
    """
    claim, most = new_id(), settings.MEMSITE_KEY_STREAMS
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(_LOCK, [holder])
        cursor.execute(_CLAIM, {"id": claim, "holder": holder, "most": most})
        if not cursor.rowcount:
            raise TooManyRequests(f"{most} streams of yours are open already; close one first.", _RETRY_AFTER)
    return claim


def renew_claims(claims: Collection[UUID]) -> None:
    """Renew the claims of the open streams of this process."""
    with connection.cursor() as cursor:
        cursor.execute(_RENEW, [list(claims)])


def release_claims(claims: Collection[UUID]) -> None:
    """Release the claims of streams that have ended, and drop those that nobody renewed."""
    with connection.cursor() as cursor:
        cursor.execute(_DELETE, [list(claims)])
