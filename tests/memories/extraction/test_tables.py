"""The word tables of the rules: complete, well-formed, and refused with their place when they are not."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from memories.extraction import tables

ROOT = Path(__file__).parents[3]
FILES = sorted((ROOT / "memories" / "extraction").rglob("lexicon.toml"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.parent.name)
def test_each_entry_is_a_valid_expression(path: Path) -> None:
    for name, value in tomllib.loads(path.read_text(encoding="utf-8")).items():
        for word in tables.split_words(value, name) if isinstance(value, str) else ():
            re.compile(word)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("colours = 'red, blue'\nsize = 'big'", "missing or unknown: size, sizes"),
        ("colours = 'red, red'\nsizes = 'big'", "colours: 'red'"),
        ("colours = 'red, , blue'\nsizes = 'big'", "colours: ''"),
        ("colours = 'red, (blue'\nsizes = 'big'", r"colours: '\(blue'"),
        ("colours = 3\nsizes = 'big'", "colours must be a text"),
    ],
)
def test_malformed_table_is_refused_with_its_place(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "table.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=message):
        tables.read_table(path, ("colours", "sizes"))


def test_form_of_two_verbs_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text("[past]\nfind = 'found'\nfounder = 'found'", encoding="utf-8")
    with pytest.raises(ValueError, match="'found' belongs to 'find' and to 'founder'"):
        tables.read_table(path, (), ("past",))
