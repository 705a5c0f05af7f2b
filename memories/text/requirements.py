"""Recognise requirements: what a person wants every answer to respect. Pure.

A requirement is a memory with one of two tags. Those tagged `always` say how the person wants to be answered
("answer in Chinese") and belong to every context. Those tagged `diet` say what the person does not eat, drink
or take, and belong to the context of an input about food, drink or medicine. The words are in
`requirements.toml`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from memsite.values import TextEnum

#: A longer statement is no requirement: it says more than how to answer, and takes too many tokens.
_MOST_CHARACTERS: Final = 240
#: Characters of an input, from its beginning, in which its topic is looked for.
_INPUT_CHARACTERS: Final = 2_000
_KEYS: Final = ("english", "chinese", "except")
#: Beginnings of statements about the owner, and not about somebody or something of theirs.
_OWN: Final = re.compile(
    r"\s*(?:i\b|(?:the )?user\b(?!['’]s)|(?:我|用户)(?![的们家妈爸父母老哥姐弟妹爷奶外儿女先太朋同]))",
    re.IGNORECASE,
)
_USER: Final = frozenset({"user", "the user"})


class RequirementTag(TextEnum):
    """The tags of memories that are requirements."""

    ALWAYS = "always"
    DIET = "diet"


class _Words:
    """The words of one section."""

    def __init__(self, section: Mapping[str, Any], name: str) -> None:
        if set(section) != set(_KEYS):
            raise ValueError(f"requirements.toml: [{name}] must have {', '.join(_KEYS)}")
        whole = [*section["english"], *section["chinese"]]
        self._words = re.compile("|".join(map(_pattern, whole)), re.IGNORECASE)
        self._excepted = re.compile("|".join(map(_pattern, section["except"])), re.IGNORECASE)

    def occur(self, text: str) -> bool:
        """Return whether a text has one of the words outside the exceptions."""
        return self._words.search(self._excepted.sub(" ", text)) is not None


def _pattern(word: str) -> str:
    """Return the pattern of a word: whole in English, where "n't" ends another word; anywhere in Chinese."""
    if not word.isascii():
        return re.escape(word)
    begins = "" if word.startswith("n't") else r"\b"
    ends = r"\w*" if word.endswith("*") else r"\b"
    plain = re.escape(word.removesuffix("*")).replace("'", "['’]")
    return f"{begins}{plain}{ends}"


def _load_words() -> dict[str, _Words]:
    content = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    return {name: _Words(section, name) for name, section in content.items()}


_WORDS: Final = _load_words()


def find_requirement(text: str, *, subject: str, is_preference: bool) -> RequirementTag | None:
    """Return the tag of a statement if it is a requirement.

    Args:
        text: The statement, in English or Chinese.
        subject: Whom it is about; if empty, its beginning says it.
        is_preference: Whether it is a preference; other statements can only be about the diet.
    """
    if len(text) > _MOST_CHARACTERS:
        return None
    if is_preference and _WORDS["always"].occur(text):
        return RequirementTag.ALWAYS
    is_own = subject.lower() in _USER if subject else _OWN.match(text) is not None
    if is_own and _WORDS["diet"].occur(text):
        return RequirementTag.DIET
    return None


def list_requirement_tags(text: str) -> tuple[RequirementTag, ...]:
    """Return the tags of the requirements that an input needs."""
    if _WORDS["about_diet"].occur(text[:_INPUT_CHARACTERS]):
        return (RequirementTag.ALWAYS, RequirementTag.DIET)
    return (RequirementTag.ALWAYS,)
