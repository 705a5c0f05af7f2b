"""The laws: what must be true after any number of kills. Each check returns sentences about violations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final, TypeVar

from bench.durability.clients import Acknowledged
from bench.durability.stored import Stored, StoredMemory, StoredMessage

T = TypeVar("T")

_SHOWN: Final = 3  # of many violations of a kind


def messages_kept(stored: Stored, acknowledged: Acknowledged) -> list[str]:
    """Every acknowledged message is stored once, as that row, in order; no others; in one chain."""
    found = []
    for number, positions in acknowledged.messages.items():
        rows = stored.threads[number]
        kept = [(row.client_id, row.id) for row in rows]
        if kept != positions:
            found += _differing(f"thread {number}: message", Counter(kept), Counter(positions))
            found.append(
                f"thread {number}: {len(kept)} messages stored, {len(positions)} acknowledged, not the same"
            )
        found += _broken(number, rows, stored.heads.get(number))
    return found


def same_messages(stored: Stored, calm: Stored) -> list[str]:
    """The threads contain the same as those of the run without kills."""
    found = []
    for number, rows in stored.threads.items():
        texts, others = _texts(rows), _texts(calm.threads[number])
        if texts != others:
            found.append(f"thread {number} says something else than in the run without kills")
    return found


def episodes_mirror(stored: Stored) -> list[str]:
    """Each message of user and assistant is one episode, in order; there are no other episodes."""
    contents = {
        f"{number}/{row.depth}": row.content
        for number, rows in stored.threads.items()
        for row in rows
        if row.role in {"user", "assistant"}
    }
    mirrored = Counter((memory.sources, memory.content) for memory in stored.mirrored())
    wanted: Counter[tuple[tuple[str, ...], str]] = Counter(((place,), contents[place]) for place in contents)
    found = _differing("episode", mirrored, wanted)
    often = sum(memory.occurrence_count != 1 for memory in stored.mirrored())
    if often:
        found.append(f"{often} episodes count more than once")
    return found + _unordered(stored.mirrored())


def same_learnt(stored: Stored, calm: Stored) -> list[str]:
    """Extraction found the same as in the run without kills: as often, and from the same messages."""

    def learnt(run: Stored) -> Counter[object]:
        rows = [*run.learnt(), *run.mirrored()]
        return Counter((memory.statement, memory.occurrence_count, memory.sources) for memory in rows)

    return _differing("learnt", learnt(stored), learnt(calm))


def learnt_once(stored: Stored) -> list[str]:
    """Exactly one batch of learning handled each message."""
    rows = [row for rows in stored.threads.values() for row in rows]
    waiting = sum(not row.is_learnt for row in rows)
    found = [f"{waiting} messages were never learnt from"] if waiting else []
    if stored.learnings != len(rows):
        found.append(f"batches of learning dealt with {stored.learnings} messages of {len(rows)}")
    return found


def statements_kept(stored: Stored, acknowledged: Acknowledged, calm: Stored) -> list[str]:
    """Acknowledged memories are stored once each, and no memory that was not stated.

    A request that was repeated without an answer may have been counted once more per repetition.
    """
    rows = {memory.id: memory.content for memory in stored.stated()}
    lost = [content for content, memory_id in acknowledged.memories if rows.get(memory_id) != content]
    found = [f"acknowledged memory is not there: {content}" for content in lost[:_SHOWN]]
    found += _differing(
        "stated", Counter(_list_statements(stored.stated())), Counter(_list_statements(calm.stated()))
    )
    often = {memory.content: memory.occurrence_count for memory in calm.stated()}
    for memory in stored.stated():
        least = often.get(memory.content, 0)
        most = least + acknowledged.repeats[memory.content]
        if not least <= memory.occurrence_count <= most:
            found.append(f"{memory.content!r} counts {memory.occurrence_count} times, not {least} to {most}")
    return found


def events_gapless(stored: Stored) -> list[str]:
    """Events are numbered 1, 2, 3 …, in the history and in the log; every memory was created once."""
    found = []
    if list(stored.sequence) != list(range(1, len(stored.sequence) + 1)):
        found.append(f"{len(stored.sequence)} events end with number {stored.sequence[-1]}")
    if stored.counted != len(stored.sequence):
        found.append(f"the ledger counts {stored.counted} events, there are {len(stored.sequence)}")
    if stored.log_gaps:
        found.append(f"the event log has {stored.log_gaps} gaps")
    if stored.logged != len(stored.sequence):
        found.append(f"the event log has {stored.logged} of {len(stored.sequence)} events of memories")
    return found + _differing("created", stored.created, Counter(memory.id for memory in stored.memories))


def all_indexed(stored: Stored) -> list[str]:
    """Every memory has its vector."""
    without = sum(memory.vectors != 1 for memory in stored.memories)
    return [f"{without} memories do not have one vector each"] if without else []


def _broken(number: int, rows: Sequence[StoredMessage], head: str | None) -> list[str]:
    """Check that the messages are one chain that ends at the head."""
    parents = [None, *(row.id for row in rows)]
    chained = all(row.parent == parent for row, parent in zip(rows, parents, strict=False))
    if not chained or [row.depth for row in rows] != list(range(len(rows))):
        return [f"thread {number}: its messages are not one chain"]
    return [] if head == parents[-1] else [f"thread {number}: its head is not the last message"]


def _unordered(episodes: Sequence[StoredMemory]) -> list[str]:
    """Check that the turns of each session follow the messages."""
    found = []
    for session in sorted({episode.session for episode in episodes}):
        mine = sorted((one for one in episodes if one.session == session), key=lambda one: one.turn)
        depths = [int(source.partition("/")[2]) for one in mine for source in one.sources if "/" in source]
        if depths != sorted(depths) or [one.turn for one in mine] != list(range(1, len(mine) + 1)):
            found.append(f"session {session}: its episodes are not numbered in order")
    return found


def _texts(rows: Iterable[StoredMessage]) -> list[tuple[str, str, str]]:
    return [(row.client_id, row.role, row.content) for row in rows]


def _list_statements(memories: Iterable[StoredMemory]) -> list[object]:
    """What programs stated; the turn of a repeated episode may differ."""
    return [(memory.layer, memory.kind, memory.content, memory.status) for memory in memories]


def _differing(what: str, got: Counter[T], wanted: Counter[T]) -> list[str]:
    missing, extra = wanted - got, got - wanted
    return [
        *(f"{what} missing: {one}" for one in list(missing)[:_SHOWN]),
        *(f"{what} too many: {one}" for one in list(extra)[:_SHOWN]),
        *([f"{what}: {missing.total()} missing, {extra.total()} too many"] if missing or extra else []),
    ]
