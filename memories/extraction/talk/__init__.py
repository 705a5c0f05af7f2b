"""Statements in passing: lists, fragments, events, dialect, and asides in requests."""

from memories.extraction.talk.lasting import (
    LASTING_FILE,
    LastingModel,
    compute_kernel,
    estimate_lasting,
    keep_lasting,
    may_last,
)
from memories.extraction.talk.talk import (
    QUOTATION_MARKS,
    find_aside,
    find_listed,
    find_mention,
    find_opinion,
    find_remark,
    find_role,
    get_quoted_words,
    quote_remark,
)

__all__ = [
    "LASTING_FILE",
    "QUOTATION_MARKS",
    "LastingModel",
    "compute_kernel",
    "estimate_lasting",
    "find_aside",
    "find_listed",
    "find_mention",
    "find_opinion",
    "find_remark",
    "find_role",
    "get_quoted_words",
    "keep_lasting",
    "may_last",
    "quote_remark",
]
