"""Read the word tables of the rules: TOML files beside the code, which need no programmer to edit.

A list is one text with its words between commas; a comma within a word has no blank after it, as in `{1,3}`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

_BETWEEN: Final = re.compile(r",\s+")
_BRACKET: Final = re.compile(r"[(\[{)\]}]")
_ESCAPED: Final = re.compile(r"\\.")


@dataclass(frozen=True, slots=True)
class Table:
    """The lists of one file by name."""

    lists: Mapping[str, tuple[str, ...]]
    forms: Mapping[str, Mapping[str, str]]

    def words(self, name: str) -> frozenset[str]:
        """Return a list as a set."""
        return frozenset(self.lists[name])

    def any_of(self, name: str) -> str:
        """Return a list as an alternation for a pattern; its words may be regular expressions."""
        return "|".join(self.lists[name])

    def longest_of(self, name: str) -> str:
        """Return a list as an alternation that tries longer words first, for text without blanks."""
        return "|".join(sorted(self.lists[name], key=len, reverse=True))


def split_words(text: Any, where: str) -> tuple[str, ...]:  # noqa: ANN401 - what the file holds
    """Return the words of a list.

    Args:
        text: The value in the file.
        where: The place of the value, for the error.

    Raises:
        ValueError: If the value is no text, has an empty or repeated word, or a bracket without its partner.
    """
    if not isinstance(text, str):
        raise ValueError(f"{where} must be a text of words between commas")  # noqa: TRY004 - a fault of the file
    words = tuple(_BETWEEN.split(text.strip().removesuffix(","))) if text.strip() else ()
    seen: set[str] = set()
    for word in words:
        if not word or word in seen or (_BRACKET.search(word) and not _is_balanced(word)):
            raise ValueError(f"{where}: {word!r} is empty, repeated, or has a bracket without its partner")
        seen.add(word)
    return words


def _is_balanced(word: str) -> bool:
    plain = _ESCAPED.sub("", word)
    return all(plain.count(opening) == plain.count(closing) for opening, closing in ("()", "[]", "{}"))


def read_table(path: Path, lists: Collection[str], forms: Collection[str] = ()) -> Table:
    """Read a file and check it.

    Args:
        path: The file.
        lists: The names of its lists.
        forms: The names of its tables of forms: each line holds a base form and its forms.

    Raises:
        ValueError: If a name is missing or unknown, or a list is malformed. The message names the place.
    """
    content = tomllib.loads(path.read_text(encoding="utf-8"))
    if content.keys() != {*lists, *forms}:
        wrong = ", ".join(sorted(content.keys() ^ {*lists, *forms}))
        raise ValueError(f"{path.name}: missing or unknown: {wrong}")
    return Table(
        {name: split_words(content[name], f"{path.name}: {name}") for name in lists},
        {name: _inverted(content[name], f"{path.name}: {name}") for name in forms},
    )


def _inverted(table: Mapping[str, Any], where: str) -> Mapping[str, str]:
    found: dict[str, str] = {}
    for base, forms in table.items():
        for form in split_words(forms, f"{where}.{base}"):
            if found.setdefault(form, base) != base:
                raise ValueError(f"{where}: {form!r} belongs to {found[form]!r} and to {base!r}")
    return found
