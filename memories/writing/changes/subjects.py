"""Decide whether a text says that what an older one is about is otherwise now.

"My budget lives in a spreadsheet now" ends "I do my budget in a paper notebook": a word says that it is so
now, both speak of what their speaker does, and both name the budget. What the speaker has does not end so,
and neither does anything by "my cat is asleep now". The words are data, in `states.toml`. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from memories.text import stem_word
from memories.writing.changes.readings import DATES, HAN, StateReading, is_past, list_words
from memories.writing.changes.state_tables import TABLES

#: Most content words of either text, two Chinese characters for one: longer texts tell of several things.
_MOST_OLD: Final = 9
_MOST_NEW: Final = 15
#: Least number of characters of a word that names a thing.
_SHORTEST: Final = 3
_OWN: Final = re.compile(r"(?:i|we|my|our)\b|我")
_ACTS: Final = re.compile(r"(?:i|we)\b|[^，]*我")
#: What the speaker has. It ends when it is gone, which other rules tell.
_HAS: Final = re.compile(r"(?:i|we) (?:have|has|had|got|own|keep)\b|我们?家?有|我养|我买了")
#: A thing of the speaker's, and how it is.
_IS: Final = re.compile(r"(?:my|our) [\w' -]{1,40}? (?:is|are|was|were|has been|have been)\b")
#: What the speaker does: "teach" of "I teach maths".
_VERB: Final = re.compile(r"(?:i|we) (?:am |are )?(?:\w+ly |always |usually )?([a-z]+)")
_THING: Final = re.compile(r"(?:my|our)\b")
_COMMON: Final = frozenset(map(stem_word, TABLES.common))
#: Characters with which no Chinese pair that names a thing begins, or ends.
_NO_BEGINNING: Final = frozenset("上下这那每今昨明前后周月日年点了过着得地")
_NO_END: Final = frozenset("上下了过着天月年周日点里")


def ends_subject(new: StateReading, old: StateReading) -> bool:
    """Return whether the newer text says that what the older one tells is done otherwise now."""
    words = TABLES.words
    if new.also or new.opinion or words["added"].occurs_in(new.text) or words["passing"].occurs_in(new.text):
        return False
    if not new.turned or not old.lasts or old.taste or old.dislike:
        return False
    if _measure(old) > _MOST_OLD or _measure(new) > _MOST_NEW:
        return False
    states = _list_states(old)
    things = _name_things(states) - {stem_word(verb) for verb in map(_find_verb, states)}
    return not things.isdisjoint(_name_things(_list_acts(new)))


def _find_verb(clause: str) -> str:
    found = _VERB.match(clause)
    return found.group(1) if found is not None else ""


def _list_states(one: StateReading) -> list[str]:
    """Return the clauses that say what the speaker does, without what they have."""
    return [
        clause
        for clause in one.clauses
        if _OWN.match(clause) and not is_past(clause) and _HAS.match(clause) is None
    ]


def _list_acts(one: StateReading) -> list[str]:
    """Return the clauses that say what the speaker, or a thing of theirs, does."""
    return [
        clause
        for clause in one.clauses
        if (_ACTS.match(clause) and not is_past(clause))
        or (_THING.match(clause) and _IS.match(clause) is None)
    ]


def _name_things(clauses: Iterable[str]) -> set[str]:
    """Return the words that are special enough to name what the clauses are about."""
    return {word for word in list_words(", ".join(clauses)) if _is_special(word)}


def _is_special(word: str) -> bool:
    if word in _COMMON:
        return False
    if HAN.match(word):
        return word[0] not in _NO_BEGINNING and word[-1] not in _NO_END
    return len(word) >= _SHORTEST and word not in DATES and not word.isdigit()


def _measure(one: StateReading) -> float:
    """Return the number of content words."""
    english = sum(HAN.match(word) is None for word in one.words)
    return english + len("".join(HAN.findall(one.text))) / 2
