"""Statements in passing: lists, fragments, events, dialect, and asides in requests."""

from memories.extraction.talk.lasting import keep_lasting
from memories.extraction.talk.talk import (
    QUOTATION_MARKS,
    find_aside,
    find_listed,
    find_opinion,
    find_remark,
    get_quoted_words,
    quote_remark,
)

__all__ = [
    "QUOTATION_MARKS",
    "find_aside",
    "find_listed",
    "find_opinion",
    "find_remark",
    "get_quoted_words",
    "keep_lasting",
    "quote_remark",
]
