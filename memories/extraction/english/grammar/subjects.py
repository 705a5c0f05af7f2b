"""The subject of an English clause: the user, their group, or a person or thing of theirs."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from memories.extraction.english.grammar import lexicon
from memories.extraction.english.grammar.grammar import strip_word


class SubjectKind(StrEnum):
    """Whom or what a statement is about."""

    SELF = "self"
    GROUP = "group"
    COUPLE = "couple"
    PERSON = "person"
    THING = "thing"


@dataclass(frozen=True, slots=True)
class Subject:
    """The subject of a clause.

    Attributes:
        wording: The subject as written, without a contracted verb.
        noun: Its head noun ("sister").
        name: Name of the person.
    """

    kind: SubjectKind
    wording: str
    noun: str = ""
    name: str = ""


# Capitals must stay capitals even inside a pattern that ignores case.
NAME: Final = (
    r"(?-i:[A-ZÀ-ÖØ-Þ])[\w'.-]*(?:\s+(?:(?-i:[A-ZÀ-ÖØ-Þ])[\w'.-]*|(?:de|van|von|da|di|bin"
    r"|al)(?=\s+(?-i:[A-ZÀ-ÖØ-Þ])))){0,4}"
)
_CONTRACTED = re.compile(r"(I|we)'(m|ve|re|ll|d)\b", re.IGNORECASE)
_EXPANDED: Final = {"m": "am", "ve": "have", "re": "are", "ll": "will", "d": "'d"}
_COUPLE = re.compile(
    rf"((?:my|our) (?:[\w-]+ )?[\w-]+(?: {NAME})?|{NAME}) and I\b"
    r"|me and (?P<after>my [\w-]+)\b",
    re.IGNORECASE,
)
_POSSESSED = re.compile(r"(?:my|our)\s+(?=\S)", re.IGNORECASE)
_KIN = re.compile(
    rf"(?:(?:[\w-]+\s+){{0,2}}?)(?P<noun>{lexicon.PEOPLE}|{lexicon.PETS})\b(?:'s)?(?!'s\s+\w+\s+(?:is|are))",
    re.IGNORECASE,
)
#: "My other brother" and "my brother" are two people.
_WHICH = re.compile(
    r"(?:[\w-]+\s+)?(?P<which>other|second|third|older|elder|eldest|oldest|younger|youngest|middle|big|little|twin)"
    r"\s+$",
    re.IGNORECASE,
)
_AFTER_KIN = re.compile(rf"[\s,(]+(?P<name>{NAME})[,)]?(?=\s|$)")
# "My daughter Lily, who is five, loves …"
_ASIDE = re.compile(
    r"(?:my|our) (?P<who>[\w' -]{2,40}), (?:who|which|whom) [^,]{2,80},\s+(?=\w)", re.IGNORECASE
)
_LONGEST: Final = 9
_LONGEST_POSSESSOR: Final = 4


def read_subject(text: str) -> tuple[Subject, tuple[str, ...]] | None:
    """Return the subject at the start of a clause, and the words after it.

    Returns:
        None if the clause is not about the user, their group, or a person or thing of theirs.
    """
    couple = _COUPLE.match(text)
    if couple:
        partner = couple.group(1) or couple.group("after")
        return Subject(SubjectKind.COUPLE, partner, noun=partner.split()[-1]), tuple(
            text[couple.end() :].split()
        )
    words = text.split()
    if not words:
        return None
    return _pronoun(words) or _possessed(text, words) or _project_thing(words)


def _pronoun(words: list[str]) -> tuple[Subject, tuple[str, ...]] | None:
    first = words[0].rstrip(",")
    contracted = _CONTRACTED.fullmatch(first)
    pronoun = contracted.group(1) if contracted else first
    if pronoun not in {"I", "We", "we"}:
        return None
    rest = list(words[1:])
    if contracted:
        verb = _EXPANDED[contracted.group(2).lower()]
        rest.insert(0, _spelt_out(verb, rest))
    about = SubjectKind.SELF if pronoun == "I" else SubjectKind.GROUP
    return Subject(about, pronoun), tuple(rest)


def _spelt_out(verb: str, rest: list[str]) -> str:
    if verb != "'d":
        return verb
    following = next(
        (
            strip_word(word)
            for word in rest
            if strip_word(word) not in lexicon.ADVERBS or strip_word(word) == "rather"
        ),
        "",
    )
    return "had" if following in {"been", "better"} else "would"


def _possessed(text: str, words: list[str]) -> tuple[Subject, tuple[str, ...]] | None:
    if not _POSSESSED.match(text):
        return None
    aside = _ASIDE.match(text)
    skipped = len(text[: aside.end()].split()) if aside else 0
    verb = skipped or _verb_place(words)
    if verb is None or verb >= len(words):
        return None
    subject_words = words[:verb]
    rest = words[verb:]
    if (
        subject_words[-1].endswith("'s")
        and rest
        and strip_word(rest[0]) not in lexicon.FINITE_VERBS - lexicon.ADVERBS
    ):
        subject_words, rest = [*subject_words[:-1], subject_words[-1][:-2]], ["is", *rest]
    phrase = " ".join(subject_words[1:])
    if aside:
        phrase = aside.group("who")
    return _own(" ".join(subject_words), phrase), tuple(rest)


def _own(wording: str, phrase: str) -> Subject:
    kin = _KIN.match(phrase)
    if kin:
        named = _AFTER_KIN.match(phrase, kin.end())
        end = named.end() if named else kin.end()
        if end >= len(phrase.rstrip(", ")):
            return Subject(
                SubjectKind.PERSON,
                wording,
                noun=_which(phrase[: kin.start("noun")]) + kin.group("noun").lower(),
                name=named.group("name") if named else "",
            )
    return Subject(SubjectKind.THING, wording, noun=phrase.partition(",")[0].lower())


def _which(before: str) -> str:
    """Return the word that distinguishes one relative from another, with a blank, or an empty string."""
    found = _WHICH.fullmatch(before)
    return f"{found.group('which').lower()} " if found else ""


def _verb_place(words: list[str]) -> int | None:
    """Return the start of the predicate: a listed verb, or the word after a contracted `is`."""
    for place in range(2, min(len(words), _LONGEST)):
        if strip_word(words[place]) in lexicon.FINITE_VERBS:
            return place
        possessed = words[place - 1].endswith("'s") and place <= _LONGEST_POSSESSOR
        if possessed and _takes_is(words[place], words[place + 1 : place + 4]):
            return place
    return None


def _takes_is(word: str, following: list[str]) -> bool:
    """Return whether `'s` before the word is a verb: "my sister's a nurse" versus "my dog's name is"."""
    return strip_word(word) in {"a", "an", "the", "called", "named", "not", "from", "in", "at"} or not any(
        strip_word(later) in lexicon.FINITE_VERBS for later in following
    )


def _project_thing(words: list[str]) -> tuple[Subject, tuple[str, ...]] | None:
    """Read "the project …" or "the staging server …": a thing the user works on, without "our"."""
    if strip_word(words[0]) != "the":
        return None
    verb = _verb_place(words)
    nouns = {strip_word(word).removesuffix("'s") for word in words[1:verb]} if verb else set()
    if verb is None or nouns.isdisjoint(lexicon.PROJECT_THINGS):
        return None
    phrase = " ".join(words[:verb])
    return Subject(SubjectKind.THING, phrase, noun=phrase[4:].lower()), tuple(words[verb:])
