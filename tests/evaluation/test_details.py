from __future__ import annotations

import pytest

from evaluation.datasets.details import details_of, kept


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
    assert details_of(text) == details


def test_detail_that_was_blanked_out_is_not_kept() -> None:
    assert kept("My friend Anna owes me 900 euros.", "My friend Anna owes me [redacted] euros.") == (1, 2)
