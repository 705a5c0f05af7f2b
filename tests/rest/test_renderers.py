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

WHOLE = st.integers(-(2**70), 2**70)
LEAVES = st.none() | st.booleans() | WHOLE | st.floats(allow_nan=False, allow_infinity=False) | st.text()
VALUES = st.recursive(LEAVES, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner))


class Kind(TextChoices):
    FACT = "fact"


@given(VALUES)
def test_value_comes_back_as_it_was(value: Any) -> None:
    written = JSONRenderer().render(value)
    assert written == b"" if value is None else json.loads(written) == value


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
