"""Find what waits for a person's decision: pending memories, disputes, and memories that may be one."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Final, TypeVar
from uuid import UUID

from django.db import connection

K = TypeVar("K", bound=Hashable)

#: The most that is counted of each sort. Pages show a larger number as "99+".
MOST_COUNTED: Final = 100

#: Links of disputes that are read: a question with 60 answers has 1,770.
MOST_LINKS: Final = 2_000

#: `kept_apart` is `memories.maintenance.reports.findings.DISTINCT_FROM`; a test compares the two.
_COUNT: Final = """
SELECT
    (SELECT count(*) FROM (
        SELECT 1 FROM memories_memory
        WHERE owner_id = %(owner)s AND status IN ('pending', 'disputed') AND status = 'pending' LIMIT %(most)s
    ) AS pending),
    ARRAY(
        SELECT k.memory_id::text || k.other_id::text FROM memories_memory AS m
        JOIN memories_memorylink AS k
            ON k.owner_id = m.owner_id AND k.memory_id = m.id AND k.kind = 'disputes'
        JOIN memories_memory AS o
            ON o.owner_id = k.owner_id AND o.id = k.other_id AND o.status = 'disputed'
        WHERE m.owner_id = %(owner)s AND m.status IN ('pending', 'disputed') AND m.status = 'disputed'
        LIMIT %(links)s
    ),
    (SELECT count(*) FROM (
        SELECT body FROM memories_report
        WHERE owner_id = %(owner)s AND kind = 'quality' ORDER BY day DESC LIMIT 1
    ) AS report, jsonb_array_elements(report.body -> 'findings') AS finding
    WHERE finding ->> 'kind' = 'duplicates' AND (
        SELECT count(*) > 1 AND NOT COALESCE(bool_or(
            jsonb_typeof(m.metadata -> 'kept_apart') = 'array'
            AND (m.metadata -> 'kept_apart') ?| ARRAY(
                SELECT jsonb_array_elements_text(finding -> 'memories'))
        ), FALSE) FROM memories_memory AS m
        WHERE m.owner_id = %(owner)s AND m.status IN ('active', 'disputed') AND m.id = ANY(ARRAY(
            SELECT jsonb_array_elements_text(finding -> 'memories'))::uuid[])
    ))
"""
_ID_LENGTH: Final = 36


def count_waiting(*, owner: UUID) -> int:
    """Return how many decisions wait: pending memories, disputes, and sets of memories that may be one.

    Makes one statement. Of each sort at most `MOST_COUNTED` are counted.
    """
    with connection.cursor() as cursor:
        cursor.execute(_COUNT, {"owner": owner, "most": MOST_COUNTED, "links": MOST_LINKS})
        pending, disputes, duplicates = cursor.fetchone()
    pairs = ((text[:_ID_LENGTH], text[_ID_LENGTH:]) for text in disputes)
    return int(pending) + len(group_pairs(pairs)) + int(duplicates)


def group_pairs(pairs: Iterable[tuple[K, K]]) -> list[set[K]]:
    """Return the sets of keys that pairs connect, at any distance, in the order of the pairs."""
    groups: dict[K, set[K]] = {}
    for one, other in pairs:
        united = groups.get(one, {one}) | groups.get(other, {other})
        groups.update(dict.fromkeys(united, united))
    return list({id(group): group for group in groups.values()}.values())
