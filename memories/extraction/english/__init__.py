"""Reading English: clauses, who they are about, what they tell."""

from memories.extraction.english import dates
from memories.extraction.english.clauses import english_clauses
from memories.extraction.english.grammar import third_person, words
from memories.extraction.english.learning import learn_english
from memories.extraction.english.scopes import english_scope

__all__ = [
    "dates",
    "english_clauses",
    "english_scope",
    "learn_english",
    "third_person",
    "words",
]
