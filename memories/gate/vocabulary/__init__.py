"""Tables of words, stored as data files so that speakers of a language can extend them."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

_FOLDER: Final = Path(__file__).parent


@cache
def _read(name: str) -> dict[str, Any]:
    return tomllib.loads((_FOLDER / f"{name}.toml").read_text(encoding="utf-8"))


def table(name: str, rows: str) -> tuple[Mapping[str, str], ...]:
    """Return the rows `[[rows]]` of the file `name.toml`, in order."""
    return tuple(_read(name)[rows])


def word_list(name: str, key: str) -> tuple[str, ...]:
    """Return the words under a key of the file `name.toml`, longest first, as patterns require."""
    return tuple(sorted(words(_read(name)[key]), key=lambda word: (-len(word), word)))


def alternatives(*keys: str) -> str:
    """Return the words under keys of `secrets.toml` as alternatives for a pattern, longest first."""
    names = sorted({name for key in keys for name in word_list("secrets", key)}, key=len, reverse=True)
    return "|".join(re.escape(name).replace("_", "[ _]") for name in names)


def words(text: str) -> frozenset[str]:
    """Return the words of a text, separated by white space."""
    return frozenset(text.split())
