"""The texts of benches: as varied as talk, and the same for the same seed."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from bench.texts import changes, memories, questions
from memories.writing.changes import may_tell_of_change


@pytest.mark.parametrize("make", [memories, changes, questions])
def test_same_seed_gives_the_same_texts(make: Callable[..., Any]) -> None:
    assert list(make(50, 7)) == list(make(50, 7)) != list(make(50, 8))


def test_texts_never_repeat() -> None:
    assert len(set(memories(20_000, 1))) == 20_000
    assert len(set(questions(5_000, 1))) == 5_000


def test_a_longer_run_begins_like_a_shorter_one() -> None:
    assert list(memories(200, 3))[:50] == list(memories(50, 3))


def test_both_languages_are_spoken() -> None:
    chinese = [text for text in memories(400, 5) if re.search("[\u4e00-\u9fff]", text)]
    assert 50 < len(chinese) < 150


def test_words_are_as_varied_as_in_talk() -> None:
    words = [word.lower() for text in memories(10_000, 11) for word in re.findall("[A-Za-z']+", text)]
    assert len(set(words)) > 8_000


def test_no_memory_may_end_another() -> None:
    assert not any(map(may_tell_of_change, memories(2_000, 9)))
    assert sum(map(may_tell_of_change, changes(500, 9))) > 100
