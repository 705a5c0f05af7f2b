"""Memory follows the branch: what was learnt on a line that was left, who may see it, and taking it back."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Final
from uuid import UUID

from django.db import connection
from django.db.models import Q

from memories.access import get_memories
from memories.queries import learnt_from, list_memories, sources_of
from threads.models import Branch, Kept, Line, Message, Thread
from threads.path import path_along
from threads.provenance import reference_to

_BRANCHED: Final = """
SELECT DISTINCT b.thread_id FROM threads_branch AS b
JOIN threads_thread AS t ON t.owner_id = b.owner_id AND t.id = b.thread_id
WHERE b.owner_id = %s AND b.id IS DISTINCT FROM t.current_branch_id AND NOT t.is_temporary
"""


def hidden_memories(thread_id: UUID | None, *, owner: UUID) -> frozenset[UUID]:
    """Memories that all come from messages off their thread's current line.

    A kept one is hidden in its own thread alone. One query where no thread has branches.
    """
    off = _off_the_current_lines(owner)
    if not off:
        return frozenset()
    found = learnt_within(off, owner=owner)
    kept = set(Kept.objects.filter(owner_id=owner, memory_id__in=found).values_list("memory_id", flat=True))
    return frozenset(found - (kept - _of_thread(kept, off, thread_id, owner)))


def learnt_within(message_ids: Collection[UUID], *, owner: UUID) -> set[UUID]:
    """Memories that come from these messages and from nowhere else. Two queries."""
    references = {reference_to(message_id) for message_id in message_ids}
    learnt = learnt_from(references, owner=owner) if references else set()
    sources = sources_of(learnt, owner=owner) if learnt else {}
    return {memory_id for memory_id, named in sources.items() if references.issuperset(named)}


def to_take_back(message_ids: Collection[UUID], *, owner: UUID) -> list[UUID]:
    """What was learnt from these messages alone and is neither forgotten nor kept, oldest first."""
    found = learnt_within(message_ids, owner=owner)
    kept = Kept.objects.filter(owner_id=owner, memory_id__in=found).values("memory_id")
    rows = list_memories(owner=owner).filter(id__in=found, forgotten_at=None, retired_at=None)
    return list(rows.exclude(id__in=kept).order_by("created_at", "id").values_list("id", flat=True))


def keep(memory_ids: Sequence[UUID], *, owner: UUID, wish: bool = True) -> None:
    """Let memories be seen in other threads whatever becomes of their line, or take that back.

    Raises NotFound for a memory that is not the owner's.
    """
    get_memories(memory_ids, owner=owner)
    if wish:
        rows = [Kept(owner_id=owner, memory_id=memory_id) for memory_id in dict.fromkeys(memory_ids)]
        Kept.objects.bulk_create(rows, ignore_conflicts=True)
    else:
        Kept.objects.filter(owner_id=owner, memory_id__in=list(memory_ids)).delete()


def _off_the_current_lines(owner: UUID) -> dict[UUID, UUID]:
    """Messages that their thread's current branch does not lead over, each with its thread."""
    branched = _branched(owner)
    if not branched:
        return {}
    threads = Thread.objects.filter(owner_id=owner, id__in=branched).select_related("current_branch__head")
    lines = Line.objects.filter(owner_id=owner, thread_id__in=branched).in_bulk()
    off = Q(pk__in=[])
    for thread in threads:
        off |= Q(thread_id=thread.pk) & ~_on_current_line(thread, lines)
    return dict(Message.objects.filter(off, owner_id=owner).values_list("id", "thread_id"))


def _branched(owner: UUID) -> list[UUID]:
    """Threads with more than one branch. Written out: every search asks, and composing it took long."""
    with connection.cursor() as cursor:
        cursor.execute(_BRANCHED, [owner])
        return [thread for (thread,) in cursor.fetchall()]


def _on_current_line(thread: Thread, lines: dict[UUID, Line]) -> Q:
    current: Branch | None = thread.current_branch
    if current is None or current.head is None:
        return Q(pk__in=[])
    head = current.head
    return path_along(lines, head.line_id, head.depth, thread_id=thread.pk).condition()


def _of_thread(
    memory_ids: Iterable[UUID], off: dict[UUID, UUID], thread_id: UUID | None, owner: UUID
) -> set[UUID]:
    """Which of the memories come from messages of this thread."""
    own = {reference_to(message) for message, thread in off.items() if thread == thread_id}
    sources = sources_of(list(memory_ids), owner=owner) if own else {}
    return {memory for memory, named in sources.items() if own.intersection(named)}
