"""What the rules flag as sensitive: health, belief, politics, sex, money; from words in a file."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from memories.extraction.rules import sensitive
from memories.extraction.rules.by_rules import extract_by_rules
from memories.values import Utterance
from memsite.values import MessageRole

AT = datetime(2026, 3, 1, 9, tzinfo=UTC)


def flags(text: str) -> list[bool]:
    return [one.sensitive for one in extract_by_rules([Utterance("message:1", MessageRole.USER, text, AT)])]


@pytest.mark.parametrize(
    "said",
    [
        *(
            "I have type 1 diabetes.",
            "My son is autistic.",
            "I'm allergic to nuts.",
            "我有抑郁症。",
            "我老婆怀孕了。",
            "I take warfarin.",
            "My father has cataracts.",
            "我对花粉过敏，还有鼻炎。",
        ),
        *("I am a Buddhist.", "I go to church every Sunday.", "我信佛。", "我是穆斯林。"),
        *("I'm a member of a trade union.", "I voted for the Greens.", "我是党员。"),
        *("I'm gay.", "我是同性恋。", "My salary is 80,000 euros.", "我月薪两万。", "我欠了五万块。"),
    ],
)
def test_statement_of_a_sensitive_matter_is_flagged(said: str) -> None:
    assert set(flags(said)) == {True}


@pytest.mark.parametrize(
    "said",
    [
        *(
            "I like hiking.",
            "I use PostgreSQL 16.",
            "I work on a loan service.",
            "My brother Christian lives in Oslo.",
            "I have four hives of bees.",
        ),
        *("I live in Lyon.", "我喜欢跑步。", "我在腾讯工作。"),
    ],
)
def test_other_statements_are_not_flagged(said: str) -> None:
    assert flags(said) == [False]


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("[health]\nenglish = 'gout'", r"\[health\] must have"),
        (
            "[health]\nenglish = 'gout, , ulcer'\nchinese = ''\nexcept = ''\npredicates = ''",
            r"\[health\] english",
        ),
        ("[health]\nenglish = 3\nchinese = ''\nexcept = ''\npredicates = ''", r"\[health\] english"),
    ],
)
def test_malformed_file_is_refused_with_its_place(tmp_path: Path, table: str, message: str) -> None:
    path = tmp_path / "sensitive.toml"
    path.write_text(table, encoding="utf-8")
    with pytest.raises(ValueError, match=message):
        sensitive.load_words(path)
