"""The text that extraction reads: a person's own prose, its sentences, clauses and frames."""

from memories.extraction.prose.clauses import USER, Clause, ExtractedStatement, Frame, Scope
from memories.extraction.prose.prose import Prose, extract_own_prose, strip_marks
from memories.extraction.prose.sentences import is_chinese, split_sentences

__all__ = [
    "USER",
    "Clause",
    "ExtractedStatement",
    "Frame",
    "Prose",
    "Scope",
    "extract_own_prose",
    "is_chinese",
    "split_sentences",
    "strip_marks",
]
