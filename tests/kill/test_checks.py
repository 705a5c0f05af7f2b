"""Each law notices when it is broken: a check that finds nothing proves nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import pytest

from bench.durability import checks
from bench.durability.clients import Acknowledged
from bench.durability.stored import Stored, StoredMemory, StoredMessage

Break = Callable[[Stored, str], Stored]


def with_messages(stored: Stored, *rows: StoredMessage) -> Stored:
    return replace(stored, threads={0: rows})


def with_memory(stored: Stored, name: str, **changes: object) -> Stored:
    rows = [replace(one, **changes) if one.id == name else one for one in stored.memories]  # type: ignore[arg-type]  # wrong on purpose, or a stand-in
    return replace(stored, memories=tuple(rows))


def without(stored: Stored, name: str) -> Stored:
    return replace(stored, memories=tuple(one for one in stored.memories if one.id != name))


def doubled(stored: Stored, name: str) -> Stored:
    again = [replace(one, id=f"{one.id}0") for one in stored.memories if one.id == name]
    return replace(stored, memories=(*stored.memories, *again))


def test_nothing_is_found_where_all_is_well(stored: Stored, acknowledged: Acknowledged) -> None:
    found = [
        *checks.messages_kept(stored, acknowledged),
        *checks.same_messages(stored, stored),
        *checks.same_learnt(stored, stored),
        *checks.statements_kept(stored, acknowledged, stored),
        *checks.episodes_mirror(stored),
        *checks.learnt_once(stored),
        *checks.events_gapless(stored),
        *checks.all_indexed(stored),
    ]
    assert found == []


def test_lost_message_is_found(stored: Stored, acknowledged: Acknowledged) -> None:
    lost = with_messages(stored, stored.threads[0][0])
    assert "client-1" in checks.messages_kept(lost, acknowledged)[0]


def test_message_that_nobody_was_told_of_is_found(stored: Stored, acknowledged: Acknowledged) -> None:
    acknowledged.messages[0].pop()
    assert "too many" in checks.messages_kept(stored, acknowledged)[0]


def test_messages_in_another_order_are_found(stored: Stored, acknowledged: Acknowledged) -> None:
    acknowledged.messages[0].reverse()
    assert "not the same" in checks.messages_kept(stored, acknowledged)[0]


def test_fork_is_found(stored: Stored, acknowledged: Acknowledged) -> None:
    first, second = stored.threads[0]
    forked = with_messages(stored, first, replace(second, parent=None))
    assert checks.messages_kept(forked, acknowledged) == ["thread 0: its messages are not one chain"]


def test_head_that_lags_behind_is_found(stored: Stored, acknowledged: Acknowledged) -> None:
    lagging = replace(stored, heads={0: "m0"})
    assert checks.messages_kept(lagging, acknowledged) == ["thread 0: its head is not the last message"]


def test_other_words_are_found(stored: Stored) -> None:
    first, second = stored.threads[0]
    other = with_messages(stored, first, replace(second, content="Nice."))
    assert checks.same_messages(other, stored)


@pytest.mark.parametrize("break_it", [without, doubled])
def test_episode_missing_or_doubled_is_found(stored: Stored, break_it: Break) -> None:
    assert checks.episodes_mirror(break_it(stored, "e2"))


def test_episode_learnt_twice_is_found(stored: Stored) -> None:
    twice = with_memory(stored, "e2", occurrence_count=2)
    assert checks.episodes_mirror(twice) == ["1 episodes count more than once"]


def test_episodes_numbered_against_their_order_are_found(stored: Stored) -> None:
    swapped = with_memory(with_memory(stored, "e1", turn=2), "e2", turn=1)
    assert checks.episodes_mirror(swapped) == ["session 0:1: its episodes are not numbered in order"]


@pytest.mark.parametrize("break_it", [without, doubled])
def test_fact_missing_or_doubled_is_found(stored: Stored, break_it: Break) -> None:
    assert checks.same_learnt(break_it(stored, "f1"), stored)


@pytest.mark.parametrize(
    "change", [{"occurrence_count": 2}, {"sources": ("0/1",)}, {"status": "disputed"}, {"kind": "goal"}]
)
def test_fact_learnt_otherwise_is_found(stored: Stored, change: dict[str, object]) -> None:
    assert checks.same_learnt(with_memory(stored, "f1", **change), stored)


def test_message_learnt_from_twice_is_found(stored: Stored) -> None:
    assert checks.learnt_once(replace(stored, learnings=3))


def test_message_never_learnt_from_is_found(stored: Stored) -> None:
    first, second = stored.threads[0]
    waiting = with_messages(stored, first, replace(second, is_learnt=False))
    assert checks.learnt_once(waiting) == ["1 messages were never learnt from"]


def test_lost_statement_is_found(stored: Stored, acknowledged: Acknowledged) -> None:
    lost = without(stored, "s1")
    assert "is not there" in checks.statements_kept(lost, acknowledged, stored)[0]


def test_statement_counted_once_too_often_is_found(stored: Stored, acknowledged: Acknowledged) -> None:
    often = with_memory(stored, "s1", occurrence_count=2)
    assert checks.statements_kept(often, acknowledged, stored)


def test_statement_may_count_again_for_a_repeated_request(stored: Stored, acknowledged: Acknowledged) -> None:
    acknowledged.repeats["The office closes at six."] = 1
    often = with_memory(stored, "s1", occurrence_count=2)
    assert checks.statements_kept(often, acknowledged, stored) == []


@pytest.mark.parametrize("sequence", [(1, 2, 4), (1, 2, 2, 3), (2, 3, 4, 5)])
def test_gap_or_double_among_events_is_found(stored: Stored, sequence: tuple[int, ...]) -> None:
    assert checks.events_gapless(replace(stored, sequence=sequence, counted=len(sequence)))


def test_memory_created_twice_is_found(stored: Stored) -> None:
    twice = replace(stored, created=stored.created + Counter(["f1"]))
    assert checks.events_gapless(twice)


def test_gap_in_the_event_log_is_found(stored: Stored) -> None:
    assert "1 gaps" in checks.events_gapless(replace(stored, log_gaps=1))[0]
    assert "3 of 4" in checks.events_gapless(replace(stored, logged=3))[0]


def test_memory_without_vector_is_found(stored: Stored) -> None:
    assert checks.all_indexed(with_memory(stored, "f1", vectors=0))


def test_memories_are_told_apart_by_where_they_come_from(stored: Stored) -> None:
    def names(rows: list[StoredMemory]) -> list[str]:
        return [one.id for one in rows]

    assert [names(stored.mirrored()), names(stored.learnt()), names(stored.stated())] == [
        ["e1", "e2"],
        ["f1"],
        ["s1"],
    ]
