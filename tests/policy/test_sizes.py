"""Limits of file and function sizes; a larger one should be split."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MOST_LINES = 400
MOST_FUNCTION_LINES = 60
FORBIDDEN_NAMES = {"utils", "helpers", "common", "manager", "service", "core"}
SOURCES = [
    path
    for folder in ("memories", "threads", "memsite", "evaluation", "tests", "bench")
    for path in sorted((ROOT / folder).rglob("*.py"))
    if "migrations" not in path.parts
]


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_file_is_a_small_room(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    assert len(source.splitlines()) <= MOST_LINES
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            length = (node.end_lineno or 0) - node.lineno + 1
            assert length <= MOST_FUNCTION_LINES, f"{node.name}: {length} lines"


def test_no_room_is_named_for_nothing() -> None:
    named = {part for path in SOURCES for part in (*path.relative_to(ROOT).parts[:-1], path.stem)}
    assert not named & FORBIDDEN_NAMES
