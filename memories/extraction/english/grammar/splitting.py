"""Split an English sentence into clauses, repeating the subject if a second verb shares it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from memories.extraction.english.grammar.leads import strip_lead
from memories.extraction.english.grammar.subjects import Subject, SubjectKind, read_subject

_FINITE: Final = (
    r"(?:is|are|was|were|has|have|had|does|doesn't|can|can't|will|won't|lives?|works?|uses?|runs?|loves?"
    r"|likes?|hates?"
    r"|prefers?|plays?|studies|speaks?|teaches|makes|sells|owns?|needs|goes|moved|joined|got|started|died"
    r"|bought|became"
    r"|never|always|just)\b"
)
_PRONOUN: Final = r"(?:I|we|he|she|they|it|you|there)(?:'[a-z]+)?\b"
_POSSESSED: Final = (
    rf"(?:(?:my|our|his|her|their)\s+(?:[\w'-]+\s+){{1,5}}?{_FINITE}|(?:my|our)\s+[\w-]+(?:\s[\w-]+)?'s\s"
    r"|the (?:[\w'-]+ ){1,3}(?:is|are|runs?|uses?)\b)"
)
_ASKING: Final = (
    r"(?:what|how|why|where|who|which|(?:can|could|should|would|will|do|did) (?:you|I|we|it|they)|does|am I"
    r"|(?:is|are) (?:it|there|that|this|they|you)|any|have you|when (?:do|should|is))\b"
)
_ORDER: Final = (
    r"(?:please|pls|(?:just |you can )?call me\s|suggest|recommend|help me|give me|tell me|show me|write"
    r"|find|explain|make sure|let me know|let's"
    r"|remember|don't forget|keep in mind|note that|thanks|thank you|correction|actually|sorry)\b"
)
_VERB: Final = (
    r"(?:(?:also|now|just|currently|really|still|usually|always|never|often|recently|sometimes|mostly)\s+)*"
    r"(?:am|have|haven't|had|has|was|don't|doesn't|can't|cannot|lives?|work(?:s|ed)?|loves?|hates?|prefers?"
    r"|likes?(?! (?:I|you|he|she|we|they|a|an|the|this|that|it)\b)|uses?"
    r"|used to|owns?|speaks?|drives?|plays?|study|studies|studied|teach|teaches|moved|grew up|joined"
    r"|started|bought"
    r"|deploy|enjoys?|dislikes?|collects?|eats?|drinks?|manages?|leads?|runs?|want to|plan to|hope to"
    r"|graduated|got|is"
    r"|(?:(?:usually|always|often|sometimes|mostly|generally|typically)\s+(?:write|read|cook|bake|walk|swim|cycle|commute"
    r"|wake|sleep|listen|watch|wear|take|go|make|sing|travel|train|shop|order|ride|draw|paint|knit|sew|brew|grow))"
    r"|switched|migrated|avoid|detest|adopted|code|hosts?|never(?!\s+(?:on|in|at|after|before|during|with|without"
    r"|for|to|by|from|more|less|again|when|if|as)\b)|need)\s+\S"
)
_BREAK = re.compile(
    rf"\s*(?:[,–—]|\s-+\s|\.{{3}}|…)\s*(?:(?:and|but|so|yet|plus|then|(?:even )?though|although|while"
    r"|whereas|however)\s+)?"
    rf"(?=(?:{_PRONOUN}|{_POSSESSED}|{_ASKING}|{_ORDER}))"
    rf"|\s+(?P<joint>and|but|so|yet|plus|while|whereas|(?:even )?though|although)\s+(?=(?:{_PRONOUN}"
    rf"|{_POSSESSED}))"
    r"|\s+(?=(?:what|where|how|which|who) (?:can|should|could|shall) (?:I|we)\b)"
    rf"|(?P<shared>\s*,\s*(?:and|but|so)?\s*|\s+(?:and|but)\s+)(?={_VERB})",
    re.IGNORECASE,
)
_BUT = re.compile(r"\b(?:but|however|yet|whereas)\b", re.IGNORECASE)
_BASE_VERB = re.compile(
    r"(?:live|work|love|hate|prefer|like|use|own|speak|drive|play|study|teach|run|eat|drink|code|deploy"
    r"|manage|lead"
    r"|collect|avoid|enjoy|need|have|host)\b",
    re.IGNORECASE,
)
# The text before "and I" in "my wife and I".
_NOUN_PHRASE = re.compile(r"(?i:my|our|the) (?:[\w-]+ ){0,2}[\w-]+|[A-Z]\w+|me")
_INFINITIVE = re.compile(r"\b(?:to|can|will|would|could|gonna|let|help|make)\s+\w+", re.IGNORECASE)
_INTRODUCES = re.compile(r"(?:I am|I'm|my name is|my name's)\s+(?!\w+ing\s)[^,]+", re.IGNORECASE)
_APPOSED = re.compile(
    r",\s+(?:and\s+)?(?=(?:an?\s|\d{1,3}(?:\s?(?:years?|yrs?|yo|y/o)\b|\s*$|,)|(?:originally )?from\s"
    r"|based\s|living\s"
    r"|working\s|allergic\s|married\s|currently\s|born\s))",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Piece:
    """The text of a clause.

    Attributes:
        contrast: Whether a "but" separates it from the clause before.
        closed: Whether a comma or dash separates it from the clause before.
    """

    text: str
    contrast: bool = False
    closed: bool = False


def split_english(sentence: str) -> list[Piece]:
    """Return the clauses of one sentence, in order. Only joining words are lost."""
    pieces: list[Piece] = []
    start = 0
    contrast = closed = False
    inherited = ""
    for found in _BREAK.finditer(sentence):
        text = sentence[start : found.start()].strip()
        subject = _subject(inherited + text)
        if not text or not _may_part(text, subject, found, sentence):
            continue
        pieces.append(Piece(inherited + text, contrast, closed))
        inherited = f"{subject.wording} " if found.group("shared") and subject else ""
        start, contrast, closed = found.end(), bool(_BUT.search(found.group())), not found.group("joint")
    pieces.append(Piece(inherited + sentence[start:].strip(), contrast, closed))
    return [part for piece in pieces for part in _apposed(piece)]


def _subject(text: str) -> Subject | None:
    read = read_subject(strip_lead(text).text)
    return read[0] if read else None


def _may_part(text: str, subject: Subject | None, found: re.Match[str], sentence: str) -> bool:
    if found.group("joint") and subject is None and _NOUN_PHRASE.fullmatch(strip_lead(text).text):
        return False
    if not found.group("shared"):
        return True
    if re.search(r", (?:who|which|whom)\b[^,]*$", text):
        return False
    if subject is None or (
        subject.kind is SubjectKind.THING and "," in text[:30] and " " not in text.partition(",")[0][4:]
    ):
        return False
    if sentence.startswith(("like ", "likes "), found.end()) and not re.search(r"and|but", found.group()):
        return False
    return not (_BASE_VERB.match(sentence, found.end()) and _INFINITIVE.search(text))


def _apposed(piece: Piece) -> list[Piece]:
    """Split appositions: "I'm Sam, a nurse from Leeds" makes two statements about one person."""
    opening = strip_lead(piece.text).text
    introduced = _INTRODUCES.match(opening)
    if not introduced or "," not in opening:
        return [piece]
    first, *others = _APPOSED.split(opening)
    if introduced.end() < len(first):
        return [piece]
    head = piece.text[: len(piece.text) - len(opening)] + first
    return [
        Piece(head, piece.contrast, piece.closed),
        *(Piece(f"I'm {other.rstrip(', ')}", closed=True) for other in others),
    ]
