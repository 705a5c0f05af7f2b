"""Tables of words, kept as data so that someone who knows a language can extend them."""

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
    """The rows `[[rows]]` of the file `name.toml`, in their order."""
    return tuple(_read(name)[rows])


def word_list(name: str, key: str) -> tuple[str, ...]:
    """The words under a key of the file `name.toml`, longest first, as alternatives of a pattern need."""
    return tuple(sorted(words(_read(name)[key]), key=lambda word: (-len(word), word)))


def alternatives(*keys: str) -> str:
    """The words under keys of `secrets.toml` as alternatives of a pattern, the longest first."""
    names = sorted({name for key in keys for name in word_list("secrets", key)}, key=len, reverse=True)
    return "|".join(re.escape(name).replace("_", "[ _]") for name in names)


def words(text: str) -> frozenset[str]:
    """The words of a text, separated by white space."""
    return frozenset(text.split())
