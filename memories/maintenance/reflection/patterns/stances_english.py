"""Stances in English: "The user prefers short answers", "Never works late", "Runs every Monday"."""

from __future__ import annotations

import re
from typing import Final

from memories.maintenance.reflection.patterns.stance import Manner, Stance
from memories.text import is_identifier, list_terms

_VERBS: Final[dict[Manner, str]] = {
    "prefer": r"prefer(?:s|red)?|favou?rs?|opts? for",
    "like": r"likes?|loves?|enjoys?|adores?|is (?:a )?fan of|is fond of",
    "use": r"uses?|works? with|relies on|rely on|codes? in|writes? code in",
    "want": r"wants?|asks? for|asked for|expects?|insists? on|wants? replies",
}
_MANNERS: Final[tuple[Manner, ...]] = ("prefer", "like", "use", "want", "do")
_AGAINST: Final = (
    r"avoids?|dislikes?|hates?|detests?|refuses?|can't stand|cannot stand|is tired of|stopped using|quit"
)
_OFTEN: Final = r"always|usually|often|generally|typically|normally|regularly|mostly|consistently|routinely"
_EVEN: Final = r"really|strongly|definitely|much|also|still|now|just"
_NOT: Final = (
    r"never|rarely|seldom|no longer|does not|doesn't|doesn’t|do not|don't|don’t|did not|didn't|didn’t"
)
_SENTENCE: Final = re.compile(
    rf"^(?P<lead>(?:(?:{_OFTEN}|{_EVEN}|{_NOT})\s)*)"
    r"(?:(?P<prefer>" + _VERBS["prefer"] + r")|(?P<like>" + _VERBS["like"] + r")|(?P<use>" + _VERBS["use"]
    + r")|(?P<want>" + _VERBS["want"] + rf")|(?P<against>{_AGAINST})|(?P<do>[a-z][a-z'’-]+))\s"
    r"(?P<rest>\S.*?)[.!]*$",
    re.IGNORECASE,
)  # fmt: skip
_SUBJECT: Final = re.compile(r"^(?:the user|user|i|we)\s", re.IGNORECASE)
#: A sentence without a subject begins with its verb: "Prefers tabs", "Goes climbing".
_BARE_VERB: Final = re.compile(r"[A-Za-z][a-z'’-]+(?<!s)s$|[A-Za-z]+(?:es|ies)$")
_HABIT: Final = re.compile(rf"\b(?:{_OFTEN})\b", re.IGNORECASE)
_NEGATED: Final = re.compile(rf"\b(?:{_NOT})\b", re.IGNORECASE)

_DAY: Final = r"monday|tuesday|wednesday|thursday|friday|saturday|sunday"
_PART: Final = r"morning|afternoon|evening|night"
_WHEN: Final = re.compile(
    rf"\s?,?\s?\b(?:(?:every|each)\s(?P<unit>(?:{_DAY}|day|week|weekday|weekend|month|year|quarter)"
    rf"(?:\s(?:{_PART}))?|{_PART})|on\s(?P<days>{_DAY}|weekday|weekend)s)\b",
    re.IGNORECASE,
)
#: The end of the thing that is liked, where the circumstances begin.
_END: Final = re.compile(
    r"\s?(?:[,;:—–(]|\b(?:over|instead of|rather than|than|because|since|when|while|if|unless|although|for|in"
    r"|on|at|during|before|after|as|but|so|to|without|whenever|wherever|from|by)\b).*$",
    re.IGNORECASE,
)
_CLAUSE_END: Final = re.compile(
    r"\s?(?:[,;:—–(]|\b(?:instead of|rather than|because|since|when|while|if|unless|although|but|so|whenever)"
    r"\b).*$",
    re.IGNORECASE,
)
#: Words that say how something is done: in which order, or by what means.
_WAY: Final = re.compile(
    r"\b(?:before|after|first|then|without|until|by [a-z]+ing|step by step)\b", re.IGNORECASE
)
#: Verbs of states and of the past, which do not describe a way of working.
_NO_WORK: Final = re.compile(
    r"is|are|was|were|has|have|had|(?:live|work|own|know|stay|belong)s?|went|came|got|\w+ed", re.IGNORECASE
)
#: The circumstances in which it is done, at the end of a sentence: "in Python", "for the Lumen project".
_CONTEXT: Final = re.compile(
    r" (?:in|for|on|at|with|when (?:working|writing|coding|programming)(?: on| in| with)?)"
    r" (?:the |its |their |every )?(?-i:[A-Z])[\w+#.-]*(?: [\w+#.-]+){0,2}$",
    re.IGNORECASE,
)
_ACT_END: Final = re.compile(
    r"\s?(?:[,;:—–(]|\b(?:instead of|rather than|because|since|when|while|if|unless|although|but|so|whenever"
    r"|before|after)\b).*$",
    re.IGNORECASE,
)
_REJECTED: Final = re.compile(r"\b(?:over|instead of|rather than)\s(?P<other>.+)$", re.IGNORECASE)
_ACTING: Final = re.compile(r"(?:to\s[a-z]+|[a-z]+ing)\b", re.IGNORECASE)
_LEADING: Final = re.compile(
    r"^(?:the|a|an|his|her|their|my|our|to|using|having|getting|it)\s", re.IGNORECASE
)
_LIST: Final = re.compile(r"\s?,\s?(?:and\s)?|\sand\s", re.IGNORECASE)
_NAME_FIRST: Final = re.compile(r"(?P<name>\S*[A-Z+#.\d]\S*(?: [A-Z]\S*)*)(?: \S+)+")
_LIGHT: Final = frozenset(["go", "goe", "went", "do", "doe", "have", "ha", "attend", "get", "make", "take"])
_UNSURE: Final = re.compile(
    r"\b(?:might|may|would|could|should|if|maybe|perhaps|probably)\b|\?", re.IGNORECASE
)
_ALONE: Final = re.compile(r"[a-z][a-z'’-]+[.!]?", re.IGNORECASE)
_LONGEST: Final = 8  # terms of a key; a longer one is a story, not a habit


