"""A long text is read in parts: what stands at the edge of two parts is found all the same."""

from __future__ import annotations

import time

import pytest

from memories.gate import Redacted, redact_text, redact_together, structured
from memories.gate.view import PART

FILLER = "The weather was fine. "
LINE = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC"
KEY = f"-----BEGIN PRIVATE KEY-----{f'{chr(10)}{LINE}' * 300}{chr(10)}-----END PRIVATE KEY-----"


def filler(length: int) -> str:
    return (FILLER * (length // len(FILLER) + 1))[:length]


@pytest.mark.parametrize("before", range(PART - 40, PART + 8, 4))
def test_secret_at_the_edge_of_two_parts_is_redacted(before: int) -> None:
    text = f"{filler(before)} My password is Xk7#pQ2vLw9! {filler(9_000)}"
    assert "Xk7#pQ2vLw9" not in redact_text(text).text


def test_findings_of_a_long_text_have_the_offsets_of_the_text() -> None:
    text = f"{filler(PART + 50)} My\u200b password is Xk7#pQ2vLw9! {filler(9_000)}"
    (finding,) = redact_text(text).findings
    assert text[finding.start : finding.end].startswith("Xk7#pQ2vLw9")


def test_key_longer_than_the_overlap_of_two_parts_is_redacted_whole() -> None:
    text = f"{filler(PART - 3_000)}\n{KEY}\n{filler(40_000)}"
    assert LINE not in redact_text(text).text


def test_column_of_passwords_is_redacted_beyond_the_first_part() -> None:
    rows = "".join(f"user{row},Zq{row}xW!9k\n" for row in range(4_000))
    assert "Zq3999xW!9k" not in redact_text(f"name,password\n{rows}").text


def test_word_longer_than_a_part_is_redacted_to_its_end() -> None:
    assert "hunter2x" not in redact_text(f"password: {'hunter2x' * (PART // 8 + 900)} and so on").text


def test_url_without_a_password_costs_little() -> None:
    redact_text("warm up, my password is hunter2x")
    began = time.process_time()
    redact_text("http://" * 3_000)
    assert time.process_time() - began < 2


def test_text_is_not_read_again_after_it_was_redacted(monkeypatch: pytest.MonkeyPatch) -> None:
    read = []

    def redact(text: str) -> Redacted:
        read.append(text)
        return redact_text(text)

    monkeypatch.setattr(structured, "redact_text", redact)
    redact_together(["My password is Xk7#pQ2vLw9!", "I like tea."])
    assert len(read) == 2
