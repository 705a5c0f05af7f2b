"""Find the memories that a search must not return: those learnt on abandoned branches only.

Every search calls this. If no thread has several branches, it takes one small statement; otherwise the result
is cached in the process until these threads or the owner's memories change.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final
from uuid import UUID

from django.db import connection

from memories.storage import get_index_state, list_learnt_only_from, load_sources
from threads.models import Kept
from threads.visibility.provenance import make_reference, parse_references

#: Threads with several branches, and a fingerprint of everything that the result depends on except memories:
#: every change in a thread updates `updated_at`.
_BRANCHED: Final = """
WITH branched AS (
    SELECT DISTINCT b.thread_id FROM threads_branch AS b
    JOIN threads_thread AS t ON t.owner_id = b.owner_id AND t.id = b.thread_id
    WHERE b.owner_id = %(owner)s AND b.id IS DISTINCT FROM t.current_branch_id AND NOT t.is_temporary
)
SELECT array_agg(DISTINCT t.id),
    md5(string_agg(concat_ws(' ', t.updated_at, b.id, b.head_id), ',' ORDER BY b.id)),
    (SELECT concat_ws(' ', count(*), max(k.created_at)) FROM threads_kept AS k WHERE k.owner_id = %(owner)s)
FROM branched AS f JOIN threads_thread AS t ON t.owner_id = %(owner)s AND t.id = f.thread_id
JOIN threads_branch AS b ON b.owner_id = t.owner_id AND b.thread_id = t.id
"""
#: Messages that the current branch of their thread does not contain.
_OFF: Final = """
WITH RECURSIVE way AS (
    SELECT t.id AS thread_id, h.line_id, h.depth AS through
    FROM threads_thread AS t
    JOIN threads_branch AS b ON b.owner_id = t.owner_id AND b.id = t.current_branch_id
    JOIN threads_message AS h ON h.owner_id = t.owner_id AND h.id = b.head_id
    WHERE t.owner_id = %(owner)s AND t.id = ANY(%(threads)s)
    UNION ALL
    SELECT w.thread_id, l.origin_id, least(l.fork_depth, w.through)
    FROM way AS w JOIN threads_line AS l ON l.owner_id = %(owner)s AND l.id = w.line_id
    WHERE l.origin_id IS NOT NULL
)
SELECT m.id, m.thread_id FROM threads_message AS m
LEFT JOIN way AS w ON w.thread_id = m.thread_id AND w.line_id = m.line_id
WHERE m.owner_id = %(owner)s AND m.thread_id = ANY(%(threads)s) AND (w.through IS NULL OR m.depth > w.through)
"""
#: Number of owners whose hidden memories are cached.
_OWNERS: Final = 64


@dataclass(frozen=True, slots=True)
class _Hidden:
    """The hidden memories of an owner.

    Attributes:
        everywhere: Hidden in all threads.
        by_thread: By thread, memories that the person kept and that are hidden in this thread only.
    """

    state: tuple[object, ...]
    everywhere: frozenset[UUID] = frozenset()
    by_thread: Mapping[UUID, frozenset[UUID]] = field(default_factory=dict)

    def to(self, thread_id: UUID | None) -> frozenset[UUID]:
        """Return the memories hidden from a search in a thread, or outside of any thread."""
        own = self.by_thread.get(thread_id) if thread_id else None
        return self.everywhere | own if own else self.everywhere


_kept: OrderedDict[UUID, _Hidden] = OrderedDict()
_lock: Final = threading.Lock()


def find_hidden_memories(thread_id: UUID | None, *, owner: UUID) -> frozenset[UUID]:
    """Return the memories whose sources are all outside the current branch of their thread.

    A memory that the person kept is hidden in its own thread only. One statement if no thread has several
    branches, two if nothing changed since the last call, six at most.
    """
    with connection.cursor() as cursor:
        cursor.execute(_BRANCHED, {"owner": owner})
        branched, *state = cursor.fetchone()
    if not branched:
        return frozenset()
    version = (*state, *get_index_state(owner=owner))
    with _lock:
        hidden = _kept.get(owner)
        if hidden is not None:
            _kept.move_to_end(owner)
    if hidden is None or hidden.state != version:
        hidden = _hidden(branched, version, owner=owner)
        with _lock:
            _kept[owner] = hidden
            _kept.move_to_end(owner)
            while len(_kept) > _OWNERS:
                _kept.popitem(last=False)
    return hidden.to(thread_id)


def _hidden(branched: list[UUID], state: tuple[object, ...], *, owner: UUID) -> _Hidden:
    with connection.cursor() as cursor:
        cursor.execute(_OFF, {"owner": owner, "threads": branched})
        off: dict[UUID, UUID] = dict(cursor.fetchall())
    found = list_learnt_only_from([make_reference(message) for message in off], owner=owner)
    if not found:
        return _Hidden(state)
    rows = Kept.objects.filter(owner_id=owner, memory_id__in=found)
    kept = set(rows.values_list("memory_id", flat=True))
    within: dict[UUID, set[UUID]] = {}
    for memory, sources in load_sources(kept, owner=owner).items() if kept else ():
        for message in off.keys() & parse_references(sources):  # it may have further sources meanwhile
            within.setdefault(off[message], set()).add(memory)
    return _Hidden(state, frozenset(found - kept), {thread: frozenset(own) for thread, own in within.items()})
