"""Metadata and other JSON: strings, keys, numbers, and what the name of a field tells."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memories.gate import JsonValue, redact_json
from memories.gate.structured import DEEPEST
from memsite.errors import InvalidInput

KEY = "AK" + "IAIOSFODNN7EXAMPLE"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"password": "swordfish"}, {"password": "[redacted:password]"}),
        ({"apiKey": "abc"}, {"apiKey": "[redacted:api_key]"}),
        ({"api_key": ["a", "b"]}, {"api_key": ["[redacted:api_key]", "[redacted:api_key]"]}),
        ({"密码": "芝麻开门"}, {"密码": "[redacted:password]"}),
        ({"login": {"user": "bob", "pass": "x"}}, {"login": {"user": "bob", "pass": "[redacted:password]"}}),
        ({"pin": 1234}, {"pin": "[redacted:pin]"}),
        ({"ssn": "123456789"}, {"ssn": "[redacted:us_ssn]"}),
        ({"passport": "E12345678"}, {"passport": "[redacted:passport_number]"}),
        ({"paid": 4111111111111111}, {"paid": "[redacted:card_number]"}),
        (
            [f"use {KEY}", {"note": [KEY]}],
            ["use [redacted:aws_access_key]", {"note": ["[redacted:aws_access_key]"]}],
        ),
        ({KEY: 1}, {"[redacted:aws_access_key]": 1}),
    ],
)
def test_secret_goes_wherever_it_stands(value: JsonValue, expected: JsonValue) -> None:
    assert redact_json(value) == expected


@pytest.mark.parametrize(
    "value",
    [
        {"password": "", "has_password": True, "password_hint": "dog", "pin": None},
        {"tokens": 512, "max_tokens": 4096, "token": "the", "secret": "a surprise party"},
        {
            "key": "hello",
            "count": 3,
            "ratio": 0.5,
            "ids": [1683548400000, "018f4e2a-7b1c-7def-8a2b-3c4d5e6f7a8b"],
        },
        [],
        "tea",
        7,
    ],
)
def test_other_json_is_kept(value: JsonValue) -> None:
    assert redact_json(value) == value


def test_keys_made_equal_by_redaction_lose_no_field() -> None:
    redacted = redact_json({KEY: "a", KEY[:-1] + "F": "b"})
    assert redacted == {"[redacted:aws_access_key]": "a", "[redacted:aws_access_key] 2": "b"}


def test_json_nested_too_deep_is_invalid() -> None:
    value: JsonValue = "tea"
    for _ in range(DEEPEST + 1):
        value = [value]
    with pytest.raises(InvalidInput):
        redact_json(value)


WORDS = st.sampled_from(
    ["password", "token", "note", "ssn", KEY, "hunter2", "my password is hunter2", "123456789"]
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | WORDS | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(WORDS | st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=8,
)


@settings(deadline=None)
@given(JSON)
def test_redacting_json_twice_changes_nothing_more(value: JsonValue) -> None:
    once = redact_json(value)
    assert redact_json(once) == once
