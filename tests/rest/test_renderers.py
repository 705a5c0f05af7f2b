from __future__ import annotations

import json
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest
from django.db.models import TextChoices
from hypothesis import given
from hypothesis import strategies as st
from rest_framework.renderers import JSONRenderer as PlainRenderer

from memsite.rest.renderers import JSONRenderer
from memsite.values import round_numbers

WHOLE = st.integers(-(2**70), 2**70)
LEAVES = st.none() | st.booleans() | WHOLE | st.floats(allow_nan=False, allow_infinity=False) | st.text()
VALUES = st.recursive(LEAVES, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner))


class Kind(TextChoices):
    FACT = "fact"


@given(VALUES)
def test_value_comes_back_as_it_was_but_for_noise(value: Any) -> None:
    written = JSONRenderer().render(value)
    assert written == b"" if value is None else round_numbers(json.loads(written)) == round_numbers(value)


def test_noise_of_a_float_is_rounded_away() -> None:
    noisy = {"importance": 0.8 * 0.8, "metadata": {"given": 0.1 + 0.2}}
    assert JSONRenderer().render(noisy) == b'{"importance":0.64,"metadata":{"given":0.30000000000000004}}'
    assert b"0.640000" not in JSONRenderer().render(noisy, "application/json; indent=2")


@pytest.mark.parametrize(
    "value",
    [
        {"at": datetime(2026, 1, 2, 3, 4, 5, 678, tzinfo=UTC)},
        {"id": UUID(int=7)},
        {"sum": Decimal("1.50")},
        [Kind.FACT, {"kind": Kind.FACT}],
        {1: "a number as a key"},
        "lines\u2028end\u2029here 中文",
    ],
    ids=str,
)
def test_what_the_framework_writes_is_written_the_same(value: Any) -> None:
    assert JSONRenderer().render(value) == PlainRenderer().render(value)


def test_answer_is_indented_where_that_is_asked_for() -> None:
    assert JSONRenderer().render({"a": 1}, "application/json; indent=2") == b'{\n  "a": 1\n}'
