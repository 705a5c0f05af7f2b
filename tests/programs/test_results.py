"""The table of the programs, from their reports."""

from __future__ import annotations

from tests.programs.results import BEGIN, END, Result, count_pytest, count_tap, render_row, render_table

REPORT = """<testsuites><testsuite><testcase name="a"/><testcase name="b"><failure/></testcase>
<testcase name="c"><skipped type="pytest.xfail"/></testcase>
<testcase name="d"><skipped type="pytest.skip"/></testcase></testsuite></testsuites>"""


def test_expected_failures_are_counted_apart_and_skipped_tests_as_failures() -> None:
    assert count_pytest(REPORT) == Result(1, 1, 2)


def test_tests_that_node_skips_are_failures() -> None:
    assert count_tap("# tests 5\n# pass 3\n# fail 1\n# skipped 1\n") == Result(3, failed=2)


def test_program_that_ran_nothing_has_not_succeeded() -> None:
    assert not Result(0).is_success


def test_table_replaces_the_row_of_a_program_and_keeps_the_others() -> None:
    first = {one: render_row(one, "1", Result(1), "2026-01-01") for one in ("b", "a")}
    page = render_table(f"# Page\n{BEGIN}\n{END}\nEnd\n", first)
    again = render_table(page, {"a": render_row("a", "2", Result(3, 1), "2026-02-01")})
    rows = [line for line in again.splitlines() if line.startswith("|")][2:]
    assert rows == ["| a | 2 | 3 | 1 | 0 | 2026-02-01 |", "| b | 1 | 1 | 0 | 0 | 2026-01-01 |"]
    assert again.startswith("# Page\n")
    assert again.endswith("\nEnd\n")
