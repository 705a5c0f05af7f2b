from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from bench.texts import memories, questions


@pytest.mark.parametrize("make", [memories, questions])
def test_same_seed_gives_the_same_sentences(make: Callable[..., Any]) -> None:
    assert list(make(50, 7)) == list(make(50, 7)) != list(make(50, 8))


def test_sentences_never_repeat() -> None:
    assert len(set(memories(5_000, 1))) == 5_000


def test_a_longer_run_begins_like_a_shorter_one() -> None:
    assert list(memories(200, 3))[:50] == list(memories(50, 3))


def test_both_languages_are_spoken() -> None:
    chinese = [text for text in memories(400, 5) if not text.isascii()]
    assert 50 < len(chinese) < 150


def test_no_slot_is_left_open() -> None:
    assert not any("{" in text or "}" in text for text in [*memories(2_000, 9), *questions(300, 9)])
