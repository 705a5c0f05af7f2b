"""Render an English clause in the third person: "I like my tea sweet" → "The user likes their tea sweet."

Only the subject, the verb that agrees with it and first-person pronouns change; names, numbers and negations
stay. Clauses that cannot be rendered safely are quoted.
"""

from __future__ import annotations

import re
from typing import Final

from memories.extraction.english.grammar import (
    Predicate,
    Subject,
    SubjectKind,
    Tense,
    inflect_third_person,
    is_past,
    strip_word,
    words,
)
from memories.extraction.prose import strip_marks

_SWAPS: Final = {
    "i'm": "they're", "i've": "they've", "i'd": "they'd", "i'll": "they'll", "i": "they", "me": "them",
    "my": "their",
    "mine": "theirs", "myself": "themselves", "we're": "they're", "we've": "they've", "we'd": "they'd",
    "we'll": "they'll", "we": "they", "us": "them", "our": "their", "ours": "theirs",
    "ourselves": "themselves",
}  # fmt: skip
_FIRST_PERSON = re.compile(
    r"\b(?:I'm|I've|I'd|I'll|we're|we've|we'd|we'll|myself|ourselves|mine|ours|I am|I was|me|my|our|us|we"
    r"|I)\b(?!')",
    re.IGNORECASE,
)
_UPPER_US = re.compile(r"\bUS\b")
_NEVER_AGREE: Final = words(
    "can can't cannot could couldn't will won't would wouldn't shall should must had did didn't"
)
_HOUSEHOLD: Final = words(
    "live have own adopt marry move rent buy eat drink speak name raise travel "
    "prefer like love enjoy hate go celebrate grow come"
    " spend cook take avoid drive get want plan hope keep get sell be"
)


_CHATTER: Final = words("lol btw tho though too thanks please ok okay xd haha hahaha :) :( :d ;) :p :-) :-(")
_BY_THE_WAY: Final = ", by the way"


def tidy(text: str) -> str:
    """Remove trailing marks, emoji and laughter."""
    trimmed = strip_marks(text)
    while True:
        head, _, last = trimmed.rpartition(" ")
        if head and last.lower() in _CHATTER:
            trimmed = strip_marks(head)
        elif trimmed.lower().endswith(_BY_THE_WAY):
            trimmed = strip_marks(trimmed[: -len(_BY_THE_WAY)])
        else:
            return trimmed


def swap_persons(text: str) -> str:
    """Replace first-person pronouns inside a clause with the singular they."""

    def swapped(match: re.Match[str]) -> str:
        matched = match.group()
        if _UPPER_US.fullmatch(matched):
            return matched
        lowered = matched.lower()
        return {"i am": "they are", "i was": "they were"}.get(lowered) or _SWAPS[lowered]

    return _FIRST_PERSON.sub(swapped, text)


def sentence(text: str) -> str:
    """Return the text as a sentence, with a capital letter and a full stop."""
    trimmed = tidy(text)
    return f"{trimmed[:1].upper()}{trimmed[1:]}." if trimmed else ""


def quote_text(text: str, verb: str = "said") -> str:
    """Quote what the user said, as a sentence about the user."""
    return f'The user {verb}: "{tidy(text)}."'


def retell(subject: Subject, predicate: Predicate, prefix: str = "") -> str:
    """Render a clause in the third person.

    Args:
        subject: Subject of the clause.
        predicate: Predicate of the clause.
        prefix: Adverbial before the subject.
    """
    words = list(predicate.words)
    if subject.kind in {SubjectKind.SELF, SubjectKind.GROUP}:
        words[predicate.finite] = _agreeing(words[predicate.finite])
    rendered = f"{_named(subject, predicate)} {swap_persons(' '.join(words))}"
    return sentence(f"{swap_persons(prefix)}, {rendered}" if prefix else rendered)


def may_be_retold(subject: Subject, predicate: Predicate) -> bool:
    """Return whether the rendered clause is sure to be grammatical and to mean the same."""
    if subject.kind is SubjectKind.GROUP and predicate.tense in {Tense.BE, Tense.BEEN, Tense.WAS}:
        return re.match(r"(?:an?|the)\s", predicate.complement) is None
    return bool(predicate.words) and predicate.finite < len(predicate.words)


def _agreeing(word: str) -> str:
    lowered = strip_word(word)
    if lowered in _NEVER_AGREE or (is_past(lowered) and lowered != "were") or lowered in {"was", "wasn't"}:
        return word
    if lowered in {"aren't", "ain't"}:
        return "isn't"
    return inflect_third_person(word)


def _named(subject: Subject, predicate: Predicate) -> str:
    match subject.kind:
        case SubjectKind.SELF:
            return "the user"
        case SubjectKind.GROUP:
            return "the user" if predicate.verb in _HOUSEHOLD else "the user's team"
        case SubjectKind.COUPLE:
            return f"the user and {re.sub(r'^(?:my|our)', 'their', subject.wording, flags=re.IGNORECASE)}"
        case _:
            return re.sub(r"^(?:my|our)\b", "the user's", subject.wording, flags=re.IGNORECASE)
