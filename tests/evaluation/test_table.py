from __future__ import annotations

from evaluation.table import format_table


def test_columns_are_as_wide_as_their_widest_cell() -> None:
    assert format_table(["name", "ms"], [["a", "1.5"], ["longer", "10.25"]]) == (
        "name       ms\na         1.5\nlonger  10.25"
    )


def test_table_without_rows_is_its_header() -> None:
    assert format_table(["name", "ms"], []) == "name  ms"
