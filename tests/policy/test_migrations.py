"""Migrations do what they did when they were written, whatever the code has become since."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
ROOTS = ("memsite", "memories", "threads", "porting", "evaluation")
MIGRATIONS = sorted(path for root in ROOTS for path in (ROOT / root).rglob("migrations/0*.py"))
#: What migrations refer to for good: defaults of fields, the foreign key within an owner, and its policy.
LASTING = {
    "memsite.values",
    "memsite.accounts.owned",
    "memories.models.report",
    "memsite.serving.postgres",
    "memsite.accounts.models.list_default_headers",
}


def _imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            is_whole = node.module in LASTING
            yield from [node.module] if is_whole else (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def test_migrations_import_no_code_that_may_change() -> None:
    imported = {(path.name, name) for path in MIGRATIONS for name in _imported(path)}
    assert {one for one in imported if one[1].partition(".")[0] in ROOTS and one[1] not in LASTING} == set()
