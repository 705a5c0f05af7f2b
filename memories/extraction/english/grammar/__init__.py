"""English grammar as the rules need it: inflection, clauses, subjects and objects."""

from memories.extraction.english.grammar import lexicon
from memories.extraction.english.grammar.grammar import Predicate, Tense, bare, normalised, read_predicate
from memories.extraction.english.grammar.inflection import base_form, is_past, third_person
from memories.extraction.english.grammar.leads import Lead, asks_to_remember, strip_lead
from memories.extraction.english.grammar.lexicon import words
from memories.extraction.english.grammar.objects import deictic, head_phrase
from memories.extraction.english.grammar.splitting import Piece, split_english
from memories.extraction.english.grammar.subjects import NAME, About, Subject, read_subject

__all__ = [
    "NAME",
    "About",
    "Lead",
    "Piece",
    "Predicate",
    "Subject",
    "Tense",
    "asks_to_remember",
    "bare",
    "base_form",
    "deictic",
    "head_phrase",
    "is_past",
    "lexicon",
    "normalised",
    "read_predicate",
    "read_subject",
    "split_english",
    "strip_lead",
    "third_person",
    "words",
]
