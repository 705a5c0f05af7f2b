"""No module, class, function or parameter is named by a word that the glossary does not use."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator
from functools import cache
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]
ROOTS: Final = ("memsite", "memories", "threads", "porting", "evaluation")
#: The API's schemas, prompts' schemas and task names are fixed: clients, models and queued jobs know them.
FIXED: Final = ("/migrations/", "/api/shapes/")
#: Names that others know: task paths are stored in jobs.
KEPT: Final = {"memories/tasks.py:judge_near"}
_ROW: Final = re.compile(r"^\| (?P<words>[^|]+?) \| (?P<instead>[^|]+?) \|$")
_PART: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")


def unused_words(glossary: str) -> set[tuple[str, ...]]:
    """Return the words of the table "Words not used", each as the parts of an identifier."""
    table = glossary.partition("## Words not used")[2]
    rows = [row["words"] for line in table.splitlines() if (row := _ROW.match(line))]
    names = (re.sub(r"\(.*?\)|`", "", word).strip() for row in rows for word in row.split(","))
    return {tuple(name.lower().split()) for name in names if name not in {"not", "---"}}


def parts_of(name: str) -> tuple[str, ...]:
    """Return the parts of an identifier in lower case: `find_LinesLeft` has find, lines, left."""
    return tuple(part.lower() for part in _PART.findall(name))


def holds(name: str, words: Collection[tuple[str, ...]]) -> bool:
    """Return whether an identifier holds one of the words as a part, or as consecutive parts."""
    parts = parts_of(name)
    spans = {parts[start:end] for end in range(len(parts) + 1) for start in range(end)}
    return not spans.isdisjoint(words)


def names_in(tree: ast.Module) -> Iterator[str]:
    """Yield the names of classes, functions and parameters."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg


@cache
def _words() -> frozenset[tuple[str, ...]]:
    return frozenset(unused_words((ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")))


def test_glossary_lists_words() -> None:
    assert len(_words()) > 15


@pytest.mark.parametrize("root", ROOTS)
def test_names_hold_no_unused_word(root: str) -> None:
    found = []
    for path in sorted((ROOT / root).rglob("*.py")):
        place = path.relative_to(ROOT).as_posix()
        if any(part in f"/{place}" for part in FIXED):
            continue
        names = [path.parent.name if path.stem == "__init__" else path.stem]
        names += names_in(ast.parse(path.read_text(encoding="utf-8")))
        found += [f"{place}:{name}" for name in names if holds(name, _words())]
    assert sorted(set(found) - KEPT) == []


@pytest.mark.parametrize("name", ["near", "find_near", "NearOnes", "lines_left", "_standing"])
def test_a_part_of_a_name_is_found(name: str) -> None:
    assert holds(name, {("near",), ("lines", "left"), ("standing",)})


@pytest.mark.parametrize("name", ["nearest", "linear", "lines", "left_side", "outstanding"])
def test_a_longer_word_is_not_found(name: str) -> None:
    assert not holds(name, {("near",), ("lines", "left"), ("standing",)})
