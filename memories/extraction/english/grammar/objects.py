"""The object of an English complement: its head phrase, unless it only refers to the conversation."""

from __future__ import annotations

import re
from typing import Final

_DEICTIC = re.compile(
    r"(?:about |to |with |for |at |on |in )?(?:it|this|that|these|those|them|him|his|her|their|you|your|us"
    r"|one|ones|there|here|so much"
    r"|(?:the|all|both) (?:idea|way you|answer|suggestions?|options?|(?:first|second|third|last|other"
    r"|next)(?= (?:one|option|suggestion|idea|answer|version|part|paragraph|approach|way|draft|example"
    r"|point)|$|\W*$)|latter|former|new one|one|ones"
    r"|response|result|output|explanation|sound of (?:that|this)|look of|above|following|same|way (?:this"
    r"|that|it|you))"
    r"|how|when|where|everything|nothing|anything|something|all of|both|some|any|what you|the fact that you"
    r"|talking to you"
    r"|a lot of things|to think\b|not to (?:say|answer|tell|share)|doing (?:this|that)|being (?:here"
    r"|able))\b(?! (?:i |my |the (?:user|team)))",
    re.IGNORECASE,
)
_STOPS = re.compile(
    r",(?!\s?\d)|[;:()–—]|\s-+\s|\s+(?:because|since|but|so that|so|which|who|where|when|while|although"
    r"|though|if|unless|until"
    r"|these days|nowadays|right now|at the moment|as well|any ?more|instead|lately|recently|currently"
    r"|already|originally|yesterday|today|tomorrow|every \w+|each \w+|(?:once|twice|\w+ times) an?"
    r"|(?:last|this|next) (?:week|month|year|weekend|spring|summer|autumn|fall|winter|monday|tuesday"
    r"|wednesday|thursday|friday|saturday|sunday|january|february|march|april|may|june|july|august"
    r"|september|october|november|december)"
    r"|in (?:\d{4}|january|february|march|april|may|june|july|august|september|october|november|december)"
    r"|(?:\d+|a few|a couple of|two|three|four|five|six|ten) (?:days|weeks|months|years) ago|a (?:week"
    r"|month|year) ago)\b",
    re.IGNORECASE,
)
_PLACE_STOPS = re.compile(
    r"\s+(?:with|and my|and we|and I|for|near|by|alone|last|this|next|in \d+|in (?:january|february|march"
    r"|april|may|june|july|august"
    r"|september|october|november|december)|in an?|on|from|\w+ (?:years?|months?|weeks?|days?) ago|a (?:few"
    r"|couple)|two|three|yesterday"
    r"|together|permanently|full[- ]time|part[- ]time|as|after|before|to|at|now|back in|during|about|around"
    r"|temporarily|years ago)\b",
    re.IGNORECASE,
)
_ROLE_STOPS = re.compile(
    r"\s+(?:as|in|on|for|since|full[- ]time|part[- ]time|remotely|now|and|last|this"
    r"|next|two|three|yesterday|about|\w+ years ago)\b",
    re.IGNORECASE,
)
_PURPOSE_STOPS = re.compile(
    r"\s+(?:to|for|on|at|in|by|with|as|after|before|instead|during|over|from)\b", re.IGNORECASE
)
_TAIL = re.compile(
    r"\s+(?:now|too|also|a lot|very much|so much|the most|most|lol|instead|in my free time"
    r"|at all|though|again|still)$",
    re.IGNORECASE,
)
_ARTICLE = re.compile(r"(?:the|a|an)\s+(?=[a-z])")

_PLACES: Final = frozenset({"lives_in", "lived_in", "born_in", "comes_from", "grew_up_in"})
_EMPLOYERS: Final = frozenset({"works_at", "worked_at", "studies", "works_in"})
_TOOLS: Final = frozenset({"uses", "consumes", "avoids", "learning"})
_WITHOUT_ARTICLE: Final = frozenset({"works_as", "is_a"})
#: Characters. A longer object is not a name; the triple is then left out.
LONGEST_OBJECT: Final = 120


_POINTING = re.compile(
    r"\b(?:it|them|him|her|this|that|these|those|you|yours)"
    r"(?:\s+(?:yet|too|again|more|now|a lot|so much|very much|any ?more|much|all|on|off|up|out|there|here"
    r"|every day|often|sometimes|to others))*\W*$"
    r"|\b(?:of|on|to|in|with|into|at|for|about|from|like|by) (?:it|this|that|these|those|them|him|her"
    r"|you)\b(?! (?:I|we|is|are|was)\b)",
    re.IGNORECASE,
)


def is_deictic(text: str) -> bool:
    """Return whether a complement only refers to the conversation ("it", "the taste of these")."""
    return bool(_DEICTIC.match(text) or _POINTING.search(_before(_STOPS, text)))


def find_head_phrase(text: str, predicate: str) -> str:
    """Return the part of a complement that names the object; empty if it exceeds 120 characters."""
    phrase = _before(_STOPS, text)
    if predicate in _PLACES:
        phrase = _before(_PLACE_STOPS, phrase)
    if predicate in _EMPLOYERS:
        phrase = _before(_ROLE_STOPS, phrase)
    if predicate in _TOOLS:
        phrase = _before(_PURPOSE_STOPS, phrase)
    if predicate in _WITHOUT_ARTICLE:
        phrase = _ARTICLE.sub("", phrase, count=1)
    phrase = _TAIL.sub("", phrase.strip()).strip(" .!?")
    return phrase if len(phrase) <= LONGEST_OBJECT else ""


def _before(pattern: re.Pattern[str], text: str) -> str:
    stop = pattern.search(text)
    return text[: stop.start()] if stop and stop.start() > 0 else text
