"""Nothing in the code is named by a word that the glossary does not use."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator
from functools import cache
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]
CLIENTS: Final = ("clients/python/src", "clients/openwebui")
ROOTS: Final = ("memsite", "memories", "threads", "porting", "evaluation", "bench", *CLIENTS)
MIGRATIONS: Final = "/migrations/"
#: Names that others use, and why they stay.
KEPT: Final = {
    "memories/conf.py:asked": "it is read from MEMSITE_WRITING_ASKED, a documented setting",
    "memories/tasks.py:judge_near": "queued jobs hold the path of their task",
    "memories/values.py:KNOWN": "it is the action `known` of the API",
    "threads/api/shapes/replies.py:ReplyStandingOut": "the API's document names the schema so",
    "threads/api/shapes/summaries.py:StandingOut": "the API's document names the schema so",
    "threads/api/shapes/threads.py:JobStandingOut": "the API's document names the schema so",
}
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


def defined_names(tree: ast.Module) -> Iterator[str]:
    """Yield the names of classes, functions and parameters."""
    for node in ast.walk(tree):
        match node:
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name
            case ast.arg(arg=name):
                yield name


def assigned_names(tree: ast.Module) -> Iterator[str]:
    """Yield the names of variables, attributes, fields, enum members and constants, where they get a value.

    That is an assignment with or without a type, a type alone, `:=`, a target of `for`, of a comprehension or
    of `with`, `except … as`, a capture of `match`, and `import … as`.
    """
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                yield name
            case ast.ExceptHandler(name=str(name)) | ast.alias(asname=str(name)):
                yield name
            case (
                ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name))
            ):
                yield name


@cache
def _words() -> frozenset[tuple[str, ...]]:
    return frozenset(unused_words((ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")))


def test_glossary_lists_words() -> None:
    assert len(_words()) > 15


def _find_unused_words(root: str) -> set[str]:
    """Return the names below a folder that hold an unused word, each with its file."""
    found: set[str] = set()
    for path in sorted((ROOT / root).rglob("*.py")):
        place = path.relative_to(ROOT).as_posix()
        if MIGRATIONS in place:
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        module = path.parent.name if path.stem == "__init__" else path.stem
        names = {module, *defined_names(tree), *assigned_names(tree)}
        found.update(f"{place}:{name}" for name in names if holds(name, _words()))
    return found


@pytest.mark.parametrize("root", ROOTS)
def test_names_hold_no_unused_word(root: str) -> None:
    assert sorted(_find_unused_words(root) - KEPT.keys()) == []


def test_every_exception_is_needed() -> None:
    found = set[str]().union(*map(_find_unused_words, ("memories", "threads")))
    assert sorted(KEPT.keys() - found) == []


@pytest.mark.parametrize(
    "code",
    [
        "said = 1",
        "said: int = 1",
        "class A:\n    said: int",
        "a, (said, *b) = c",
        "a.said = 1",
        "for said in a: ...",
        "[1 for said in a]",
        "with a as said: ...",
        "(said := 1)",
        "try: ...\nexcept A as said: ...",
        "match a:\n    case [said, *_]: ...",
        "import a as said",
    ],
)
def test_assigned_name_is_found(code: str) -> None:
    assert "said" in assigned_names(ast.parse(code))


@pytest.mark.parametrize("code", ["a(said=1)", "b = said", "b = a.said", "'said'", "del a[said]"])
def test_name_that_is_only_used_is_not_found(code: str) -> None:
    assert "said" not in assigned_names(ast.parse(code))


@pytest.mark.parametrize("name", ["near", "find_near", "NearOnes", "lines_left", "_standing"])
def test_a_part_of_a_name_is_found(name: str) -> None:
    assert holds(name, {("near",), ("lines", "left"), ("standing",)})


@pytest.mark.parametrize("name", ["nearest", "linear", "lines", "left_side", "outstanding"])
def test_a_longer_word_is_not_found(name: str) -> None:
    assert not holds(name, {("near",), ("lines", "left"), ("standing",)})
