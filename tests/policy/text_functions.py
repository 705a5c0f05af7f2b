"""The functions that read free text, each as a function of one string, with its acceptable cost per
character.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from memories.extraction.model.user_statements import collect_statements, list_statement_texts
from memories.extraction.prose.prose import extract_own_prose
from memories.extraction.rules.by_rules import extract_by_rules
from memories.extraction.rules.clause_reader import asks_to_remember
from memories.extraction.rules.unstated import read_unstated
from memories.gate import redact_text, redact_together
from memories.gate.usefulness import says_something
from memories.maintenance.reflection.patterns.patterns_by_rules import find_stances
from memories.maintenance.reflection.sources.coverage import split_facts
from memories.retrieval.query.concepts import find_related_words
from memories.retrieval.query.dates import find_time_windows
from memories.retrieval.query.query import parse_query
from memories.text.analysis import analyse_text, find_identifiers, list_terms
from memories.text.comparison.contradiction import find_contradiction
from memories.text.comparison.contrast import find_differences
from memories.text.comparison.joining import join_texts
from memories.text.comparison.losslessness import find_lost_details
from memories.text.comparison.names import find_names
from memories.text.comparison.wording import compute_wording_key, has_same_wording
from memories.text.cues import find_cues
from memories.text.fencing import defuse_markers, make_visible, neutralise_text, remove_fenced
from memories.text.naming import keys, name_search, statements
from memories.text.normalisation import normalise
from memories.text.predicates import make_slot, make_subject_key, make_value_key
from memories.values import Kind, Utterance
from memsite.llm.chat.reading import remove_thought
from memsite.llm.chat.thoughts import ThoughtFilter
from memsite.llm.tokens import count_tokens
from memsite.values import MessageRole
from threads.messages.exporting import escape_markdown, fence_markdown
from threads.prompt.splitting import split_text
from threads.summarization.text.limits import cut_summary, is_no_summary, remove_remark
from threads.summarization.text.structured import clean_line as plain_line

NOW = datetime(2026, 3, 1, tzinfo=UTC)


def _said(text: str) -> Utterance:
    return Utterance(reference="1", role=MessageRole.USER, content=text, at=NOW)


_QUICK = 4e-6  # seconds per character
_SLOW = 4e-5  # for functions that parse whole sentences or look up embedded tables

FUNCTIONS: dict[str, tuple[Callable[[str], object], float]] = {
    "redact": (redact_text, _QUICK),
    "redact_together": (lambda text: redact_together([text, text[:50]]), _QUICK),
    "says_something": (says_something, _QUICK),
    "analyse": (analyse_text, _QUICK),
    "terms_of": (list_terms, _QUICK),
    "identifiers": (find_identifiers, _QUICK),
    "cues_of": (find_cues, _QUICK),
    "windows_in": (lambda text: find_time_windows(text, NOW), _QUICK),
    "related": (lambda text: find_related_words(text, ()), _SLOW),
    "parse_query": (lambda text: parse_query(text, ["Anna"], NOW), _SLOW),
    "extract_by_rules": (lambda text: extract_by_rules([_said(text)]), 2e-4),
    "own_prose": (extract_own_prose, _QUICK),
    "asks_to_remember": (lambda text: asks_to_remember(extract_own_prose(text)), 2e-4),
    "read_unstated": (read_unstated, 2e-4),
    "own_texts": (lambda text: list_statement_texts(text, Kind.FACT), 2e-4),
    "said_in": (lambda text: collect_statements([_said(text)], Kind.FACT), 2e-4),
    "contradictory": (lambda text: find_contradiction(text, "I like tea"), _SLOW),
    "contradictory of two long": (lambda text: find_contradiction(text, f"{text} not"), _SLOW),
    "differences": (lambda text: find_differences(text, f"{text} 5"), _SLOW),
    "joined": (lambda text: join_texts(text, f"{text} b"), _SLOW),
    "lost": (lambda text: find_lost_details([text], f"{text} b"), _SLOW),
    "similarity.names_in": (find_names, _SLOW),
    "same_wording": (lambda text: has_same_wording(text, f"{text}b"), _SLOW),
    "wording_key": (compute_wording_key, _SLOW),
    "spotting.names_in": (name_search.find_names, _SLOW),
    "stating.read": (
        lambda text: statements.read_statement(text, subject="user", predicate="likes", thing=text),
        _SLOW,
    ),
    "name_key": (keys.make_name_key, _QUICK),
    "stretches": (lambda text: list(keys.list_name_candidates(text)), _SLOW),
    "subject_key": (make_subject_key, _QUICK),
    "value_key": (make_value_key, _QUICK),
    "slot_of": (lambda text: make_slot("user", "prefers", text), _QUICK),
    "normalise": (normalise, _QUICK),
    "stances": (lambda text: find_stances(text, frozenset()), _SLOW),
    "facts_of": (split_facts, _QUICK),
    "defuse": (defuse_markers, _QUICK),
    "neutralise": (neutralise_text, _SLOW),
    "without_fenced": (remove_fenced, _QUICK),
    "visible": (make_visible, _QUICK),
    "split": (lambda text: split_text(text, 2_000), _QUICK),
    "plain": (escape_markdown, _QUICK),
    "fenced": (fence_markdown, _QUICK),
    "is_no_summary": (is_no_summary, _QUICK),
    "cut": (cut_summary, _SLOW),
    "unmarked": (remove_remark, _QUICK),
    "plain_line": (lambda text: plain_line(text, 100), _QUICK),
    "without_thought": (remove_thought, _QUICK),
    "ThoughtFilter": (lambda text: ThoughtFilter().feed(text), _QUICK),
    "count_tokens": (count_tokens, _QUICK),
}
