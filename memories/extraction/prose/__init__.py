"""What extraction reads: the text a person wrote, its sentences, spans, dates and frames."""

from memories.extraction.prose.dates import Lean, Mention, Moment, Resolver, TimeRule, annotated, mentions
from memories.extraction.prose.findings import USER, Finding
from memories.extraction.prose.frames import Clause, Frame, Scope
from memories.extraction.prose.prose import Prose, own_prose, without_marks
from memories.extraction.prose.sentences import is_chinese, sentences
from memories.extraction.prose.spans import Span, day, month, season, shifted, week, year

__all__ = [
    "USER",
    "Clause",
    "Finding",
    "Frame",
    "Lean",
    "Mention",
    "Moment",
    "Prose",
    "Resolver",
    "Scope",
    "Span",
    "TimeRule",
    "annotated",
    "day",
    "is_chinese",
    "mentions",
    "month",
    "own_prose",
    "season",
    "sentences",
    "shifted",
    "week",
    "without_marks",
    "year",
]
