"""Parse the predicate of an English clause: tense, negation, verb and complement."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from memories.extraction.english.grammar import lexicon
from memories.extraction.english.grammar.inflection import (
    get_base_form,
    is_listed_form,
    is_participle,
    is_past,
)


class Tense(StrEnum):
    """Tense of a clause. The forms of `be` are separate from those of other verbs."""

    PRESENT = "present"
    PAST = "past"
    PROGRESSIVE = "progressive"
    PERFECT = "perfect"
    PERFECT_PROGRESSIVE = "perfect_progressive"
    BE = "be"
    WAS = "was"
    BEEN = "been"
    CAN = "can"
    WOULD = "would"
    FUTURE = "future"
    USED_TO = "used_to"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Predicate:
    """The words after a subject.

    Attributes:
        finite: Position of the word that agrees with the subject.
        verb: Base form of the main verb; `be` for states.
        complement: The text after the verb, as written.
    """

    words: tuple[str, ...]
    finite: int
    tense: Tense
    negated: bool
    adverbs: frozenset[str]
    verb: str
    complement: str

    @property
    def hedged(self) -> bool:
        """Whether an adverb makes the clause a guess."""
        return not self.adverbs.isdisjoint(lexicon.HEDGES)

    @property
    def habitual(self) -> bool:
        """Whether an adverb says that it happens repeatedly."""
        return not self.adverbs.isdisjoint(lexicon.FREQUENCY)


_LONGEST_BARE: Final = max(map(len, lexicon.BARE_CONTRACTIONS))
_EDGES: Final = ",;:.!?()"
_MODALS: Final = {
    "can": Tense.CAN,
    "could": Tense.OTHER,
    "would": Tense.WOULD,
    "will": Tense.FUTURE,
    "shall": Tense.FUTURE,
}


def strip_word(word: str) -> str:
    """Return a word in lower case and without punctuation at its edges, as in the word lists."""
    return word.strip(_EDGES).lower()


def normalise_clause(text: str) -> str:
    """Spell contractions as in the lists, capitalise `I`, and use single spaces; the rest stays."""
    words = [
        lexicon.BARE_CONTRACTIONS.get(word.lower(), word) if len(word) <= _LONGEST_BARE else word
        for word in text.split()
    ]
    return re.sub(r"\bi(?=$|[\s'])", "I", " ".join(words))


def read_predicate(words: tuple[str, ...]) -> Predicate | None:
    """Parse the words after a subject. Return None if they contain no verb."""
    chain: list[str] = []
    adverbs: set[str] = set()
    negated = False
    finite = -1
    place = 0
    while place < len(words):
        word = strip_word(words[place])
        following = strip_word(words[place + 1]) if place + 1 < len(words) else ""
        if (word, following) in {("no", "longer"), ("kind", "of"), ("sort", "of")}:
            negated = negated or word == "no"
            place += 1
        elif word in lexicon.ADVERBS or word in lexicon.HEDGES:
            adverbs.add(word)
            negated = negated or word == "never"
        elif word == "not":
            negated = True
        elif word in lexicon.NEGATIVES or word in lexicon.BE | lexicon.HAVE | lexicon.DO | lexicon.MODALS:
            negated = negated or word in lexicon.NEGATIVES
            chain.append(lexicon.NEGATIVES.get(word, word))
            finite = place if finite < 0 else finite
        else:
            break
        place += 1
    return _assemble(words, place, chain, finite, negated=negated, adverbs=frozenset(adverbs))


def _assemble(
    words: tuple[str, ...],
    place: int,
    chain: list[str],
    finite: int,
    *,
    negated: bool,
    adverbs: frozenset[str],
) -> Predicate | None:
    word = strip_word(words[place]) if place < len(words) else ""
    if not chain and not word:
        return None
    tense, verb, skipped = _tense(chain, word, strip_word(words[place + 1]) if place + 1 < len(words) else "")
    start = place + skipped
    if not verb and tense in {Tense.USED_TO, Tense.FUTURE}:
        verb, start = (get_base_form(strip_word(words[start])) if start < len(words) else ""), start + 1
    complement = " ".join(words[start:])
    return Predicate(words, max(finite, 0) if chain else place, tense, negated, adverbs, verb, complement)


def _tense(chain: list[str], word: str, following: str) -> tuple[Tense, str, int]:
    """Return tense, main verb and the number of words that they take.

    An empty verb means that the verb follows these words.
    """
    if not chain:
        if (word, following) == ("used", "to"):
            return Tense.USED_TO, "", 2
        return (Tense.PAST if is_past(word) else Tense.PRESENT), get_base_form(word), 1
    if chain[-1] in lexicon.BE:
        return _tense_of_be(chain, word, following)
    if chain[-1] in lexicon.HAVE:
        return _tense_of_have(chain, word, following)
    if chain[-1] in lexicon.DO:
        return _tense_of_do(chain, word)
    return _MODALS.get(chain[-1], Tense.OTHER), word, 1


def _tense_of_do(chain: list[str], word: str) -> tuple[Tense, str, int]:
    if chain[0] in lexicon.MODALS:
        return _MODALS.get(chain[0], Tense.OTHER), "do", 0
    # "I do yoga" versus "I do like it".
    if len(chain) == 1 and not is_listed_form(word) and (word in {"a", "my", "the"} or chain[0] != "did"):
        return Tense.PRESENT, "do", 0
    return (Tense.PAST if chain[-1] == "did" else Tense.PRESENT), word, 1


def _tense_of_be(chain: list[str], word: str, following: str) -> tuple[Tense, str, int]:
    modal = chain[0] in lexicon.MODALS
    perfect = chain[0] in lexicon.HAVE
    if word == "going" and following == "to" and not perfect and not modal:
        return Tense.FUTURE, "", 2
    if word == "gonna":
        return Tense.FUTURE, "", 1
    state = Tense.BEEN if perfect else Tense.WAS if chain[-1] in {"was", "were"} else Tense.BE
    if modal:
        return _MODALS.get(chain[0], Tense.OTHER), "be", 0
    if word.endswith("ing") and word not in lexicon.NOT_PROGRESSIVE and state is not Tense.WAS:
        return (Tense.PERFECT_PROGRESSIVE if perfect else Tense.PROGRESSIVE), get_base_form(word), 1
    return state, "be", 0


def _tense_of_have(chain: list[str], word: str, following: str) -> tuple[Tense, str, int]:
    if chain[0] in lexicon.MODALS:
        return _MODALS.get(chain[0], Tense.OTHER), "have", 0
    if chain[0] == "had":
        return (Tense.OTHER, "", 0) if is_participle(word) and following else (Tense.PAST, "have", 0)
    if word == "got":
        return (Tense.OTHER, "", 0) if following == "to" else (Tense.PRESENT, "have", 1)
    if word != "to" and is_participle(word):
        return Tense.PERFECT, get_base_form(word), 1
    return Tense.PRESENT, "need" if word == "to" else "have", 0
