"""What a model is given at once."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memories.extraction.windows import UnreadMessage, make_window
from tests.memories.extraction.windowed import said

WORDS = st.text(alphabet="ab 。\n,，z", max_size=1800)


def test_window_holds_ten_messages() -> None:
    unread = [UnreadMessage(said(f"message {number}", number=number)) for number in range(14)]
    assert len(make_window(unread).parts) == 10


def test_window_holds_about_four_thousand_tokens() -> None:
    unread = [UnreadMessage(said("漢字仮名" * 250, "assistant", number)) for number in range(10)]
    assert 1 <= len(make_window(unread).parts) < 10


def test_short_message_is_read_to_its_end() -> None:
    [turn] = make_window([UnreadMessage(said("I live in Lisbon."))]).parts
    assert (turn.text, turn.end) == ("I live in Lisbon.", None)


def test_long_message_is_cut_at_the_end_of_a_sentence() -> None:
    [turn] = make_window([UnreadMessage(said("One two three. " * 100))]).parts
    assert turn.text.endswith("three.")
    assert len(turn.text) <= 500


@given(WORDS, st.sampled_from(["user", "assistant"]))
def test_windows_one_after_the_other_read_every_character_once(text: str, role: str) -> None:
    utterance, read = said(text, role), ""
    place: int | None = 0
    while place is not None:
        [turn] = make_window([UnreadMessage(utterance, place)]).parts
        assert len(turn.text) <= {"user": 500, "assistant": 1_000}[role]
        assert turn.end is None or turn.end > place
        read += text[place : turn.end]
        place = turn.end
    assert read == text
