"""Read English: clauses, their subjects, and the statements that they make."""

from memories.extraction.english.clauses import split_english_clauses
from memories.extraction.english.grammar import inflect_third_person, words
from memories.extraction.english.learning import find_english_statement
from memories.extraction.english.scopes import find_english_scope
from memories.extraction.english.scopes import turns_role_play as turns_english_role_play

__all__ = [
    "find_english_scope",
    "find_english_statement",
    "inflect_third_person",
    "split_english_clauses",
    "turns_english_role_play",
    "words",
]
