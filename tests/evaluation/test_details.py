from __future__ import annotations

import pytest

from evaluation.datasets.details import find_details, find_kept_details


@pytest.mark.parametrize(
    ("text", "details"),
    [
        ("We met Anna in Oslo.", {"anna", "oslo"}),
        ("The repair cost 900 euros on 12/06.", {"900", "12/06"}),
        ("Yes. Then I went home, and I'm tired.", set()),
        ("Hello! Bread is good.", set()),
        ("", set()),
    ],
)
def test_details_are_numbers_and_capitals_inside_a_sentence(text: str, details: set[str]) -> None:
    assert find_details(text) == details


def test_detail_that_was_blanked_out_is_not_kept() -> None:
    assert find_kept_details(
        "My friend Anna owes me 900 euros.", "My friend Anna owes me [redacted] euros."
    ) == (1, 2)
