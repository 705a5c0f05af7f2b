"""The functions that read free text, each as a function of one string, with its acceptable cost per
character.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from memories.extraction.model.said import own_texts, said_in
from memories.extraction.prose.prose import own_prose
from memories.extraction.rules.by_rules import extract_by_rules
from memories.extraction.rules.reading import asks_to_remember
from memories.gate import redact, redact_together
from memories.gate.usefulness import says_something
from memories.maintenance.reflection.patterns.stances import stances
from memories.maintenance.reflection.sources.coverage import facts_of
from memories.retrieval.query.concepts import related
from memories.retrieval.query.dates import windows_in
from memories.retrieval.query.query import parse_query
from memories.text.analysis import analyse, identifiers, terms_of
from memories.text.comparison.contradiction import contradictory
from memories.text.comparison.contrast import differences
from memories.text.comparison.joining import joined
from memories.text.comparison.losslessness import lost
from memories.text.comparison.names import names_in
from memories.text.comparison.wording import same_wording, wording_key
from memories.text.cues import cues_of
from memories.text.naming import keys, spotting, stating
from memories.text.normalisation import normalise
from memories.text.predicates import slot_of, subject_key, value_key
from memories.values import Utterance
from memsite.llm.chat.reading import without_thought
from memsite.llm.chat.thoughts import ThoughtFilter
from memsite.llm.tokens import count_tokens
from threads.messages.exporting import fenced, plain
from threads.prompt.fence import neutralise, without_fenced
from threads.prompt.invisible import visible
from threads.prompt.markers import defuse
from threads.prompt.splitting import split_text
from threads.summarization.text.limits import cut, is_no_summary, unmarked
from threads.summarization.text.structured import plain as plain_line

NOW = datetime(2026, 3, 1, tzinfo=UTC)


def _said(text: str) -> Utterance:
    return Utterance(reference="1", role="user", content=text, at=NOW)


_QUICK = 4e-6  # seconds per character
_SLOW = 4e-5  # for functions that parse whole sentences or look up embedded tables

FUNCTIONS: dict[str, tuple[Callable[[str], object], float]] = {
    "redact": (redact, _QUICK),
    "redact_together": (lambda text: redact_together([text, text[:50]]), _QUICK),
    "says_something": (says_something, _QUICK),
    "analyse": (analyse, _QUICK),
    "terms_of": (terms_of, _QUICK),
    "identifiers": (identifiers, _QUICK),
    "cues_of": (cues_of, _QUICK),
    "windows_in": (lambda text: windows_in(text, NOW), _QUICK),
    "related": (lambda text: related(text, ()), _SLOW),
    "parse_query": (lambda text: parse_query(text, ["Anna"], NOW), _SLOW),
    "extract_by_rules": (lambda text: extract_by_rules([_said(text)]), 2e-4),
    "own_prose": (own_prose, _QUICK),
    "asks_to_remember": (lambda text: asks_to_remember(own_prose(text)), 2e-4),
    "own_texts": (lambda text: own_texts(text, "fact"), 2e-4),
    "said_in": (lambda text: said_in([_said(text)], "fact"), 2e-4),
    "contradictory": (lambda text: contradictory(text, "I like tea"), _SLOW),
    "contradictory of two long": (lambda text: contradictory(text, f"{text} not"), _SLOW),
    "differences": (lambda text: differences(text, f"{text} 5"), _SLOW),
    "joined": (lambda text: joined(text, f"{text} b"), _SLOW),
    "lost": (lambda text: lost([text], f"{text} b"), _SLOW),
    "similarity.names_in": (names_in, _SLOW),
    "same_wording": (lambda text: same_wording(text, f"{text}b"), _SLOW),
    "wording_key": (wording_key, _SLOW),
    "spotting.names_in": (spotting.names_in, _SLOW),
    "stating.read": (lambda text: stating.read(text, subject="user", predicate="likes", thing=text), _SLOW),
    "name_key": (keys.name_key, _QUICK),
    "stretches": (lambda text: list(keys.stretches(text)), _SLOW),
    "subject_key": (subject_key, _QUICK),
    "value_key": (value_key, _QUICK),
    "slot_of": (lambda text: slot_of("user", "prefers", text), _QUICK),
    "normalise": (normalise, _QUICK),
    "stances": (lambda text: stances(text, frozenset()), _SLOW),
    "facts_of": (facts_of, _QUICK),
    "defuse": (defuse, _QUICK),
    "neutralise": (neutralise, _SLOW),
    "without_fenced": (without_fenced, _QUICK),
    "visible": (visible, _QUICK),
    "split": (lambda text: split_text(text, 2_000), _QUICK),
    "plain": (plain, _QUICK),
    "fenced": (fenced, _QUICK),
    "is_no_summary": (is_no_summary, _QUICK),
    "cut": (cut, _SLOW),
    "unmarked": (unmarked, _QUICK),
    "plain_line": (lambda text: plain_line(text, 100), _QUICK),
    "without_thought": (without_thought, _QUICK),
    "ThoughtFilter": (lambda text: ThoughtFilter().feed(text), _QUICK),
    "count_tokens": (count_tokens, _QUICK),
}
