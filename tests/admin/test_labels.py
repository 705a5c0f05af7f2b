"""Staff read a label for every value of a memory, not the value itself."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

import pytest
from django.utils.functional import Promise

from memories.models import labels
from memories.values import Kind, Layer, Lifespan, Status, Writer


@pytest.mark.parametrize(
    ("values", "known"),
    [
        (Kind, labels.KIND_LABELS),
        (Layer, labels.LAYER_LABELS),
        (Status, labels.STAFF_STATUS_LABELS),
        (Lifespan, labels.LIFESPAN_LABELS),
        (Writer, labels.STAFF_WRITER_LABELS),
    ],
)
def test_every_value_has_a_label(values: type[StrEnum], known: Mapping[str, Promise]) -> None:
    assert [value for value in values if value not in known] == []
