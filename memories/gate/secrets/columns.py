"""Passwords in tables (CSV, tab-separated, Markdown) with a heading that names the column."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from memories.gate.matches import SecretMatch
from memories.gate.secrets.values import is_program_text, is_technical_term, is_template
from memories.gate.view import View
from memories.gate.vocabulary import alternatives

_HEADING: Final = re.compile(
    rf"\W{{0,4}}(?:[\w-]{{1,20}}[ _-])?"
    rf"(?:{alternatives('password_nouns')}|pass|pw|pin|api[ _-]?key|secret|token)s?\W{{0,4}}"
)
_DELIMITERS: Final = "|\t;,"
_SHORTEST_LINE: Final = 3  # characters
_LONGEST_LINE: Final = 500
_MOST_CELLS: Final = 24
_SHORTEST: Final = 4
_LONGEST: Final = 100


def find_columns(view: View) -> Iterator[SecretMatch]:
    """Yield the cells under a heading such as `password`, up to the first line with fewer cells."""
    column: tuple[str, int, int] | None = None
    at = 0
    for line, written in zip(view.lower.split("\n"), view.text.split("\n"), strict=True):
        if column and line.count(column[0]) >= column[2]:
            yield from _cell(written, at, column)
        else:
            column = _heading(line)
        at += len(line) + 1


def _heading(line: str) -> tuple[str, int, int] | None:
    """Return delimiter, column index and number of delimiters of a heading line that names passwords."""
    if not _SHORTEST_LINE < len(line) < _LONGEST_LINE:
        return None
    delimiter = next((each for each in _DELIMITERS if each in line), None)
    cells = line.split(delimiter)
    if delimiter is None or len(cells) > _MOST_CELLS or any(map(str.isdigit, line)):
        return None
    for index, cell in enumerate(cells):
        if _HEADING.fullmatch(cell):
            return delimiter, index, len(cells) - 1
    return None


def _cell(line: str, at: int, column: tuple[str, int, int]) -> Iterator[SecretMatch]:
    delimiter, index, _ = column
    cells = line[:_LONGEST_LINE].split(delimiter)
    if index >= len(cells):
        return
    value = cells[index].strip(" \"'`*\r")
    usual = is_template(value) or is_technical_term(value) or is_program_text(value)
    if usual or " " in value or not _SHORTEST <= len(value) <= _LONGEST:
        return
    start = at + sum(len(cell) + 1 for cell in cells[:index]) + cells[index].index(value)
    yield SecretMatch("password", start, start + len(value))
