"""The text of a summary: by a model, else by rules, within its limits."""

from threads.summarization.text.by_model import summarise_by_model
from threads.summarization.text.fallback import summarise_by_rules
from threads.summarization.text.limits import add_remark, remove_remark
from threads.summarization.text.loading import (
    SummaryPosition,
    SummaryWindow,
    count_after,
    count_unsummarised,
    find_active_summary,
    find_place,
    find_shown_summary,
    get_depth,
    is_due,
    load_last_window,
    load_next_window,
)
from threads.summarization.text.structured import SummaryText

__all__ = [
    "SummaryPosition",
    "SummaryText",
    "SummaryWindow",
    "add_remark",
    "count_after",
    "count_unsummarised",
    "find_active_summary",
    "find_place",
    "find_shown_summary",
    "get_depth",
    "is_due",
    "load_last_window",
    "load_next_window",
    "remove_remark",
    "summarise_by_model",
    "summarise_by_rules",
]
