"""What programs of others did: counted from their reports, and written as the table of docs/programs.md."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from xml.etree import ElementTree as ET

BEGIN = "<!-- make test-programs writes the lines from here -->"
END = "<!-- to here -->"
_HEAD = (
    "| Program | Version | Passed | Expected failures | Failed | Date |",
    "| --- | --- | --- | --- | --- | --- |",
)
_ROW = re.compile(r"^\| ([^|]+) \|.*\|$")


@dataclass(frozen=True)
class Result:
    """The tests of one program.

    Attributes:
        expected: Tests that need what a test server cannot have; each is named with its reason.
        failed: Failures, and tests that were left out for another reason.
    """

    passed: int
    expected: int = 0
    failed: int = 0

    @property
    def is_success(self) -> bool:
        """Whether something passed and nothing failed."""
        return self.passed > 0 and self.failed == 0


def count_pytest(report: str) -> Result:
    """Count the tests of a report that pytest wrote by `--junitxml`."""
    suites = ET.fromstring(report).iter("testsuite")  # noqa: S314 - our own run wrote it
    cases = [case for suite in suites for case in suite.iter("testcase")]
    failed = expected = 0
    for case in cases:
        skipped = case.find("skipped")
        if skipped is not None and skipped.get("type") == "pytest.xfail":
            expected += 1
        elif skipped is not None or case.find("failure") is not None or case.find("error") is not None:
            failed += 1
    return Result(len(cases) - expected - failed, expected, failed)


def count_tap(report: str) -> Result:
    """Count the tests of a report that Node wrote by `--test-reporter=tap`."""
    counts = {name: int(number) for name, number in re.findall(r"^# (\w+) (\d+)$", report, re.MULTILINE)}
    failed = counts["tests"] - counts["pass"]
    return Result(counts["pass"], failed=failed)


def render_table(text: str, rows: Mapping[str, str]) -> str:
    """Return the page with these rows, by their program, between its marks. Rows of other programs stay.

    Raises:
        ValueError: If a mark is missing.
    """
    before, _, rest = text.partition(BEGIN)
    table, found, after = rest.partition(END)
    if not found:
        raise ValueError(f"The page has no {BEGIN!r} with {END!r} after it.")
    rows_now = (line for line in table.splitlines() if line not in _HEAD)
    kept = {match[1]: line for line in rows_now if (match := _ROW.match(line))}
    lines = sorted((kept | dict(rows)).values(), key=str.lower)
    return "\n".join([before + BEGIN, "", *_HEAD, *lines, "", END + after])


def render_row(program: str, version: str, result: Result, date: str) -> str:
    """Return one row of the table."""
    return f"| {program} | {version} | {result.passed} | {result.expected} | {result.failed} | {date} |"
