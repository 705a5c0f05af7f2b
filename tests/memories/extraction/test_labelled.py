"""The labelled exchanges of `bench/extraction` keep their scores."""

from __future__ import annotations

import pytest

from bench.extraction.score import LABELLED
from evaluation.datasets.exchanges import load_exchanges, score_extractor

ITEMS = load_exchanges(LABELLED)


@pytest.mark.parametrize("split", sorted({item["split"] for item in ITEMS}))
def test_rules_meet_the_measures_of_success(split: str) -> None:
    result = score_extractor(item for item in ITEMS if item["split"] == split)
    assert result.precision >= 0.95, result.misses
    assert result.recall >= 0.8, result.misses
    assert result.detail_retention >= 0.95, result.misses
    assert result.kind_accuracy >= 0.9, result.misses


def test_every_label_is_complete() -> None:
    for item in ITEMS:
        assert {"id", "split", "language", "category", "at", "exchange", "expected"} <= item.keys()
        assert all(expected["kind"] and expected["key"] for expected in item["expected"])


def test_half_of_the_labels_are_chinese() -> None:
    chinese = sum(item["language"] != "en" for item in ITEMS)
    assert 0.45 <= chinese / len(ITEMS) <= 0.55
