"""Limits of file and function sizes; a larger one should be split."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.policy.sources import PRODUCT, ROOT, find_sources, name_source, parse_source, read_source

MOST_LINES = 400
MOST_FUNCTION_LINES = 60
FORBIDDEN_NAMES = {"utils", "helpers", "common", "manager", "service", "core"}
SOURCES = find_sources((*PRODUCT, "tests", "bench"))


def find_long_functions(tree: ast.AST) -> Iterator[str]:
    """Yield the name of each function that has more lines than allowed."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            length = (node.end_lineno or 0) - node.lineno + 1
            if length > MOST_FUNCTION_LINES:
                yield f"{node.name}: {length} lines"


def test_no_file_is_too_long() -> None:
    lengths = {name_source(path): len(read_source(path).splitlines()) for path in SOURCES}
    assert {name: length for name, length in lengths.items() if length > MOST_LINES} == {}


def test_no_function_is_too_long() -> None:
    long = {name_source(path): list(find_long_functions(parse_source(path))) for path in SOURCES}
    assert {name: functions for name, functions in long.items() if functions} == {}


def test_long_function_would_be_found() -> None:
    source = "def f():\n" + "    x = 1\n" * MOST_FUNCTION_LINES
    assert list(find_long_functions(ast.parse(source))) == [f"f: {MOST_FUNCTION_LINES + 1} lines"]


def test_module_names_say_what_is_inside() -> None:
    named = {part for path in SOURCES for part in (*path.relative_to(ROOT).parts[:-1], path.stem)}
    assert not named & FORBIDDEN_NAMES
