"""What the writers say: the same each time, and learnt alike however it is batched."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from itertools import cycle

import pytest

from bench.durability.killer import WEIGHTS, plan
from bench.durability.script import exchange, stated
from memories.extraction.rules.by_rules import extract_by_rules
from memories.models import Memory
from memories.storage import load_sources
from memories.values import Candidate, Utterance
from memories.writing import drafting, write_candidates
from memsite.accounts.models import User
from threads.conf import CONTEXT_MESSAGES
from threads.messages.incoming import NewMessage


def said(exchanges: int, thread: int = 0) -> list[Utterance]:
    return [
        Utterance(
            one["client_id"],
            one["role"],
            one["content"],
            datetime.fromisoformat(one["created_at"]),
            session=f"{thread}:1",
        )
        for place in range(exchanges)
        for one in exchange(thread, place)
    ]


def found(utterances: list[Utterance]) -> list[tuple[tuple[str, ...], str]]:
    return [(one.sources, one.content) for one in extract_by_rules(utterances)]


def in_batches(utterances: list[Utterance], sizes: Sequence[int]) -> list[tuple[tuple[str, ...], str]]:
    """As learning does it: some new messages, with those before as context."""
    learnt: list[tuple[tuple[str, ...], str]] = []
    begin = 0
    for size in cycle(sizes):
        if begin >= len(utterances):
            break
        end = begin + size
        fresh = {one.reference for one in utterances[begin:end]}
        read = found(utterances[max(0, begin - CONTEXT_MESSAGES) : end])
        learnt += [one for one in read if fresh.issuperset(one[0])]
        begin = end
    return learnt


@pytest.mark.parametrize("sizes", [[1], [2], [3], [5, 1], [1, 12, 4], [30]])
def test_what_rules_find_does_not_depend_on_how_messages_are_batched(sizes: list[int]) -> None:
    utterances = said(50)
    assert in_batches(utterances, sizes) == found(utterances)


def test_both_languages_and_corrections_are_learnt_from() -> None:
    contents = [content for _, content in found(said(50))]
    assert any("绿茶" in content for content in contents)
    assert any("tea" in content for content in contents)
    learnt = extract_by_rules(said(50))
    assert [one for one in learnt if is_correction(one)]


def test_nothing_that_is_learnt_is_taken_for_a_secret() -> None:
    learnt = [one for thread in (0, 1) for one in extract_by_rules(said(50, thread))]
    assert [drafting.redact_candidate(one, mode="redact") for one in learnt] == learnt


def rows_learnt(
    owner: User, order: Sequence[int], exchanges: int = 30, size: int = 20
) -> list[tuple[str, str, int, list[str]]]:
    """Learn from two threads in parts, each part of the next thread of `order`; return what is stored."""
    Memory.objects.filter(owner=owner).delete()
    parts = {}
    for thread in (0, 1):
        utterances = said(exchanges, thread)
        learnt = extract_by_rules(utterances)
        parts[thread] = [
            [
                one
                for one in learnt
                if one.sources[0] in {each.reference for each in utterances[at : at + size]}
            ]
            for at in range(0, len(utterances), size)
        ]
    for thread in order:
        write_candidates(parts[thread].pop(0), owner=owner.pk, actor="test")
    assert not any(parts.values())
    sources = load_sources(Memory.objects.filter(owner=owner).values_list("pk", flat=True), owner=owner.pk)
    rows = Memory.objects.filter(owner=owner)
    return sorted((row.content, row.status, row.occurrence_count, sorted(sources[row.pk])) for row in rows)


def test_threads_teach_the_same_in_whichever_order_they_are_learnt(alice: User) -> None:
    in_turns = rows_learnt(alice, [0, 1] * 3)
    assert rows_learnt(alice, [1, 1, 1, 0, 0, 0]) == in_turns
    assert rows_learnt(alice, [0, 0, 1, 1, 0, 1]) == in_turns


def is_correction(candidate: Candidate) -> bool:
    return bool(candidate.metadata.get("correction"))


def test_messages_can_be_stored_and_have_ids_of_their_own() -> None:
    messages = [NewMessage(**one) for place in range(50) for one in exchange(1, place)]
    assert len({message.client_id for message in messages}) == len(messages)


def test_same_place_says_the_same() -> None:
    assert (exchange(1, 17), stated(0, 17)) == (exchange(1, 17), stated(0, 17))


def test_some_statements_come_again_and_most_do_not() -> None:
    contents = [one["content"] for place in range(40) for one in stated(0, place)]
    assert len(contents) > len(set(contents)) > len(contents) / 2


@pytest.mark.parametrize("kills", [10, 45, 200])
def test_plan_has_so_many_kills_of_every_kind(kills: int) -> None:
    order = plan(kills, seed=3)
    assert len(order) == kills
    assert set(order) == set(WEIGHTS)


def test_plan_is_the_same_for_the_same_seed() -> None:
    assert plan(50, seed=3) == plan(50, seed=3)
