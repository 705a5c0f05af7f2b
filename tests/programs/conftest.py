"""Write what the programs of this run did into docs/programs.md."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from tests.programs.results import Result, render_row, render_table
from tests.programs.running_site import ROOT

PAGE = ROOT / "docs" / "programs.md"
Record = Callable[[str, str, Result], None]
_rows = pytest.StashKey[dict[str, str]]()


@pytest.fixture(scope="session")
def record(pytestconfig: pytest.Config) -> Record:
    """Return what takes down the result of a program: its name, its version, and the numbers."""
    rows = pytestconfig.stash.setdefault(_rows, {})

    def take(program: str, version: str, result: Result) -> None:
        rows[program] = render_row(program, version, result, datetime.now(UTC).date().isoformat())

    return take


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Write the rows of the programs that ran; those of others stay as they are."""
    rows = session.config.stash.get(_rows, {})
    if rows:
        PAGE.write_text(render_table(PAGE.read_text(encoding="utf-8"), rows), encoding="utf-8")
