"""The gate's interface: what it promises of every text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memories.gate import KINDS, SecretMatch, guard_text, inspect_text, redact_text, redact_together
from memsite.errors import RefusedByGate

KEY = "AK" + "IAIOSFODNN7EXAMPLE"
PIECES = st.sampled_from(
    [
        *(KEY, "gh" + "p_" + "a1B2" * 9, "ey" + "J" + "a1B2c3D4" * 3 + ".ey" + "J" + "a1B2c3D4" * 4 + ".x"),
        *("4111 1111 1111 1111", "4111111111111111", "11010519491231002X", "123-45-6789", "hunter2"),
        *(
            "password",
            "password: ",
            "my password is ",
            "密码是",
            "token=",
            "?token=",
            "Bearer ",
            "SSN ",
            "passport ",
        ),
        *(
            "postgres://u:",
            "@host",
            "[redacted:password]",
            "[redacted:",
            "]",
            "xo" + "xb-",
            "-----BEGIN PRIVATE KEY-----",
        ),
        *(
            " ",
            "\n",
            "\\n",
            "-",
            "_",
            ".",
            ",",
            ":",
            "=",
            '"',
            "'",
            "`",
            "\u200b",
            "，",
            "é",
            "中",
            "x",
            "9",
            "is the ",
        ),
    ]
)
TEXTS = st.lists(PIECES | st.text(max_size=6), max_size=14).map("".join)


@settings(deadline=None, max_examples=300)
@given(TEXTS)
def test_redacting_twice_changes_nothing_more(text: str) -> None:
    once = redact_text(text).text
    assert redact_text(once).text == once


@settings(deadline=None)
@given(TEXTS)
def test_text_outside_the_findings_is_untouched(text: str) -> None:
    redacted = redact_text(text)
    rebuilt, last = "", 0
    for finding in redacted.findings:
        assert last <= finding.start < finding.end <= len(text)
        rebuilt += text[last : finding.start] + f"[redacted:{finding.kind}]"
        last = finding.end
    assert rebuilt + text[last:] == redacted.text


@settings(deadline=None)
@given(TEXTS)
def test_findings_are_of_known_kinds_and_refuse_mode_refuses_exactly_them(text: str) -> None:
    findings = inspect_text(text).findings
    assert {finding.kind for finding in findings} <= KINDS
    if findings:
        with pytest.raises(RefusedByGate):
            guard_text(text, "refuse")
    elif "[redacted:" not in text:
        assert guard_text(text, "refuse") == text == guard_text(text, "redact")


def test_finding_tells_kind_and_place_and_not_the_secret() -> None:
    inspection = inspect_text(f"use {KEY}")
    assert inspection.findings == (SecretMatch("aws_access_key", 4, 24),)
    assert KEY not in repr(inspection)
    assert not inspection.clean
    assert inspection.kinds == ("aws_access_key",)


def test_clean_text_comes_back_as_it_was() -> None:
    text = "I moved to Berlin in March – it’s lovely."
    assert redact_text(text).text is text
    assert inspect_text(text).clean


@pytest.mark.parametrize(
    "text",
    [
        "my password is hunter2",
        "hunter2 is my password",
        "password: hunter2 🙂",
        KEY,
        "My card is 4111 1111 1111 1111.",
        "Remember my PIN: 4821",
        "我的银行卡密码是123456，请记住",
        "身份证号：11010519491231002X",
        "api_key=9f8e7d6c" + "5b4a39281706",
        "The user's API key is [redacted:openai_key] by the way.",
        "The staging server's password is hunter2.",
        "hunter2 is the wifi password, by the way",
        "我家wifi密码是hunter2",
    ],
)
def test_text_that_says_nothing_but_a_secret_is_refused(text: str) -> None:
    with pytest.raises(RefusedByGate) as refusal:
        guard_text(text, "redact")
    assert set(refusal.value.detail) == {"kinds"}


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (f"We deploy with {KEY} to Frankfurt.", "We deploy with [redacted:aws_access_key] to Frankfurt."),
        (
            "My wifi password is hunter2 and my dog is called Max.",
            "My wifi password is [redacted:password] and my dog is called Max.",
        ),
        ("We moved to Oslo with [redacted:jwt].", "We moved to Oslo with [redacted:jwt]."),
        ("我喜欢喝茶，密码是abc123", "我喜欢喝茶，密码是[redacted:password]"),
        ("我叫小明，身份证号11010519491231002X", "我叫小明，身份证号[redacted:chinese_id]"),
        ("postgres://app:hunter2@db/prod", "postgres://app:[redacted:url_password]@db/prod"),
    ],
)
def test_text_that_still_says_something_is_kept_without_its_secret(text: str, kept: str) -> None:
    assert guard_text(text, "redact") == kept


def test_made_up_placeholder_does_not_hide_a_secret() -> None:
    assert KEY not in redact_text(f"[redacted:{KEY}]").text
    assert redact_text("my password is [redacted:password]").findings == ()


def test_words_of_a_placeholder_announce_nothing() -> None:
    redacted = redact_text("my password is hunter2 route66 is my favourite road").text
    assert redacted == "my password is [redacted:password] route66 is my favourite road"


def test_secret_known_from_one_text_goes_from_those_beside_it() -> None:
    texts = ["my password is hunter2", "hunter2", "hunter2x", "tea"]
    assert redact_together(texts) == [
        "my password is [redacted:password]",
        "[redacted:password]",
        "hunter2x",
        "tea",
    ]


@settings(deadline=None)
@given(st.lists(TEXTS, max_size=4))
def test_redacting_together_redacts_at_least_as_much_as_alone(texts: list[str]) -> None:
    together = redact_together(texts)
    assert len(together) == len(texts)
    assert redact_together(together) == together
