"""The repository's own Python files, each read and parsed once a run."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PRODUCT = ("memories", "threads", "porting", "memsite", "evaluation")


def find_sources(folders: Iterable[str] = PRODUCT) -> list[Path]:
    """Return the Python files of these folders, migrations left out."""
    return [
        path
        for folder in folders
        for path in sorted((ROOT / folder).rglob("*.py"))
        if "migrations" not in path.parts
    ]


def name_source(path: Path) -> str:
    """Return the path of a file within the repository."""
    return str(path.relative_to(ROOT))


@cache
def read_source(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@cache
def parse_source(path: Path) -> ast.Module:
    return ast.parse(read_source(path))