def read_stances(sentence: str, names: frozenset[str]) -> list[Stance]:
    """Return the stances of one sentence; see `stances.find_stances`."""
    if _UNSURE.search(sentence):
        return []
    when = _WHEN.search(sentence)
    statement = _of_owner((_WHEN.sub("", sentence) if when else sentence).strip(), names)
    match = _SENTENCE.match(statement) if statement else None
    if match is None:
        return _kept([_alone(statement, _normal(when))]) if when and _ALONE.fullmatch(statement) else []
    positive = match.group("against") is None and not _NEGATED.search(match.group("lead"))
    manner = _manner(match)
    rest = match.group("rest")
    if when is not None:
        return _kept([_at_a_time(match, rest, _normal(when), positive=positive)])
    if manner == "do":
        habitual = _HABIT.search(match.group("lead")) or not positive
        act = f"{match.group('do')} {rest}"
        found = [_stance(_ACT_END.sub("", act), manner, positive=positive)] if habitual else []
        if positive and _WAY.search(rest) and not _NO_WORK.fullmatch(match.group("do")):
            found.append(_way_of_working(act))
        return _kept(found)
    rejected = _REJECTED.search(rest)
    found = [_stance(part, manner, positive=positive) for part in _parts(rest)]
    if rejected and positive:
        found += [_stance(part, manner, positive=False) for part in _parts(rejected.group("other"))]
    return _kept(found)


def _manner(match: re.Match[str]) -> Manner:
    return next((manner for manner in _MANNERS if match.group(manner)), "like")


def _of_owner(sentence: str, names: frozenset[str]) -> str:
    """Return a sentence about its owner without the subject; empty if it is about anybody else."""
    subject = _SUBJECT.match(sentence)
    if subject:
        return sentence[subject.end() :]
    for name in names:
        if sentence.lower().startswith(f"{name} "):
            return sentence[len(name) + 1 :]
    match = _SENTENCE.match(sentence)
    if match is None:
        return ""
    first = sentence.split(maxsplit=1)[0]
    is_statement = match.group("do") is None or match.group("lead") or _BARE_VERB.fullmatch(first)
    return sentence if is_statement else ""


def _normal(when: re.Match[str]) -> str:
    return f"every {(when.group('unit') or when.group('days')).lower()}"


def _parts(rest: str) -> list[str]:
    """Return the things that a verb is about. An activity keeps its circumstances, which define it."""
    if _ACTING.match(rest):
        return [_CLAUSE_END.sub("", rest)]
    return _LIST.split(_END.sub("", rest))


def _stance(part: str, manner: Manner, *, positive: bool) -> Stance:
    wording = part.strip().rstrip(".")
    while (shorter := _LEADING.sub("", wording)) != wording:
        wording = shorter
    named = _NAME_FIRST.fullmatch(wording)
    general = named.group("name") if named else ""
    if general and not (general[0].isupper() or is_identifier(general)):
        general = ""
    return Stance(
        key=tuple(list_terms(wording)),
        wording=wording,
        manner=manner,
        positive=positive,
        general=tuple(list_terms(general)),
        general_wording=general,
    )


def _way_of_working(clause: str) -> Stance:
    """Return how something is done, wherever it is done: "writes tests before code", of "… in Python"."""
    return _stance(_CONTEXT.sub("", _CLAUSE_END.sub("", clause)), "do", positive=True)


def _at_a_time(match: re.Match[str], rest: str, when: str, *, positive: bool) -> Stance:
    verb = next(match.group(name) for name in (*_MANNERS, "against") if match.group(name))
    clause = _CLAUSE_END.sub("", f"{verb} {rest}").strip(" .")
    key = tuple(term for term in list_terms(clause) if term not in _LIGHT)
    return Stance(key=key, wording=clause, manner="do", positive=positive, when=when)


def _alone(verb: str, when: str) -> Stance:
    """Return the stance of a lone verb with a time: "runs every Monday"."""
    wording = verb.strip(" .")
    return Stance(key=tuple(list_terms(wording)), wording=wording, manner="do", when=when)


def _kept(found: list[Stance]) -> list[Stance]:
    return [stance for stance in found if 0 < len(stance.key) <= _LONGEST]
