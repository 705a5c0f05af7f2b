"""Secrets hidden from a rule but not from a reader."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.gate import inspect_text, redact_text
from memories.gate.view import make_views

KEY = "AK" + "IAIOSFODNN7EXAMPLE"
INVISIBLE = "\u200b\u200c\u200d\u2060\ufeff\u00ad\ufe0f\u034f\x00\u202e"


def full_width(text: str) -> str:
    return "".join(chr(ord(each) + 0xFEE0) for each in text)


@pytest.mark.parametrize("mark", INVISIBLE)
def test_invisible_characters_within_a_secret_do_not_hide_it(mark: str) -> None:
    assert redact_text(f"use {mark.join(KEY)} now").text == "use [redacted:aws_access_key] now"


@pytest.mark.parametrize("mark", INVISIBLE)
def test_invisible_character_between_a_word_and_a_secret_does_not_hide_it(mark: str) -> None:
    assert redact_text(f"key{mark}{KEY}{mark}now").text == f"key{mark}[redacted:aws_access_key]{mark}now"


@pytest.mark.parametrize(
    ("hidden", "shown"),
    [
        (full_width(KEY), "[redacted:aws_access_key]"),
        (full_width("4111111111111111"), "[redacted:card_number]"),
        ("４１１１ １１１１ １１１１ １１１１", "[redacted:card_number]"),
        ("4111–1111–1111–1111", "[redacted:card_number]"),
        ("4111\u00a01111\u00a01111\u00a01111", "[redacted:card_number]"),
        ("٤١١١١١١١١١١١١١١١", "[redacted:card_number]"),
        ("ｐａｓｓｗｏｒｄ：ｈｕｎｔｅｒ２", "ｐａｓｓｗｏｒｄ：[redacted:password]"),
        ("𝗽𝗮𝘀𝘀𝘄𝗼𝗿𝗱: 𝗵𝘂𝗻𝘁𝗲𝗿𝟮", "𝗽𝗮𝘀𝘀𝘄𝗼𝗿𝗱: [redacted:password]"),
        ("pass\u200bword: hunter2", "pass\u200bword: [redacted:password]"),
        ("PASSWORD: hunter2", "PASSWORD: [redacted:password]"),
    ],
)
def test_other_forms_of_the_same_characters_do_not_hide_a_secret(hidden: str, shown: str) -> None:
    assert redact_text(f"😀 {hidden}").text == f"😀 {shown}"


def test_offsets_are_those_of_the_text_as_written() -> None:
    text = f"…ﬁ {full_width(KEY)} ㎏"
    (finding,) = inspect_text(text).findings
    assert text[finding.start : finding.end] == full_width(KEY)


@given(st.text())
def test_view_maps_every_character_back_into_the_text(text: str) -> None:
    for view in make_views(text):
        assert len(view.text) == len(view.lower)
        spans = [view.original(at, at + 1) for at in range(len(view.text))]
        assert all(0 <= start < end <= len(text) for start, end in spans)
        assert spans == sorted(spans)
