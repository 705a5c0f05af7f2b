"""Find the goals of users, as opposed to their requests to the assistant."""

from __future__ import annotations

import re
from typing import Final

from memories.extraction.english.grammar import Predicate, Tense, is_deictic, lexicon
from memories.extraction.prose import ExtractedStatement
from memories.text import MONTH_NAMES, SEASONS, match_any
from memories.values import Kind

_FIRM: Final = frozenset({"plan", "intend", "aim", "decide", "resolve", "dream", "aspire", "commit"})
_WISHED: Final = frozenset({"want", "hope", "need", "like", "love", "wish", "expect"})
_MONTHS: Final = match_any((*MONTH_NAMES, *SEASONS))
_DEADLINE = re.compile(
    rf"\b(?:by|before|until|within) (?:the |my |next |this |end |\d|{_MONTHS}|christmas|new year|monday"
    r"|tuesday|wednesday|thursday|friday"
    rf"|a |\w+ (?:months?|years?|weeks?))|\b(?:this|next) (?:year|month|{_MONTHS}|decade|semester"
    rf"|quarter)\b|\bin (?:20\d\d|{_MONTHS})\b"
    r"|\b(?:someday|one day|some day|eventually|in the (?:next|coming) \w+ ?(?:years?|months?)?"
    r"|in \w+ (?:years|months)|before I turn|when I turn)\b",
    re.IGNORECASE,
)
_LIFE = re.compile(
    r"(?:to |I can |I'll |I get to )?(?:really |finally |eventually |also |one day "
    rf"|someday |actually |just )*(?:{lexicon.GOAL_VERBS})\b",
    re.IGNORECASE,
)
_ASKING = re.compile(
    r"(?:to )?(?:know|ask|understand|see (?:how|if|what|why|the (?:code|output))|check|make sure|thank"
    r"|share|talk|discuss|point out|clarify"
    r"|mention|say|tell|hear|apologi[sz]e|confirm|be (?:sure|able to (?:see|use|run|call|access|get|print))"
    r"|use (?:this|that|it|your|the)|do (?:this|that|it)"
    r"|try (?:this|that|it|your)|go (?:to (?:bed|sleep|the (?:store|shop|bathroom|toilet))|now|home|out)"
    r"|you\b|get (?:this|that|it|the|back)|build (?:it|this|that)"
    r"|run (?:it|this|the (?:code|script|test|command|program|app|query|server))|start (?:it|this|by|with"
    r"|the (?:server|app))|stop (?:it|this|the)"
    r"|save (?:it|this|the (?:file|data|output|model))|submit (?:it|this)|finish (?:this|it)|be honest"
    r"|be clear|cry|die|scream|sleep|eat|take a (?:break|nap|look|shower))\b",
    re.IGNORECASE,
)
_POINTED = re.compile(
    r"\b(?:this|that|these|those|your) (?!year|month|week|spring|summer|autumn|fall"
    r"|winter|weekend)\w+",
    re.IGNORECASE,
)
_INFINITIVE = re.compile(r"(?:on |for |of )?(?:to |\w+ing\b|an? |my |the )", re.IGNORECASE)


def find_goal(predicate: Predicate) -> ExtractedStatement | None:
    """Return a goal, plan or intention of the user, or None for a request to the assistant."""
    if predicate.negated:
        return None
    complement = predicate.complement
    if predicate.verb in _FIRM and predicate.tense in {
        Tense.PRESENT,
        Tense.PROGRESSIVE,
        Tense.PERFECT,
        Tense.PAST,
        Tense.PERFECT_PROGRESSIVE,
    }:
        held = predicate.tense is not Tense.PAST or predicate.verb in {"decide", "resolve", "commit"}
        firm = (
            held
            and _INFINITIVE.match(complement)
            and not _POINTED.search(complement)
            and not _ASKING.match(re.sub(r"^(?:on|for) ", "", complement))
        )
        return _found(complement, 0.8) if firm else None
    if predicate.tense is Tense.FUTURE:
        return _wished(f"{predicate.verb} {complement}", dated=predicate.words[0] != "am")
    wishing = predicate.verb in _WISHED and predicate.tense in {
        Tense.PRESENT,
        Tense.WOULD,
        Tense.PROGRESSIVE,
        Tense.PERFECT,
    }
    if wishing and (
        complement.startswith("to ") or (predicate.verb == "hope" and complement.startswith("I "))
    ):
        return _wished(complement, dated=predicate.verb in {"need", "expect"})
    return None


def _wished(action: str, *, dated: bool) -> ExtractedStatement | None:
    """Return the goal in a wish.

    Args:
        action: Text of the wish.
        dated: Whether a goal requires a day or deadline; without one, the action is a chore.
    """
    if _ASKING.match(action) or is_deictic(action) or re.search(r"\byou\b", action):
        return None
    deadline = _DEADLINE.search(action)
    day = re.search(rf"\bby (?:{_MONTHS}|the end of|\d)", action, re.IGNORECASE)
    if (_LIFE.match(action) and (deadline or not dated)) or (deadline and (day or not dated)):
        return _found(action, 0.75)
    return None


def _found(action: str, confidence: float) -> ExtractedStatement:
    thing = re.sub(r"^(?:on |for )?(?:to )?", "", action)
    return ExtractedStatement(
        "", Kind.GOAL, predicate="plans", object=thing[:120], confidence=confidence, ahead=True
    )
