"""English verb forms: from any form to the base form, and from the base form to the third person."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from memories.extraction.english.grammar.lexicon import IRREGULAR_PARTICIPLES, IRREGULAR_PAST, NOT_PAST, words

#: Verbs that the rules recognise in all forms. Other verbs are recognised in the base form only.
_KNOWN: Final = words(
    "live reside dwell work join start move relocate emigrate immigrate transfer use switch migrate "
    "upgrade convert "
    "port change own drive ride keep play practise practice cook bake paint draw study teach manage lead "
    "run maintain "
    "build develop create design make write code program deploy host ship release launch publish found "
    "co-found "
    "cofound learn realise realize discover find figure notice plan intend aim hope want need train "
    "prepare save look "
    "apply try decide marry divorce graduate retire quit leave resign adopt buy sell turn become get raise "
    "grow speak "
    "know prefer like love enjoy adore hate dislike detest loathe despise avoid stand bear tolerate favour "
    "favor suffer "
    "commute volunteer specialise specialize major mentor coach research compose record produce edit "
    "freelance intern "
    "date expect read collect climb visit travel win complete finish earn pass receive lose break diagnose "
    "promote hire "
    "stop give take attend settle renovate refactor rewrite replace automate implement organise organize "
    "drink eat "
    "smoke swim dance sing go do have be come hold serve wear upload vote inherit purchase order rent name "
    "redesign rebuild overhaul modernise modernize revamp extend integrate optimise optimize scale "
    "consolidate redo roll set care "
    "accept belong box breed brew connect consist consume contain coordinate cope cost depend dig digest "
    "dive end expire fancy fly "
    "follow gain handle hunt illustrate interview juggle knit land lean listen measure meet minor offer "
    "open oversee process "
    "prototype provide require restore rotate sail script search see sew sign sit skate ski store "
    "supervise support surf test "
    "track tutor update weigh weld focus concentrate function enrol enroll consider think rely stay target "
    "wake sleep swap trade ditch drop abandon exchange dump transition"
)
_DOUBLING: Final = words(
    "run get stop plan swim quit prefer program ship win travel let set cut sit dig swap drop"
)
_VOWELS: Final = "aeiou"


def _forms(verb: str) -> Iterator[str]:
    if verb in _DOUBLING:
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
    yield third_person(verb)


def third_person(verb: str) -> str:
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
    table = {form: verb for verb in _KNOWN for form in _forms(verb)}
    return {**table, **IRREGULAR_PARTICIPLES, **IRREGULAR_PAST}


_BASE: Final = _table()


def base_form(word: str) -> str:
    """Return the base of a known form, or the word itself."""
    return _BASE.get(word, word)


def is_known(word: str) -> bool:
    """Return whether the word is the base form of a known verb."""
    return word in _KNOWN


def is_past(word: str) -> bool:
    """Return whether the word, as a finite verb, is in the past tense."""
    return word in IRREGULAR_PAST or (word.endswith("ed") and word not in NOT_PAST)


def is_participle(word: str) -> bool:
    """Return whether `have` before the word forms a perfect."""
    return word in IRREGULAR_PARTICIPLES or (
        is_past(word) and word not in {"was", "were", "ate", "went", "mixed"}
    )
