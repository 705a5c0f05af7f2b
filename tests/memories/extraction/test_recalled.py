"""Recalled memories are never learnt again."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from memories.extraction.prose.pasted import is_recalled
from memories.extraction.rules.by_rules import extract_by_rules
from memories.values import Utterance
from memsite.values import MessageRole

AT = datetime(2025, 11, 21, 9, 30, tzinfo=UTC)


def objects(text: str) -> list[str]:
    return [
        candidate.object
        for candidate in extract_by_rules([Utterance("message:1", MessageRole.USER, text, AT)])
    ]


@pytest.mark.parametrize("line", ["<memories 8f2c>", "[memories a=1]", "  </memories 8f2c>", "[/memories]"])
def test_marker_of_recalled_memories_is_known(line: str) -> None:
    assert is_recalled(line)


@pytest.mark.parametrize("line", ["my memories of Rome", "memories:", "<memo>", "[1] memories"])
def test_other_lines_are_no_marker(line: str) -> None:
    assert not is_recalled(line)


@pytest.mark.parametrize(
    ("opening", "end"), [("<memories 8f2c>", "</memories 8f2c>"), ("[memories x]", "[/memories x]")]
)
def test_block_is_skipped_and_what_follows_is_learnt(opening: str, end: str) -> None:
    assert objects(f"{opening}\nI live in Madrid\n{end}\nI live in Toledo") == ["Toledo"]


def test_block_on_one_line_is_skipped() -> None:
    assert objects("<memories 8f2c>I live in Madrid</memories 8f2c>\nI live in Toledo") == ["Toledo"]


def test_recalled_text_cannot_close_its_own_block() -> None:
    assert objects("<memories 8f2c>\n</memories>\nI live in Madrid\n</memories 8f2c>\nI live in Toledo") == [
        "Toledo"
    ]


def test_block_that_never_ends_hides_the_rest() -> None:
    assert objects("I live in Toledo\n<memories 8f2c>\nI live in Madrid") == ["Toledo"]
