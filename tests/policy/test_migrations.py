"""Migrations do what they did when they were written, whatever the code has become since."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROOTS = ("memsite", "memories", "threads", "evaluation")
MIGRATIONS = sorted(path for root in ROOTS for path in (ROOT / root).rglob("migrations/0*.py"))
#: What migrations refer to for good: defaults of fields, and the foreign key within an owner.
LASTING = {"memsite.ids", "memsite.accounts.owned", "memories.models.report"}


def _imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


@pytest.mark.parametrize("path", MIGRATIONS, ids=lambda path: str(path.relative_to(ROOT)))
def test_migration_imports_no_code_that_may_change(path: Path) -> None:
    ours = {name for name in _imported(path) if name.partition(".")[0] in ROOTS}
    assert not ours - LASTING
