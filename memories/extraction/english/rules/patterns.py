"""The structure of an English rule, and phrases shared by many rules."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from memories.extraction.english.grammar import Tense, lexicon
from memories.values import Kind

ALWAYS: Final = "present progressive perfect perfect_progressive"
DONE: Final = "past perfect"


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule for some verbs in some tenses with a certain complement.

    Attributes:
        kind: Kind of the finding.
        predicate: Predicate of the finding.
        tenses: Tenses in which the rule applies.
        complement: Pattern matched from the start of the complement; its group `o`, if any, is the object.
        negated: Predicate of a negated clause. Empty keeps the sentence without a triple, None drops it.
        single: Whether the predicate is single-valued.
    """

    kind: Kind
    predicate: str
    tenses: frozenset[Tense]
    complement: re.Pattern[str]
    negated: str | None = ""
    single: bool = False
    confidence: float = 0.8


def pattern(complement: str) -> re.Pattern[str]:
    """Compile a pattern that ignores case."""
    return re.compile(complement, re.IGNORECASE)


def rule(
    verbs: str, tenses: str, kind: str, predicate: str, complement: str = r"(?P<o>.+)", *,
    negated: str | None = "", single: bool = False, confidence: float = 0.8,
) -> tuple[tuple[str, ...], Rule]:  # fmt: skip
    """Build a rule and the verbs it is for; see `Rule` for the arguments."""
    within = frozenset(Tense(tense) for tense in tenses.split())
    return tuple(verbs.split()), Rule(
        Kind(kind), predicate, within, pattern(complement), negated, single, confidence
    )


COUNTED: Final = r"(?:an?|the|my|our|another|two|three|four|five|six|several|some|one|\d[\d,.]*)\s+"
INDEFINITE: Final = r"(?:an?|my|our|another|two|three|four|five|six|several|\d[\d,.]*)\s+"
WORKS: Final = rf"(?:{lexicon.WORKS})s?"
CHORE: Final = (
    r"(?:it|this|that|these|those|them|something|stuff|things|dinner|lunch|breakfast|coffee|tea|homework"
    r"|an? (?:\w+ )?(?:letter|cover letter|bug|issue"
    r"|problem|error|ticket|e-?mail|reply|message|list|call|function|change|request|query|mistake|test|fix"
    r"|assumption|decision"
    r"|point|script to|loop|note|comment|joke|sandwich|cake|mess|guess|question|report)|progress|sure|sense"
    r"|friends|money|plans|fun|time|room|an effort|a difference|a living|a point|my (?:homework|email|code"
    r"|assignment)"
    r"|the (?:project|app|image|container|docs)(?: now)?$|the (?:bug|issue|problem|error|code|following"
    r"|answer)|code|tests)\b"
)
