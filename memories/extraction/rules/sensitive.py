"""Recognise sensitive statements: health, belief, politics, sex and money.

The words are in `sensitive.toml`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from memories.extraction.tables import split_words

_KEYS: Final = ("english", "chinese", "except", "predicates")
_TOKEN: Final = re.compile(r"[a-z][a-z'-]*+")


@dataclass(frozen=True, slots=True)
class Words:
    """The words of all categories, in lower case.

    Attributes:
        whole: English words.
        stems: English beginnings of words, by their length.
        phrases: English phrases, with blanks where a word must end.
        chinese: Chinese words.
        excepted: What is not sensitive although it has a sensitive word.
        predicates: Predicates that are sensitive whatever their object.
    """

    whole: frozenset[str]
    stems: Mapping[int, frozenset[str]]
    phrases: tuple[str, ...]
    chinese: tuple[str, ...]
    excepted: tuple[str, ...]
    predicates: frozenset[str]


def load_words(path: Path) -> Words:
    """Read and check the words of a file.

    Raises:
        ValueError: If the file is malformed; the message names the category.
    """
    found: dict[str, list[str]] = {key: [] for key in _KEYS}
    for category, entry in tomllib.loads(path.read_text(encoding="utf-8")).items():
        if set(entry) != set(_KEYS):
            raise ValueError(f"{path.name}: [{category}] must have {', '.join(_KEYS)}")
        for key in _KEYS:
            words = split_words(entry[key], f"{path.name}: [{category}] {key}")
            found[key] += [word.lower() for word in words]
    single = {word for word in found["english"] if " " not in word}
    beginnings = {word[:-1] for word in single if word.endswith("*")}
    return Words(
        frozenset(single),
        {
            length: frozenset(s for s in beginnings if len(s) == length)
            for length in set(map(len, beginnings))
        },
        tuple(_bounded(word) for word in found["english"] if " " in word),
        tuple(found["chinese"]),
        tuple(_bounded(word) for word in found["except"]),
        frozenset(found["predicates"]),
    )


def _bounded(word: str) -> str:
    if not word.isascii():
        return word
    return f" {word[:-1]}" if word.endswith("*") else f" {word} "


_WORDS: Final = load_words(Path(__file__).with_suffix(".toml"))


def is_sensitive(text: str, predicate: str = "") -> bool:
    """Return whether a statement is about health, belief, politics, sex or money.

    Args:
        text: The statement, in English or Chinese.
        predicate: The predicate of its triple, if it has one.
    """
    if predicate in _WORDS.predicates:
        return True
    lowered = text.lower()
    spaced = f" {' '.join(_TOKEN.findall(lowered))} "
    for word in _WORDS.excepted:
        lowered, spaced = lowered.replace(word, " "), spaced.replace(word, " ")
    return (
        any(_is_sensitive_word(word) for word in spaced.split())
        or any(phrase in spaced for phrase in _WORDS.phrases)
        or (not lowered.isascii() and any(word in lowered for word in _WORDS.chinese))
    )


def _is_sensitive_word(word: str) -> bool:
    return word in _WORDS.whole or any(word[:length] in stems for length, stems in _WORDS.stems.items())
