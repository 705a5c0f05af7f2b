"""What extraction reads: the text a person wrote, its sentences, spans, dates and frames."""

from memories.extraction.prose.dates import (
    Lean,
    Mention,
    Moment,
    Resolver,
    TimeRule,
    annotate_times,
    find_time_mentions,
)
from memories.extraction.prose.frames import Clause, Frame, Scope
from memories.extraction.prose.prose import Prose, extract_own_prose, strip_marks
from memories.extraction.prose.sentences import is_chinese, split_sentences
from memories.extraction.prose.spans import Span, day, month, season, shifted, week, year
from memories.extraction.prose.statements import USER, ExtractedStatement

__all__ = [
    "USER",
    "Clause",
    "ExtractedStatement",
    "Frame",
    "Lean",
    "Mention",
    "Moment",
    "Prose",
    "Resolver",
    "Scope",
    "Span",
    "TimeRule",
    "annotate_times",
    "day",
    "extract_own_prose",
    "find_time_mentions",
    "is_chinese",
    "month",
    "season",
    "shifted",
    "split_sentences",
    "strip_marks",
    "week",
    "year",
]
