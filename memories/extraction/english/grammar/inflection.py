"""English verb forms: from any form to the base form, and from the base form to the third person."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from memories.extraction.english.grammar.lexicon import (
    DOUBLING_VERBS,
    INFLECTED_VERBS,
    IRREGULAR_PARTICIPLES,
    IRREGULAR_PAST,
    NOT_PAST,
)

_VOWELS: Final = "aeiou"


def _forms(verb: str) -> Iterator[str]:
    if verb in DOUBLING_VERBS:
        doubled = verb + ("m" if verb == "program" else verb[-1])
        yield from (doubled + "ing", doubled + "ed", verb + "ing", verb + "ed")
    elif verb.endswith("ie"):
        yield from (verb[:-2] + "ying", verb + "d")
    elif verb.endswith("e"):
        yield from (verb[:-1] + "ing", verb + "ing", verb + "d")
    elif verb.endswith("y") and verb[-2] not in _VOWELS:
        yield from (verb + "ing", verb[:-1] + "ied")
    else:
        yield from (verb + "ing", verb + "ed")
    yield inflect_third_person(verb)


def inflect_third_person(verb: str) -> str:
    """Return the form after `the user`: prefer → prefers, study → studies, have → has."""
    lowered = verb.lower()
    irregular = {
        "have": "has",
        "be": "is",
        "am": "is",
        "are": "is",
        "were": "was",
        "do": "does",
        "go": "goes",
    }
    if lowered in irregular:
        return irregular[lowered]
    if lowered == "don't":
        return "doesn't"
    if lowered == "haven't":
        return "hasn't"
    if re.search(r"(?:s|x|z|ch|sh)$", lowered):
        return verb + "es"
    if re.search(r"[^aeiou]y$", lowered):
        return verb[:-1] + "ies"
    return verb + "s"


def _table() -> Mapping[str, str]:
    table = {form: verb for verb in INFLECTED_VERBS for form in _forms(verb)}
    return {**table, **IRREGULAR_PARTICIPLES, **IRREGULAR_PAST}


_BASE: Final = _table()


def get_base_form(word: str) -> str:
    """Return the base of a known form, or the word itself."""
    return _BASE.get(word, word)


def is_listed_form(word: str) -> bool:
    """Return whether the word is the base form of a known verb."""
    return word in INFLECTED_VERBS


def is_past(word: str) -> bool:
    """Return whether the word, as a finite verb, is in the past tense."""
    return word in IRREGULAR_PAST or (word.endswith("ed") and word not in NOT_PAST)


def is_participle(word: str) -> bool:
    """Return whether `have` before the word forms a perfect."""
    return word in IRREGULAR_PARTICIPLES or (
        is_past(word) and word not in {"was", "were", "ate", "went", "mixed"}
    )
