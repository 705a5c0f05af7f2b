"""What extraction reads: the text a person wrote, its sentences and frames."""

from memories.extraction.prose.frames import Clause, Frame, Scope
from memories.extraction.prose.prose import Prose, extract_own_prose, strip_marks
from memories.extraction.prose.sentences import is_chinese, split_sentences
from memories.extraction.prose.statements import USER, ExtractedStatement

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
