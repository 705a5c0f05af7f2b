"""What the writers say: the same each time, and learnt alike however it is batched."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from itertools import cycle

import pytest

from bench.durability.killer import WEIGHTS, plan
from bench.durability.script import exchange, stated
from memories.extraction.rules.by_rules import extract_by_rules
from memories.values import Candidate, Utterance
from threads.conf import CONTEXT_MESSAGES
from threads.messages.incoming import NewMessage


def said(exchanges: int) -> list[Utterance]:
    return [
        Utterance(one["client_id"], one["role"], one["content"], datetime.fromisoformat(one["created_at"]))
        for place in range(exchanges)
        for one in exchange(0, place)
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
