"""English grammar as the rules need it: inflection, clauses, subjects and objects."""

from memories.extraction.english.grammar import lexicon
from memories.extraction.english.grammar.grammar import (
    Predicate,
    Tense,
    normalise_clause,
    read_predicate,
    strip_word,
)
from memories.extraction.english.grammar.inflection import get_base_form, inflect_third_person, is_past
from memories.extraction.english.grammar.leads import Lead, admits_error, asks_to_remember, strip_lead
from memories.extraction.english.grammar.lexicon import words
from memories.extraction.english.grammar.objects import find_head_phrase, is_deictic
from memories.extraction.english.grammar.splitting import Piece, split_english
from memories.extraction.english.grammar.subjects import NAME, Subject, SubjectKind, read_subject

__all__ = [
    "NAME",
    "Lead",
    "Piece",
    "Predicate",
    "Subject",
    "SubjectKind",
    "Tense",
    "admits_error",
    "asks_to_remember",
    "find_head_phrase",
    "get_base_form",
    "inflect_third_person",
    "is_deictic",
    "is_past",
    "lexicon",
    "normalise_clause",
    "read_predicate",
    "read_subject",
    "split_english",
    "strip_lead",
    "strip_word",
    "words",
]
