"""One owner's stored rows, read from the tables and named so that two runs can be compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from bench.durability.site import Row, Site

_MESSAGE: Final = "message:"
_MEMORY: Final = "memory:"


@dataclass(frozen=True, slots=True)
class StoredMessage:
    """One message as stored."""

    id: str
    parent: str | None
    depth: int
    role: str
    content: str
    client_id: str
    is_learnt: bool


@dataclass(frozen=True, slots=True)
class StoredMemory:
    """One memory. `statement` must be equal in two runs of the same input, except ids and times of writing.

    Attributes:
        sources: `thread/depth` of the messages, and contents of the episodes, it was learnt from.
    """

    id: str
    layer: str
    kind: str
    content: str
    status: str
    triple: tuple[str, str, str]
    session: str
    turn: int
    written_by: str
    occurrence_count: int
    sources: tuple[str, ...]
    entities: tuple[str, ...]
    vectors: int

    @property
    def statement(self) -> tuple[object, ...]:
        """Content and position, independent of how often it was stated."""
        place = (self.session, self.turn) if self.layer == "episodic" else ()
        return (self.layer, self.kind, self.content, self.status, self.triple, place, self.entities)


@dataclass(frozen=True, slots=True)
class Stored:
    """One owner's rows.

    Attributes:
        threads: Messages by the thread's number.
        heads: Head of the current branch by the thread's number.
        created: By memory, its events of creation.
        counted: The ledger's number of the last event.
        log_gaps: How often the numbers of the event log do not follow each other.
        logged: Events of memories in the event log.
        learnings: Messages that finished batches of learning report as handled.
    """

    threads: Mapping[int, tuple[StoredMessage, ...]]
    heads: Mapping[int, str | None]
    memories: tuple[StoredMemory, ...]
    sequence: tuple[int, ...]
    created: Counter[str]
    counted: int
    log_gaps: int
    logged: int
    learnings: int

    def learnt(self) -> list[StoredMemory]:
        """Return memories learnt from messages or episodes, except the episodes that mirror messages."""
        return [memory for memory in self.memories if memory.sources and memory.layer != "episodic"]

    def mirrored(self) -> list[StoredMemory]:
        """Return the episodes that mirror messages."""
        return [memory for memory in self.memories if memory.sources and memory.layer == "episodic"]

    def stated(self) -> list[StoredMemory]:
        """Return memories that a program stated."""
        return [memory for memory in self.memories if not memory.sources]


_MESSAGES: Final = """
SELECT id::text, thread_id::text, parent_id::text, depth, role, content, client_id,
    learnt_at IS NOT NULL AS is_learnt
FROM threads_message WHERE owner_id = %s ORDER BY depth, id
"""
_HEADS: Final = """
SELECT t.id::text, b.head_id::text FROM threads_thread t JOIN threads_branch b ON b.id = t.current_branch_id
WHERE t.owner_id = %s
"""
_MEMORIES: Final = """
SELECT m.id::text, layer, kind, content, status, subject, predicate, object, session, turn, written_by,
    occurrence_count,
    ARRAY(SELECT reference FROM memories_memorysource s WHERE s.memory_id = m.id) AS sources,
    ARRAY(
        SELECT e.key FROM memories_mention n JOIN memories_entity e ON e.id = n.entity_id
        WHERE n.memory_id = m.id
    ) AS entities,
    (SELECT count(*) FROM memories_memoryembedding v WHERE v.memory_id = m.id) AS vectors
FROM memories_memory m WHERE owner_id = %s ORDER BY turn, created_at, id
"""
_EVENTS: Final = (
    "SELECT sequence, type, memory_id::text FROM memories_event WHERE owner_id = %s ORDER BY sequence"
)
_COUNTED: Final = "SELECT event_sequence AS number FROM memories_ledger WHERE owner_id = %s"
_LOG: Final = """
WITH entries AS (
    SELECT first, last, lag(last, 1, 0::bigint) OVER (ORDER BY last) AS earlier, type
    FROM events_logentry WHERE owner_id = %s
)
SELECT count(*) FILTER (WHERE first <> earlier + 1) AS gaps,
    coalesce(sum(last - first + 1) FILTER (WHERE type LIKE 'memory.%%'), 0) AS logged
FROM entries
"""
_LEARNINGS: Final = "SELECT coalesce(sum(messages), 0) AS number FROM threads_learning WHERE owner_id = %s"


def read(site: Site, owner: str, threads: list[str]) -> Stored:
    """Read everything of one owner; `threads` are ids in the order of their numbers."""
    numbers = {thread: number for number, thread in enumerate(threads)}
    messages = site.ask(_MESSAGES, owner)
    places = {f"{_MESSAGE}{row['id']}": f"{numbers[row['thread_id']]}/{row['depth']}" for row in messages}
    memories = site.ask(_MEMORIES, owner)
    names = {**places, **{f"{_MEMORY}{row['id']}": f"{_MEMORY}{row['content']}" for row in memories}}
    events = site.ask(_EVENTS, owner)
    [counted], [learnings] = site.ask(_COUNTED, owner), site.ask(_LEARNINGS, owner)
    [log] = site.ask(_LOG, owner)
    return Stored(
        threads={
            number: tuple(_message(row) for row in messages if row["thread_id"] == thread)
            for thread, number in numbers.items()
        },
        heads={numbers[row["id"]]: row["head_id"] for row in site.ask(_HEADS, owner)},
        memories=tuple(_memory(row, names, numbers) for row in memories),
        sequence=tuple(row["sequence"] for row in events),
        created=Counter(row["memory_id"] for row in events if row["type"] == "memory.created"),
        counted=counted["number"],
        log_gaps=int(log["gaps"]),
        logged=int(log["logged"]),
        learnings=learnings["number"],
    )


def _message(row: Row) -> StoredMessage:
    return StoredMessage(
        id=row["id"],
        parent=row["parent_id"],
        depth=row["depth"],
        role=row["role"],
        content=row["content"],
        client_id=row["client_id"],
        is_learnt=row["is_learnt"],
    )


def _memory(row: Row, names: Mapping[str, str], numbers: Mapping[str, int]) -> StoredMemory:
    thread, colon, session = row["session"].partition(":")
    is_ours = colon and thread in numbers
    return StoredMemory(
        id=row["id"],
        layer=row["layer"],
        kind=row["kind"],
        content=row["content"],
        status=row["status"],
        triple=(row["subject"], row["predicate"], row["object"]),
        session=f"{numbers[thread]}:{session}" if is_ours else row["session"],
        turn=row["turn"],
        written_by=row["written_by"],
        occurrence_count=row["occurrence_count"],
        # A source that names no message or memory of ours stays as it is, and will be found to differ.
        sources=tuple(sorted(names.get(source, source) for source in row["sources"])),
        entities=tuple(sorted(row["entities"])),
        vectors=row["vectors"],
    )
